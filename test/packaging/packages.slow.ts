import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { PACKAGES } from '../../packaging/places.ts';
import { VERSION } from '../../src/common/version.ts';
import { ROOT, readProjectFile } from '../support/documents.ts';
import { NO_OTHER_ROOT } from '../support/other-root.ts';
import { NO_DEBIAN, tryDebianPackage } from './debian-package.ts';
import { tryExecutable } from './executable.ts';
import { tryImage } from './image.ts';
import { tryNpmPackage } from './npm-package.ts';
import { tryUpgrade } from './upgrade.ts';

const NO_MINISIGN = spawnSync('minisign', ['-v']).status === 0 ? false : 'needs minisign';

/** Returns the only package whose name has this ending. */
function packageWith(ending: string): string {
  const [name = '', ...others] = readdirSync(PACKAGES).filter((each) => each.endsWith(ending));
  assert.ok(name !== '' && others.length === 0, `${ending}: ${[name, ...others]}`);
  return join(PACKAGES, name);
}

describe('a dry run of a release', { timeout: 900_000 }, () => {
  before(() => {
    const changesBefore = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
    execFileSync('npm', ['run', '--silent', 'release', '--', '--dry-run'], { cwd: ROOT });
    const changesAfter = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
    assert.equal(changesAfter, changesBefore, 'it changes nothing in the checkout');
  });

  test('the checksums cover every file, and minisign verifies them', { skip: NO_MINISIGN }, () => {
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: PACKAGES });
    const listed = readFileSync(join(PACKAGES, 'SHA256SUMS'), 'utf8')
      .split('\n')
      .map((line) => line.slice(66));
    const others = readdirSync(PACKAGES).filter((name) => !listed.includes(name));
    assert.deepEqual(others.sort(), ['SHA256SUMS', 'SHA256SUMS.minisig', 'minisign.pub']);
    execFileSync('minisign', ['-V', '-p', 'minisign.pub', '-m', 'SHA256SUMS'], { cwd: PACKAGES });
  });

  test('the release notes are the section of the changelog, and the bill of materials has the version', () => {
    assert.ok(
      readProjectFile('CHANGELOG.md').includes(readFileSync(join(PACKAGES, 'release-notes.md'), 'utf8')),
    );
    const { metadata } = JSON.parse(readFileSync(packageWith('.cdx.json'), 'utf8'));
    assert.equal(metadata.component.version, VERSION);
  });

  test('the npm package serves', (t) => tryNpmPackage(t, packageWith(`postern-${VERSION}.tgz`)));
  test('the npm package takes over from the last release', (t) =>
    tryUpgrade(t, packageWith(`postern-${VERSION}.tgz`)));
  test('the executable serves', (t) => tryExecutable(t, packageWith(`-${process.platform}-${process.arch}`)));
  test('the Debian package serves', { skip: NO_DEBIAN }, (t) => tryDebianPackage(t, packageWith('.deb')));
  test('the image serves', { skip: NO_OTHER_ROOT }, (t) => tryImage(t, packageWith('.oci.tar')));
});
