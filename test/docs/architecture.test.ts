import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Prechecks } from '../../src/core/model/attempt.ts';
import { decide } from '../../src/core/model/decide-attempt.ts';
import type { LinkState } from '../../src/core/model/link.ts';
import type { Verdict } from '../../src/core/model/verdict.ts';
import { linkState, START } from '../support/attempts.ts';
import { codeIn, ROOT, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { sourcesOf } from '../support/sources.ts';

const DOCUMENT = readProjectFile('ARCHITECTURE.md');

const PROOF = { browserHash: 'browser', address: 'ann@example.com', codeHash: 'right' };
const CODE = { ...PROOF, shortCode: 'abc', triesLeft: 5, endsAt: START + 1 };

/** What each denied attempt lacked. */
const REPAIRS = {
  REVOKED: { link: { status: 'EXPIRED' } },
  PASSWORD_REQUIRED: { prechecks: { password: 'WRONG' } },
  INVALID_PASSWORD: { prechecks: { password: 'RIGHT' } },
  RECIPIENT_REQUIRED: { prechecks: { recipient: { ...PROOF, codeHash: 'wrong' } } },
  INVALID_RECIPIENT: { prechecks: { recipient: PROOF } },
  EXPIRED: { link: { expiresAt: null } },
  VIEW_LIMIT_REACHED: { link: { maxViews: null } },
  UNEXPECTED_STATE: { link: { status: 'ACTIVE' } },
  PAUSED: { link: { isPaused: false } },
  NOT_STARTED: { link: { startsAt: null } },
  FILE_NOT_FOUND: { prechecks: { file: 'OPEN' } },
  CONFIRMATION_REQUIRED: { prechecks: { confirmation: 'NOT_NEEDED' } },
} as const satisfies Partial<
  Record<Verdict, { link?: Partial<LinkState>; prechecks?: Partial<Exclude<Prechecks, string>> }>
>;

/** Returns the verdicts of an attempt for which everything is wrong, each after what the one before lacked is repaired. */
function denialsInOrder(): Verdict[] {
  const denials: Verdict[] = [];
  let link = linkState({
    ...{ status: 'REVOKED', viewCount: 1, maxViews: 1, isPaused: true },
    ...{ startsAt: START + 1, expiresAt: START - 1 },
  });
  const open = (attempted: LinkState | undefined, prechecks: Prechecks) =>
    decide(attempted, { purpose: 'OPEN', prechecks }, START, CODE).verdict;
  let prechecks: Prechecks = {
    ...{ password: 'MISSING', recipient: 'MISSING', file: 'MISSING', confirmation: 'MISSING' },
  };
  denials.push(open(undefined, 'RATE_LIMITED'), open(undefined, 'LINK_NOT_FOUND'));
  for (let verdict = open(link, prechecks); verdict !== 'SUCCESS'; verdict = open(link, prechecks)) {
    assert.ok(Object.hasOwn(REPAIRS, verdict), verdict);
    assert.ok(!denials.includes(verdict), verdict);
    denials.push(verdict);
    const repair: { link?: object; prechecks?: object } = REPAIRS[verdict as keyof typeof REPAIRS]; // as just checked
    link = { ...link, ...repair.link };
    prechecks = { ...prechecks, ...repair.prechecks };
  }
  return denials;
}

describe('ARCHITECTURE.md', () => {
  test('ARCHITECTURE.md lists the verdicts in the order of the checks', () => {
    const listed = [...sectionOf(DOCUMENT, 'The path of a redirect').matchAll(/^\d+\. `([A-Z_]+)`: /gm)];
    assert.deepEqual(
      listed.map(([, verdict]) => verdict),
      denialsInOrder(),
    );
  });

  test('ARCHITECTURE.md describes every floor of src/', () => {
    const described = tableRows(sectionOf(DOCUMENT, 'Folders')).map(([floor = '']) => codeIn(floor)[0]);
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
