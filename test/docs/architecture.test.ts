import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { DENIALS } from '../../src/http/errors.ts';
import { codeIn, ROOT, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { ERROR_CATALOG } from '../support/error-catalog.ts';
import { sourcesOf } from '../support/sources.ts';

const DOCUMENT = readProjectFile('ARCHITECTURE.md');
const ARRIVAL = sectionOf(DOCUMENT, 'How a request arrives');
const ATTEMPT = sectionOf(DOCUMENT, 'The path of an attempt');
const CREATION = sectionOf(DOCUMENT, 'The path of a creation');
const CHANGE = sectionOf(DOCUMENT, 'The path of a change');

/** A reader must be able to follow one attempt through this many files. */
const MAX_FILES_OF_ATTEMPT = 9;

describe('ARCHITECTURE.md', () => {
  test('ARCHITECTURE.md lists each check with its verdict, status and text, in the order of the checks', () => {
    const [, checks = ''] = ATTEMPT.split(/(?=\| check )/);
    const documented = tableRows(checks).map(([, verdict = '', status, text = '']) => ({
      verdict: codeIn(verdict)[0] ?? '',
      status: Number(status),
      message: codeIn(text)[0],
    }));
    const denials = documented.filter(({ verdict }) => verdict !== 'CONFIRMATION_REQUIRED');
    assert.deepEqual(
      Object.fromEntries(
        denials.map(({ verdict, status, message }) => [verdict, { status, code: verdict, message }]),
      ),
      DENIALS,
    );
    const confirmation = { verdict: 'CONFIRMATION_REQUIRED', status: 200, message: undefined };
    assert.deepEqual(documented.at(-1), confirmation);
    const [decision = ''] =
      readProjectFile('src/core/model/decide-attempt.ts').match(/^function firstFailure.*?^}/ms) ?? [];
    const inOrder = [...decision.matchAll(/(?:return|\?) '([A-Z_]+)'/g)].map(([, verdict]) => verdict);
    assert.deepEqual(
      documented.map(({ verdict }) => verdict),
      inOrder,
    );
  });

  test('ARCHITECTURE.md lists exactly the statuses that the service can return', () => {
    const steps = [ARRIVAL, ATTEMPT, CREATION, CHANGE].flatMap(tableRows);
    const [, revocation = ''] = /It returns (\d+, or \d+) /.exec(CREATION) ?? [];
    const documented = [...steps.map(([, , statuses = '']) => statuses), revocation]
      .join(' ')
      .match(/\d{3}/g);
    const returned = new Set([200, 201, 204, 302, 303, ...ERROR_CATALOG.map(({ status }) => status)]);
    assert.deepEqual(new Set(documented?.map(Number)), returned);
  });

  test('ARCHITECTURE.md follows an attempt through at most nine files on either store', () => {
    const files = tableRows(ATTEMPT).flatMap(([, file = '']) => codeIn(file));
    for (const file of files) assert.match(file, /^src\/.*\.ts$/);
    for (const other of ['sqlite', 'postgres']) {
      const ofStore = files.filter((file) => !file.includes(`/${other}/`));
      assert.ok(ofStore.length <= MAX_FILES_OF_ATTEMPT, `${ofStore.length} files without ${other}`);
    }
  });

  test('ARCHITECTURE.md describes every floor of src/', () => {
    const described = tableRows(sectionOf(DOCUMENT, 'Floors')).map(([floor = '']) => codeIn(floor)[0]);
    const directories = sourcesOf('src').flatMap(
      ({ path }) => /^src\/(?:core\/)?[^/]+\//.exec(path)?.[0] ?? [],
    );
    for (const directory of new Set(directories)) {
      assert.ok(described.includes(directory), `${directory} is not described`);
    }
  });

  test('ARCHITECTURE.md names for each invariant its mechanism and its tests', () => {
    const invariants = tableRows(sectionOf(DOCUMENT, 'Invariants'));
    assert.ok(invariants.length >= 5);
    for (const [number, invariant, keptBy, tests = ''] of invariants) {
      assert.ok(invariant && keptBy, `mechanism of invariant ${number}`);
      assert.ok(codeIn(tests).length > 0, `invariant ${number} has no test`);
      for (const test of codeIn(tests))
        assert.ok(test.startsWith('npm run ') || existsSync(ROOT + test), test);
    }
  });
});
