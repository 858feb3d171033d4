import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../support/process.ts';

const TESTS = {
  cli: ['encryption', 'links', 'uploads'],
  http: 'encrypted-files file-names file-requests leases replace-file shown-files texts upload-file uploads'.split(
    ' ',
  ),
  web: ['decrypt', 'file-requests', 'file-sets', 'key-secrecy', 'send-files', 'shown-files', 'upload'],
};

describe('the tests of files, with a bucket instead of a directory', () => {
  for (const [directory, names] of Object.entries(TESTS))
    for (const name of names)
      test(`test/${directory}/${name}`, { timeout: 600_000 }, async (t) => {
        const paths = ['test', 'slow'].map((tier) =>
          fileURLToPath(new URL(`../${directory}/${name}.${tier}.ts`, import.meta.url)),
        );
        const path = paths.find(existsSync);
        assert.ok(path);
        const { NODE_TEST_CONTEXT: _, ...env } = process.env as Record<string, string>;
        const tests = startProgram(t, ['--preserve-symlinks', '--test', path], {
          ...env,
          TEST_FILE_STORE: 's3',
        });
        const { code, stdout } = await tests.exited;
        assert.equal(code, 0, stdout);
        assert.match(stdout, /^ℹ skipped [01]$/m); // that of an almost full disk
      });
});
