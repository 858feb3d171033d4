import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { DENIALS } from '../../src/http/errors.ts';
import { codeIn, ROOT, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { ERROR_CATALOG } from '../support/error-catalog.ts';
import { sourcesOf } from '../support/sources.ts';

const DOCUMENT = readProjectFile('ARCHITECTURE.md');
const ATTEMPT = sectionOf(DOCUMENT, 'The path of one attempt');
const CREATION = sectionOf(DOCUMENT, 'The path of a creation');

describe('ARCHITECTURE.md', () => {
  test('tells each denial with its status and text, in the order of the checks', () => {
    const [, checks = ''] = ATTEMPT.split(/(?=\| check )/);
    const documented = tableRows(checks).map(([, verdict = '', status, text = '']) => [
      codeIn(verdict)[0],
      { status: Number(status), message: codeIn(text)[0] },
    ]);
    assert.deepEqual(Object.fromEntries(documented), DENIALS);
    const judge = readProjectFile('src/links/decide-attempt.ts').matchAll(/return '([A-Z_]+)';/g);
    const inOrder = [...judge].map(([, verdict]) => verdict).filter((verdict) => verdict !== 'SUCCESS');
    assert.deepEqual(
      documented.map(([verdict]) => verdict),
      inOrder,
    );
  });

  test('tells each status that the service can answer with, and no other', () => {
    const steps = [...tableRows(ATTEMPT), ...tableRows(CREATION)];
    const [, revocation = ''] = /revoke-link\.ts`: (\d+, or \d+) /.exec(CREATION) ?? [];
    const documented = [...steps.map(([, , statuses = '']) => statuses), revocation]
      .join(' ')
      .match(/\d{3}/g);
    const answered = new Set([200, 201, 204, 302, 303, ...ERROR_CATALOG.map(({ status }) => status)]);
    assert.deepEqual(new Set(documented?.map(Number)), answered);
  });

  test('maps every file of src/, by its name or by a directory that is told as a whole', () => {
    const mapped = codeIn(sectionOf(DOCUMENT, 'Map')).filter((code) => code.startsWith('src/'));
    const whole = mapped.filter((path) => path.endsWith('/') && !ROOMS_IN_PARTS.includes(path));
    for (const { path: file } of sourcesOf('src')) {
      const isMapped = mapped.includes(file) || whole.some((directory) => file.startsWith(directory));
      assert.ok(isMapped, `${file} is not on the map`);
    }
  });

  test('names for each invariant what keeps it and the tests of it', () => {
    const invariants = tableRows(sectionOf(DOCUMENT, 'What always holds'));
    assert.ok(invariants.length >= 5);
    for (const [number, invariant, keptBy, tests = ''] of invariants) {
      assert.ok(invariant && keptBy, `what keeps invariant ${number}`);
      assert.ok(codeIn(tests).length > 0, `no test of invariant ${number}`);
      for (const test of codeIn(tests))
        assert.ok(test.startsWith('npm run ') || existsSync(ROOT + test), test);
    }
  });
});

/** Directories of which the map tells each file. */
const ROOMS_IN_PARTS = ['src/', 'src/http/', 'src/links/', 'src/stores/'];
