import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Prechecks } from '../../src/core/model/attempt.ts';
import { type Decision, decide, dependsOnLink } from '../../src/core/model/decide-attempt.ts';
import { LINK_STATUSES, type LinkState } from '../../src/core/model/link.ts';
import type { Verdict } from '../../src/core/model/verdict.ts';
import { linkState, PASSES, START } from '../support/attempts.ts';
import { anyHistory, anyLimits, anyPrechecks, anyPurpose } from '../support/histories.ts';
import { LinkLife, verdictByOrder } from '../support/link-life.ts';

const NOW = START;
const ACTIVE = linkState();
const EXPIRING_DENIALS: readonly Verdict[] = ['EXPIRED', 'VIEW_LIMIT_REACHED'];

const open = (link: LinkState | undefined, prechecks: Prechecks = PASSES, now = NOW) =>
  decide(link, { purpose: 'OPEN', prechecks }, now);

const ALL_LINKS: (LinkState | undefined)[] = [undefined];
for (const status of LINK_STATUSES) {
  for (const [viewCount, maxViews] of [
    [0, null],
    [7, null],
    [0, 1],
    [1, 1],
    [4, 5],
    [5, 5],
    [6, 5],
  ] as const) {
    for (const expiresAt of [null, NOW - 1, NOW, NOW + 1]) {
      ALL_LINKS.push(linkState({ status, viewCount, maxViews, expiresAt }));
    }
  }
}

const ALL_PRECHECKS: Prechecks[] = ['RATE_LIMITED', 'LINK_NOT_FOUND'];
for (const password of ['NOT_NEEDED', 'MISSING', 'WRONG', 'RIGHT'] as const) {
  for (const file of ['NOT_NEEDED', 'MISSING', 'OPEN'] as const) {
    for (const confirmation of ['NOT_NEEDED', 'MISSING'] as const) {
      ALL_PRECHECKS.push({ password, file, confirmation });
    }
  }
}

const anyLinkState: fc.Arbitrary<LinkState> = fc
  .record({ isPaused: fc.boolean(), startsAt: fc.constantFrom(null, START, START + 1) })
  .chain((pause) =>
    fc
      .tuple(anyLimits, fc.constantFrom(...LINK_STATUSES), fc.nat(6))
      .map(([limits, status, viewCount]) => linkState({ ...limits, ...pause, status, viewCount })),
  );
const anyNow = fc.constantFrom(-1, 0, 1, 2, 1001, 3_600_001).map((ms) => START + ms);

describe('the decision on an attempt', () => {
  const wrong: Prechecks = { ...PASSES, password: 'WRONG' };
  const missing: Prechecks = { ...PASSES, password: 'MISSING' };
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
    ['a paused link, before its file', { ...ACTIVE, isPaused: true }, noFile, 'PAUSED'],
    [
      'an ended link that is paused',
      { ...ACTIVE, status: 'EXPIRED', isPaused: true },
      PASSES,
      'UNEXPECTED_STATE',
    ],
    ['a paused link that starts later', { ...ACTIVE, isPaused: true, startsAt: NOW + 1 }, PASSES, 'PAUSED'],
    ['one millisecond before its start', { ...ACTIVE, startsAt: NOW + 1 }, noFile, 'NOT_STARTED'],
    ['the instant of startsAt', { ...ACTIVE, startsAt: NOW }, PASSES, 'SUCCESS'],
    ['a missing file', ACTIVE, noFile, 'FILE_NOT_FOUND'],
    [
      'a missing file, before its confirmation',
      ACTIVE,
      { ...unconfirmed, file: 'MISSING' },
      'FILE_NOT_FOUND',
    ],
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
    assert.equal(ALL_LINKS.length * ALL_PRECHECKS.length, (1 + 3 * 7 * 4) * 26, 'the table is complete');
  });

  test('a success adds a view, a denial for time or views sets the status, and nothing else changes the link', () => {
    for (const link of ALL_LINKS.filter((candidate) => candidate !== undefined)) {
      for (const prechecks of ALL_PRECHECKS) {
        const verdict = verdictByOrder(link, prechecks, NOW);
        const expires = link.status === 'ACTIVE' && EXPIRING_DENIALS.includes(verdict);
        assert.deepEqual(
          open(link, prechecks).link,
          {
            ...link,
            viewCount: link.viewCount + (verdict === 'SUCCESS' ? 1 : 0),
            status: expires ? 'EXPIRED' : link.status,
            lastOpenedAt: verdict === 'SUCCESS' ? NOW : link.lastOpenedAt,
          },
          JSON.stringify({ link, prechecks }),
        );
      }
    }
  });

  test('the decision creates no link and never mutates its argument', () => {
    for (const prechecks of ALL_PRECHECKS) {
      const verdict = prechecks === 'RATE_LIMITED' ? prechecks : 'NOT_FOUND';
      assert.deepEqual(open(undefined, prechecks), { verdict, link: undefined });
      for (const link of ALL_LINKS) open(link && Object.freeze({ ...link }), prechecks);
    }
  });

  test('where the verdict depends on no link, it is the same for each', () => {
    for (const prechecks of ALL_PRECHECKS.filter((each) => !dependsOnLink({ prechecks: each }))) {
      const verdicts = ALL_LINKS.map((link) => open(link, prechecks).verdict);
      assert.equal(new Set(verdicts).size, 1, JSON.stringify(prechecks));
    }
  });

  test('an unchanged link is returned as the same object', () => {
    fc.assert(
      fc.property(anyLinkState, anyPrechecks, anyPurpose, anyNow, (link, prechecks, purpose, now) => {
        const after = decide(link, { purpose, prechecks }, now).link;
        if (after !== link) assert.notDeepEqual(after, link);
      }),
    );
  });

  test('a preview gets the verdict of opening and changes nothing', () => {
    fc.assert(
      fc.property(anyLinkState, anyPrechecks, anyNow, (link, prechecks, now) => {
        const preview = decide(link, { purpose: 'PREVIEW', prechecks }, now);
        assert.equal(preview.verdict, open(link, prechecks, now).verdict);
        assert.equal(preview.link, link);
      }),
    );
  });

  test('a missing confirmation changes nothing where opening would be granted, and is denied like any attempt otherwise', () => {
    fc.assert(
      fc.property(anyLinkState, anyPrechecks, anyNow, (link, prechecks, now) => {
        if (typeof prechecks === 'string') return;
        const unconfirmed = open(link, { ...prechecks, confirmation: 'MISSING' }, now);
        const confirmed = open(link, { ...prechecks, confirmation: 'NOT_NEEDED' }, now);
        const due: Decision = { verdict: 'CONFIRMATION_REQUIRED', link };
        assert.deepEqual(unconfirmed, confirmed.verdict === 'SUCCESS' ? due : confirmed);
      }),
    );
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
