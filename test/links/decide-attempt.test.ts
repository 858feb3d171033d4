import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Prechecks } from '../../src/core/model/attempt.ts';
import { decide, dependsOnLink } from '../../src/core/model/decide-attempt.ts';
import { LINK_STATUSES, type LinkState } from '../../src/core/model/link.ts';
import type { RecipientCode } from '../../src/core/model/recipient-code.ts';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import type { Verdict } from '../../src/core/model/verdict.ts';
import { linkState, PASSES, START } from '../support/attempts.ts';
import { anyHistory, anyLimits } from '../support/histories.ts';
import { LinkLife, verdictByOrder } from '../support/link-life.ts';

const NOW = START;
const ACTIVE = linkState();
const EXPIRING_DENIALS: readonly Verdict[] = ['EXPIRED', 'VIEW_LIMIT_REACHED'];

const open = (link: LinkState | undefined, prechecks: Prechecks = PASSES, now = NOW) =>
  decide(link, { purpose: 'OPEN', prechecks }, now);

const ALL_LINKS: (LinkState | undefined)[] = [undefined];
const VIEWS = [
  [0, null],
  [7, null],
  [0, 1],
  [1, 1],
  [4, 5],
  [5, 5],
  [6, 5],
] as const;
for (const status of LINK_STATUSES)
  for (const [viewCount, maxViews] of VIEWS)
    for (const expiresAt of [null, NOW - 1, NOW, NOW + 1])
      for (const startsAt of [null, NOW, NOW + 1])
        for (const isPaused of [false, true])
          ALL_LINKS.push(linkState({ status, viewCount, maxViews, expiresAt, startsAt, isPaused }));

const PROOF = { browserHash: 'browser', address: 'ann@example.com', codeHash: 'right' };
const CODE = { ...PROOF, shortCode: 'abc', triesLeft: 1, endsAt: NOW + 1 };
const ALL_PRECHECKS: Prechecks[] = ['RATE_LIMITED', 'LINK_NOT_FOUND'];
for (const password of ['NOT_NEEDED', 'MISSING', 'WRONG', 'RIGHT'] as const) {
  for (const file of ['NOT_NEEDED', 'MISSING', 'OPEN'] as const) {
    for (const confirmation of ['NOT_NEEDED', 'MISSING'] as const) {
      for (const recipient of [undefined, 'MISSING', PROOF] as const)
        ALL_PRECHECKS.push({ password, file, confirmation, ...(recipient && { recipient }) });
    }
  }
}

describe('the decision on an attempt', () => {
  const wrong: Prechecks = { ...PASSES, password: 'WRONG' };
  const missing: Prechecks = { ...PASSES, password: 'MISSING' };
  const noAddress: Prechecks = { ...PASSES, recipient: 'MISSING' };
  const unproven: Prechecks = { ...PASSES, recipient: PROOF };
  const noFile: Prechecks = { ...PASSES, file: 'MISSING' };
  const unconfirmed: Prechecks = { ...PASSES, confirmation: 'MISSING' };
  const over = NOW - 1;
  const spent: LinkState = { ...ACTIVE, maxViews: 1, viewCount: 1 };
  for (const [situation, link, prechecks, verdict] of [
    ['no link', undefined, PASSES, 'NOT_FOUND'],
    ['a refused client without a link', undefined, 'RATE_LIMITED', 'RATE_LIMITED'],
    ['a refused client with an open link', ACTIVE, 'RATE_LIMITED', 'RATE_LIMITED'],
    ['a link created after the lookup', ACTIVE, 'LINK_NOT_FOUND', 'NOT_FOUND'],
    ['an open link', ACTIVE, PASSES, 'SUCCESS'],
    ['a revoked link, before its password', { ...ACTIVE, status: 'REVOKED' }, wrong, 'REVOKED'],
    ['a wrong password on an expired link', { ...ACTIVE, expiresAt: over }, wrong, 'INVALID_PASSWORD'],
    ['a missing password on a spent link', spent, missing, 'PASSWORD_REQUIRED'],
    ['no recipient on a revoked link', { ...ACTIVE, status: 'REVOKED' }, noAddress, 'REVOKED'],
    ['no recipient without the password', ACTIVE, { ...noAddress, password: 'MISSING' }, 'PASSWORD_REQUIRED'],
    ['no recipient on an expired link', { ...ACTIVE, expiresAt: over }, noAddress, 'RECIPIENT_REQUIRED'],
    ['a wrong code on a spent link', spent, unproven, 'INVALID_RECIPIENT'],
    ['time and views both over', { ...spent, expiresAt: over }, PASSES, 'EXPIRED'],
    ['the last view', { ...ACTIVE, maxViews: 5, viewCount: 4 }, PASSES, 'SUCCESS'],
    ['the view after the last', { ...ACTIVE, maxViews: 5, viewCount: 5 }, PASSES, 'VIEW_LIMIT_REACHED'],
    ['the instant of expiresAt', { ...ACTIVE, expiresAt: NOW }, PASSES, 'SUCCESS'],
    ['one millisecond later', { ...ACTIVE, expiresAt: NOW - 1 }, PASSES, 'EXPIRED'],
    ['time over before the job has run', { ...ACTIVE, expiresAt: over }, PASSES, 'EXPIRED'],
    ['time over after the job has run', { ...ACTIVE, status: 'EXPIRED', expiresAt: over }, PASSES, 'EXPIRED'],
    ['expired, then the clock is set back', { ...ACTIVE, status: 'EXPIRED' }, PASSES, 'UNEXPECTED_STATE'],
    ['not active, before its file', { ...ACTIVE, status: 'EXPIRED' }, noFile, 'UNEXPECTED_STATE'],
    ['a spent link, before its file', spent, noFile, 'VIEW_LIMIT_REACHED'],
    ['a file that is held back', ACTIVE, { ...PASSES, file: 'HELD_BACK' }, 'PAUSED'],
    ['a paused link, before its file', { ...ACTIVE, isPaused: true }, noFile, 'PAUSED'],
    [
      'a paused link that has ended',
      { ...ACTIVE, status: 'EXPIRED', isPaused: true },
      PASSES,
      'UNEXPECTED_STATE',
    ],
    ['a paused link that starts later', { ...ACTIVE, isPaused: true, startsAt: NOW + 1 }, PASSES, 'PAUSED'],
    ['one millisecond before its start', { ...ACTIVE, startsAt: NOW + 1 }, noFile, 'NOT_STARTED'],
    ['the instant of startsAt', { ...ACTIVE, startsAt: NOW }, PASSES, 'SUCCESS'],
    ['a missing file', ACTIVE, noFile, 'FILE_NOT_FOUND'],
    ['no file, before its confirmation', ACTIVE, { ...unconfirmed, file: 'MISSING' }, 'FILE_NOT_FOUND'],
    ['a spent link, before its confirmation', spent, unconfirmed, 'VIEW_LIMIT_REACHED'],
    ['an open link without its confirmation', ACTIVE, unconfirmed, 'CONFIRMATION_REQUIRED'],
  ] as const) {
    test(`${situation}: ${verdict}`, () => assert.equal(open(link, prechecks).verdict, verdict));
  }

  test('the verdict is the first check that denies, in every combination of status, limits, time and prechecks', () => {
    for (const link of ALL_LINKS) {
      for (const prechecks of ALL_PRECHECKS) {
        const verdict = verdictByOrder(link, prechecks, NOW);
        for (const purpose of ['OPEN', 'PREVIEW'] as const) {
          const decision = decide(link, { purpose, prechecks }, NOW);
          assert.equal(decision.verdict, verdict, JSON.stringify({ link, prechecks, purpose }));
        }
      }
    }
    assert.equal(
      ALL_LINKS.length * ALL_PRECHECKS.length,
      (1 + 3 * 7 * 4 * 3 * 2) * 74,
      'the table is complete',
    );
  });

  test('only an attempt that opens changes a link: a success adds a view, a denial for time or views ends it', () => {
    for (const link of ALL_LINKS) {
      for (const prechecks of ALL_PRECHECKS) {
        const verdict = verdictByOrder(link, prechecks, NOW);
        const message = JSON.stringify({ link, prechecks });
        const frozen = link && Object.freeze({ ...link });
        assert.equal(decide(frozen, { purpose: 'PREVIEW', prechecks }, NOW).link, frozen, message);
        const after = open(frozen, prechecks).link;
        const expires = link?.status === 'ACTIVE' && EXPIRING_DENIALS.includes(verdict);
        if (link && verdict === 'SUCCESS')
          assert.deepEqual(after, { ...link, viewCount: link.viewCount + 1, lastOpenedAt: NOW }, message);
        else if (link && expires) assert.deepEqual(after, { ...link, status: 'EXPIRED' }, message);
        else assert.equal(after, frozen, message);
      }
    }
  });

  test('a verdict that depends on no link is the same for each', () => {
    for (const prechecks of ALL_PRECHECKS.filter((each) => !dependsOnLink({ prechecks: each }))) {
      const verdicts = ALL_LINKS.map((link) => open(link, prechecks).verdict);
      assert.equal(new Set(verdicts).size, 1, JSON.stringify(prechecks));
    }
  });
});

test('after any history, a link equals the model, exceeds no limit, and stays revoked', () => {
  fc.assert(
    fc.property(anyLimits, anyHistory(1, 60), (limits, history) => {
      const life = new LinkLife(limits);
      let link = linkState(limits);
      let now = START;
      for (const action of history) {
        if (action.kind === 'move clock') now += action.ms;
        else if (action.kind === 'expire') {
          if (life.expireIfDue(now)) link = { ...link, status: 'EXPIRED' };
        } else if (action.link !== 0) {
          assert.equal(decide(undefined, { purpose: 'OPEN', prechecks: PASSES }, now).verdict, 'NOT_FOUND');
        } else if (action.kind === 'revoke') {
          life.revoke();
          link = { ...link, status: 'REVOKED' };
        } else if (action.kind === 'pause') {
          if (life.pause(action.isPaused) === 'changed') link = { ...link, isPaused: action.isPaused };
        } else {
          const expected = life.attempt(action, now);
          const { verdict, link: after } = decide(link, action, now);
          assert.equal(verdict, expected);
          assert.ok(after);
          assert.deepEqual(after, life.state);
          assert.ok(after.viewCount <= (after.maxViews ?? Infinity));
          if (link.status === 'REVOKED') {
            assert.ok(['REVOKED', 'NOT_FOUND', 'RATE_LIMITED'].includes(verdict));
            assert.equal(after, link);
          }
          link = after;
        }
      }
    }),
    { numRuns: 900 },
  );
});

describe('the code of a recipient', () => {
  const prove = (code: Partial<RecipientCode> | undefined, proof = {}) =>
    decide(
      ACTIVE,
      { purpose: 'OPEN', prechecks: { ...PASSES, recipient: { ...PROOF, ...proof } } },
      NOW,
      code && { ...CODE, ...code },
    ).verdict;
  for (const [what, verdict, expected] of [
    ['the right code in time', prove({}), 'SUCCESS'],
    ['no code was sent', prove(undefined), 'INVALID_RECIPIENT'],
    ['a wrong code', prove({}, { codeHash: 'wrong' }), 'INVALID_RECIPIENT'],
    ['another address', prove({}, { address: 'bob@example.com' }), 'INVALID_RECIPIENT'],
    ['no try is left', prove({ triesLeft: 0 }), 'INVALID_RECIPIENT'],
    ['the end', prove({ endsAt: NOW }), 'INVALID_RECIPIENT'],
    ['an end of a clock that was ahead', prove({ endsAt: NOW + DAY_MS }), 'INVALID_RECIPIENT'],
  ] as const)
    test(`${what}: ${expected}`, () => assert.equal(verdict, expected));
});
