import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { codeIn, DOCUMENTS, ROOT, readProjectFile } from '../support/documents.ts';

const scripts = Object.keys(JSON.parse(readProjectFile('package.json')).scripts);

describe('references in documents', () => {
  for (const document of DOCUMENTS) {
    const text = readProjectFile(document);
    const prose = text.replaceAll(/^```.*?^```$/gms, '');

    test(`${document}: each link leads to an existing file and heading`, () => {
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?|mailto):/.test(target)) continue;
        const [relative = '', anchor] = target.split('#');
        const file = relative === '' ? document : path.join(path.dirname(document), relative);
        assert.ok(existsSync(ROOT + file), `${target} leads to no file`);
        if (anchor !== undefined)
          assert.ok(anchorsOf(file).includes(anchor), `${target} has no such heading`);
        else if (statSync(ROOT + file).isDirectory()) assert.match(file, /\/$/, `${target} is a directory`);
      }
    });

    test(`${document}: each project path exists`, () => {
      const named = codeIn(prose).filter((code) => /^(src|test|docs|bench|deploy|web)\/[\w./-]*$/.test(code));
      for (const file of named) assert.ok(existsSync(ROOT + file), `there is no ${file}`);
    });

    test(`${document}: each npm script is in package.json`, () => {
      for (const [, script = ''] of text.matchAll(/npm run ([\w:-]+)/g)) {
        assert.ok(scripts.includes(script), `there is no npm run ${script}`);
      }
    });
  }
});

/** Returns the anchors that Markdown renderers generate for the headings of a file. */
function anchorsOf(file: string): string[] {
  const headings = readProjectFile(file)
    .replaceAll(/^```.*?^```$/gms, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
