import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Prechecks, Purpose } from '../../src/links/attempt.ts';
import { decide } from '../../src/links/decide-attempt.ts';
import { LINK_STATUSES, type LinkState } from '../../src/links/link.ts';
import type { Verdict } from '../../src/links/verdict.ts';
import { PASSES, START } from '../support/attempts.ts';
import { anyHistory, anyLimits, anyPrechecks, anyPurpose } from '../support/histories.ts';
import { LinkLife, verdictByOrder } from '../support/link-life.ts';

const NOW = START;
const ACTIVE: LinkState = { status: 'ACTIVE', viewCount: 0, maxViews: null, expiresAt: null };
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
      ALL_LINKS.push({ status, viewCount, maxViews, expiresAt });
    }
  }
}

const ALL_EVIDENCE: Prechecks[] = ['LINK_NOT_FOUND'];
for (const password of ['NOT_NEEDED', 'MISSING', 'WRONG', 'RIGHT'] as const) {
  for (const file of ['NOT_NEEDED', 'MISSING', 'OPEN'] as const) ALL_EVIDENCE.push({ password, file });
}

const anyLinkState: fc.Arbitrary<LinkState> = fc
  .tuple(anyLimits, fc.constantFrom(...LINK_STATUSES), fc.nat(6))
  .map(([limits, status, viewCount]) => ({ ...limits, status, viewCount }));
const anyNow = fc.constantFrom(-1, 0, 1, 2, 1001, 3_600_001).map((ms) => START + ms);

describe('the decision on an attempt', () => {
  const wrong: Prechecks = { password: 'WRONG', file: 'NOT_NEEDED' };
  const missing: Prechecks = { password: 'MISSING', file: 'NOT_NEEDED' };
  const noFile: Prechecks = { password: 'NOT_NEEDED', file: 'MISSING' };
  const over = NOW - 1;
  for (const [situation, link, prechecks, verdict] of [
    ['no link', undefined, PASSES, 'NOT_FOUND'],
    ['a link that was created after it was looked for', ACTIVE, 'LINK_NOT_FOUND', 'NOT_FOUND'],
    ['an open link', ACTIVE, PASSES, 'SUCCESS'],
    ['a revoked link, before its password', { ...ACTIVE, status: 'REVOKED' }, wrong, 'REVOKED'],
    ['a wrong password on an expired link', { ...ACTIVE, expiresAt: over }, wrong, 'INVALID_PASSWORD'],
    [
      'a missing password on a spent link',
      { ...ACTIVE, maxViews: 1, viewCount: 1 },
      missing,
      'PASSWORD_REQUIRED',
    ],
    [
      'time and views both over',
      { ...ACTIVE, expiresAt: over, maxViews: 1, viewCount: 1 },
      PASSES,
      'EXPIRED',
    ],
    ['the last view', { ...ACTIVE, maxViews: 5, viewCount: 4 }, PASSES, 'SUCCESS'],
    ['the view after the last', { ...ACTIVE, maxViews: 5, viewCount: 5 }, PASSES, 'VIEW_LIMIT_REACHED'],
    ['the very instant of expiresAt', { ...ACTIVE, expiresAt: NOW }, PASSES, 'SUCCESS'],
    ['one millisecond later', { ...ACTIVE, expiresAt: NOW - 1 }, PASSES, 'EXPIRED'],
    ['time over and the job has not run yet', { ...ACTIVE, expiresAt: over }, PASSES, 'EXPIRED'],
    ['time over and the job has run', { ...ACTIVE, status: 'EXPIRED', expiresAt: over }, PASSES, 'EXPIRED'],
    ['expired, though the clock was put back', { ...ACTIVE, status: 'EXPIRED' }, PASSES, 'UNEXPECTED_STATE'],
    ['not active, before its file', { ...ACTIVE, status: 'EXPIRED' }, noFile, 'UNEXPECTED_STATE'],
    ['a spent link, before its file', { ...ACTIVE, maxViews: 1, viewCount: 1 }, noFile, 'VIEW_LIMIT_REACHED'],
    ['a file that is gone', ACTIVE, noFile, 'FILE_NOT_FOUND'],
  ] as const) {
    test(`${situation}: ${verdict}`, () => assert.equal(open(link, prechecks).verdict, verdict));
  }

  test('is, in every combination of status, limits, time and evidence, the first check that denies', () => {
    for (const link of ALL_LINKS) {
      for (const prechecks of ALL_EVIDENCE) {
        const verdict = verdictByOrder(link, prechecks, NOW);
        for (const purpose of ['OPEN', 'ASK', 'PREVIEW'] as const) {
          const decision = decide(link, { purpose, prechecks }, NOW);
          assert.equal(decision.verdict, verdict, JSON.stringify({ link, prechecks, purpose }));
        }
      }
    }
    assert.equal(ALL_LINKS.length * ALL_EVIDENCE.length, (1 + 3 * 7 * 4) * 13, 'the table is whole');
  });

  test('changes, in every combination, views on success and the status on a denial for time or views', () => {
    for (const link of ALL_LINKS.filter((candidate) => candidate !== undefined)) {
      for (const prechecks of ALL_EVIDENCE) {
        const verdict = verdictByOrder(link, prechecks, NOW);
        const expires = link.status === 'ACTIVE' && EXPIRING_DENIALS.includes(verdict);
        assert.deepEqual(
          open(link, prechecks).link,
          {
            ...link,
            viewCount: link.viewCount + (verdict === 'SUCCESS' ? 1 : 0),
            status: expires ? 'EXPIRED' : link.status,
          },
          JSON.stringify({ link, prechecks }),
        );
      }
    }
  });

  test('invents no link, and never changes the one that it was given', () => {
    for (const prechecks of ALL_EVIDENCE) {
      assert.deepEqual(open(undefined, prechecks), { verdict: 'NOT_FOUND', link: undefined });
      for (const link of ALL_LINKS) open(link && Object.freeze({ ...link }), prechecks);
    }
  });

  test('gives the same object back when nothing changed, so that a store writes nothing', () => {
    fc.assert(
      fc.property(anyLinkState, anyPrechecks, anyPurpose, anyNow, (link, prechecks, purpose, now) => {
        const after = decide(link, { purpose, prechecks }, now).link;
        if (after !== link) assert.notDeepEqual(after, link);
      }),
    );
  });
});

describe('a preview', () => {
  test('gets the verdict of opening, and changes nothing', () => {
    fc.assert(
      fc.property(anyLinkState, anyPrechecks, anyNow, (link, prechecks, now) => {
        const preview = decide(link, { purpose: 'PREVIEW', prechecks }, now);
        assert.equal(preview.verdict, open(link, prechecks, now).verdict);
        assert.equal(preview.link, link);
      }),
    );
  });
});

describe('asking', () => {
  test('changes nothing where opening would be granted, and what opening changes where it would be refused', () => {
    fc.assert(
      fc.property(anyLinkState, anyPrechecks, anyNow, (link, prechecks, now) => {
        const asked = decide(link, { purpose: 'ASK', prechecks }, now);
        const opened = open(link, prechecks, now);
        assert.deepEqual(asked, opened.verdict === 'SUCCESS' ? { verdict: 'SUCCESS', link } : opened);
      }),
    );
  });
});

describe('over any history of attempts, revocations, expiry runs and clock moves', () => {
  type Step = { life: LinkLife; before: LinkState; after: LinkState; verdict: Verdict; purpose: Purpose };

  /** Lets a history happen to a link, by `decide` and by the model beside it, and looks at each attempt. */
  function forEachAttempt(look: (step: Step) => void): void {
    fc.assert(
      fc.property(anyLimits, anyHistory(1, 60), (limits, history) => {
        const life = new LinkLife(limits);
        let link: LinkState = { ...limits, status: 'ACTIVE', viewCount: 0 };
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
          } else {
            const before = link;
            const expected = life.attempt(action, now);
            const decision = decide(link, action, now);
            assert.equal(decision.verdict, expected);
            assert.ok(decision.link);
            link = decision.link;
            look({ life, before, after: link, verdict: expected, purpose: action.purpose });
          }
        }
      }),
      { numRuns: 300 },
    );
  }

  test('the link stands as the model says', () => {
    forEachAttempt(({ life, after }) => assert.deepEqual(after, life.state));
  });

  test('views never exceed maxViews', () => {
    forEachAttempt(({ after }) => assert.ok(after.viewCount <= (after.maxViews ?? Infinity)));
  });

  test('a view is counted for each success and for nothing else', () => {
    forEachAttempt(({ before, after, verdict, purpose }) => {
      assert.equal(after.viewCount - before.viewCount, verdict === 'SUCCESS' && purpose === 'OPEN' ? 1 : 0);
    });
  });

  test('a revoked link stays revoked, and tells nothing else', () => {
    forEachAttempt(({ before, after, verdict }) => {
      if (before.status !== 'REVOKED') return;
      assert.ok(verdict === 'REVOKED' || verdict === 'NOT_FOUND');
      assert.equal(after, before);
    });
  });

  test('an expired link is never active again', () => {
    forEachAttempt(({ before, after }) => {
      if (before.status === 'EXPIRED') assert.equal(after.status, 'EXPIRED');
    });
  });

  test('the attempt that is denied for time or views is itself what expires the link', () => {
    forEachAttempt(({ before, after, verdict, purpose }) => {
      if (purpose !== 'PREVIEW' && EXPIRING_DENIALS.includes(verdict)) assert.equal(after.status, 'EXPIRED');
      else assert.equal(after.status, before.status);
    });
  });
});
