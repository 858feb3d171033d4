import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readFile } from '../../src/tools/commands/command.ts';
import { configOf, errorOf, errorsOf, withFlag } from '../support/config.ts';
import { temporaryDirectory } from '../support/service.ts';

const SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>';
const LOGO = '/etc/postern/logo.txt';
const HOSTS = '/etc/postern/hosts.txt';

const withLogo = (content: string | Buffer) => ({
  ...withFlag('app.brand.logo', LOGO),
  files: { [LOGO]: content },
});
const withHosts = (content: string | Buffer) => ({
  ...withFlag('app.links.blocked-hosts', HOSTS),
  files: { [HOSTS]: content },
});

test('the files that settings name are checked with all other settings', () => {
  const errors = errorsOf({
    argv: [`--app.links.blocked-hosts=${HOSTS}`, '--server.port=0'],
    env: {
      APP_BRAND_LOGO: LOGO,
      APP_DATABASE_URL: 'postgres://me:s3cret@db.example/links?sslmode=verify-full&sslrootcert=/ca.der',
    },
    files: { [HOSTS]: 'good.example\nhttps://evil.example/', '/ca.der': Buffer.from([0x30, 0x82]) },
  });
  const expected = [
    /^server\.port: "0" from flag/,
    /^app\.links\.blocked-hosts: "\/etc\/postern\/hosts\.txt" from flag --app\.links\.blocked-hosts is not a list of hosts: line 2: "https:\/\/evil\.example\/" must be a host name/,
    /^app\.brand\.logo: "\/etc\/postern\/logo\.txt" from environment variable APP_BRAND_LOGO cannot be read \(ENOENT\); it must be the path of an image$/,
    /^app\.database\.url: sslrootcert "\/ca\.der" has no block in PEM format; it must be the path of a PEM file$/,
  ];
  assert.equal(errors.length, expected.length, errors.join('\n'));
  for (const [index, pattern] of expected.entries()) assert.match(errors[index] ?? '', pattern);
});

describe('the logo of a brand', () => {
  test('a logo has the type of its content, with any name', () => {
    for (const [content, expected] of [
      [Buffer.from('\x89PNG\r\n\x1a\n...', 'latin1'), 'image/png'],
      [Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'image/jpeg'],
      ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
      [`<!-- a --><!DOCTYPE svg>${SVG.slice(21)}`, 'image/svg+xml'],
      [SVG, 'image/svg+xml'],
      ['<!-- a -->'.repeat(1_000) + SVG.slice(21), 'image/svg+xml'],
    ] as const) {
      assert.equal(configOf(withLogo(content)).brand.logo?.mediaType, expected);
    }
  });

  test('a logo is a small image', () => {
    for (const content of [
      '<!---->'.repeat(1_000),
      '<html><svg></svg></html>',
      '',
      'GIF89a',
      Buffer.from('\xff<svg>', 'latin1'),
    ]) {
      assert.match(errorOf(withLogo(content)), / is not a PNG, SVG, JPEG or WebP image; convert it/);
    }
    assert.match(errorOf(withLogo(SVG.padEnd(64 * 1024 + 1))), / is too large; it must have at most 64 KB$/);
    assert.ok(configOf(withLogo(SVG.padEnd(64 * 1024))).brand.logo);
  });
});

test('a list of blocked hosts is a UTF-8 text of at most 4 MiB', () => {
  assert.match(
    errorOf(withHosts(Buffer.from([0xff]))),
    / is not a list of hosts: the file must be UTF-8 text$/,
  );
  assert.match(
    errorOf(withHosts('#'.repeat(4 * 1024 ** 2 + 1))),
    / is too large; it must have at most 4 MiB$/,
  );
  assert.equal(configOf(withHosts('#'.repeat(4 * 1024 ** 2))).links.blockedHostsPath, HOSTS);
});

test('a large file is read only to a byte after what may be used', (t) => {
  const path = join(temporaryDirectory(t), 'file');
  writeFileSync(path, 'content');
  assert.equal(readFile(path, 7).toString(), 'content');
  assert.equal(readFile(path, 3).toString(), 'cont');
  assert.equal(readFile(path).toString(), 'content');
  truncateSync(path, 8 * 1024 ** 3); // more than one buffer can have
  assert.equal(readFile(path, 10).length, 11);
});

test('a path of no regular file is refused at once, even if nothing can be read from it or it has no end', (t) => {
  const pipe = join(temporaryDirectory(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero', '/dev/null', '/'])
    assert.throws(() => readFile(path, 10), { code: 'not a regular file' });
});
