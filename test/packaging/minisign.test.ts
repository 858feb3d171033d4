import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { publicKeyText, readKey, signatureText } from '../../packaging/minisign.ts';
import { temporaryDirectory } from '../support/service.ts';

const NO_MINISIGN = spawnSync('minisign', ['-v']).status === 0 ? false : 'needs minisign';

test('minisign verifies what its own key signs here, and refuses another text', {
  skip: NO_MINISIGN,
}, (t) => {
  const cwd = temporaryDirectory(t);
  execFileSync('minisign', ['-G', '-W', '-s', 'key', '-p', 'key.pub'], { cwd, stdio: 'ignore' });
  const key = readKey(readFileSync(join(cwd, 'key'), 'utf8'));
  const encoded = (text: string) => text.split('\n')[1];
  assert.equal(encoded(publicKeyText(key)), encoded(readFileSync(join(cwd, 'key.pub'), 'utf8')));

  writeFileSync(join(cwd, 'file.minisig'), signatureText(key, 'content', 'Postern 1.0.0'));
  const verify = (content: string) => {
    writeFileSync(join(cwd, 'file'), content);
    return spawnSync('minisign', ['-V', '-p', 'key.pub', '-m', 'file'], { cwd, encoding: 'utf8' });
  };
  assert.match(verify('content').stdout, /comment signature verified\nTrusted comment: Postern 1\.0\.0/);
  assert.match(verify('content!').stderr, /verification failed/);
});

test('a file that is no key, and a key with a password, are refused', () => {
  assert.throws(() => readKey('untrusted comment: x\nRWQ=\n'), /no secret key of minisign.*minisign -G -W/);
  const bytes = Buffer.alloc(158);
  bytes.write('EdScB2');
  assert.throws(() => readKey(`comment\n${bytes.toString('base64')}\n`), /has a password.*minisign -C -W/);
});
