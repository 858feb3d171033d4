import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Attempt,
  type AuditRecord,
  type Prechecks,
  toAuditResult,
} from '../../../src/core/model/attempt.ts';
import { dependsOnLink } from '../../../src/core/model/decide-attempt.ts';
import { ClientClosedError } from '../../../src/core/model/unavailable.ts';
import type { AuditResult, Verdict } from '../../../src/core/model/verdict.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, PASSES, redirectLink, START } from '../../support/attempts.ts';
import { anyHistory, anyLimits, pause, storeRuns } from '../../support/histories.ts';
import { LinkLife, verdictByOrder } from '../../support/link-life.ts';
import { pluck } from '../../support/pluck.ts';
import { recount } from '../../support/recount.ts';
import type { OpenStore, StoreHarness, TestStore } from '../store-harness.ts';

const LINKS = 3;

/** Unusual values of attempts, all on a missing link. */
const STRANGE: Record<string, Partial<Attempt>> = {
  'a client without address and agent': { ipAddress: null, userAgent: null },
  'an empty agent': { userAgent: '' },
  'an agent of 500 characters': { userAgent: 'ü'.repeat(500) },
  'an agent of 250 emoji': { userAgent: '😀'.repeat(250) },
  'an agent of markup and SQL': { userAgent: `<script>alert(1)</script>'; DROP TABLE audit;--` },
  'an agent of controls': { userAgent: 'a\tb\r\nc\u001b[31m\u202E' },
  'an address of 45 characters': { ipAddress: '0000:0000:0000:0000:0000:ffff:255.255.255.255' },
  'a time in the last millisecond of a year': { at: Date.parse('2026-12-31T23:59:59.999Z') },
  'a short code of 20 characters': { shortCode: 'x'.repeat(20) },
  'a short code of 10 emoji': { shortCode: '😀'.repeat(10) },
  'no short code': { shortCode: '' },
  'a short code that is a path': { shortCode: '../../etc/passwd' },
  'a short code that means something to SQL': { shortCode: `' OR 1=1;--%_*?$1` },
};

const NO_SUCH_CODE = { browserHash: 'unknown', address: 'ann@example.com', codeHash: '0'.repeat(64) };

/** What leads to each verdict: the terms of a link, what happens to it, and the prechecks of the attempt. */
type Case = {
  terms?: Parameters<typeof redirectLink>[1];
  before?: (store: Store, link: number) => Promise<unknown>;
  prechecks?: Prechecks;
};
const CASES: Record<Verdict, Case> = {
  SUCCESS: {},
  NOT_FOUND: { prechecks: 'LINK_NOT_FOUND' },
  REVOKED: { before: (store, link) => store.revoke(codeOf(link), newChange()) },
  EXPIRED: { terms: { expiresAt: START - 1 } },
  VIEW_LIMIT_REACHED: {
    terms: { maxViews: 1, imported: { from: 'yourls', viewCount: 1, isPaused: false, status: 'ACTIVE' } },
  },
  PASSWORD_REQUIRED: { prechecks: { ...PASSES, password: 'MISSING' } },
  INVALID_PASSWORD: { prechecks: { ...PASSES, password: 'WRONG' } },
  RECIPIENT_REQUIRED: { prechecks: { ...PASSES, recipient: 'MISSING' } },
  INVALID_RECIPIENT: { prechecks: { ...PASSES, recipient: NO_SUCH_CODE } },
  UNEXPECTED_STATE: {
    terms: { imported: { from: 'yourls', viewCount: 0, isPaused: false, status: 'EXPIRED' } },
  },
  RATE_LIMITED: { prechecks: 'RATE_LIMITED' },
  PAUSED: { before: (store, link) => pause(store, { kind: 'pause', link, isPaused: true }) },
  NOT_STARTED: { terms: { startsAt: START + 1 } },
  FILE_NOT_FOUND: { prechecks: { ...PASSES, file: 'MISSING' } },
  CONFIRMATION_REQUIRED: { prechecks: { ...PASSES, confirmation: 'MISSING' } },
};

/** Tests deciding attempts, one by one and in parallel, and recording each. */
export function attemptContract(testStore: TestStore, openStore: OpenStore): void {
  testStore('an attempt of any verdict is recorded once, alone and in a batch', async (harness) => {
    const { store } = harness;
    const expected = new Map<string, AuditResult>();
    for (const [index, verdict] of (Object.keys(CASES) as Verdict[]).entries()) {
      const { terms, before, prechecks = PASSES } = CASES[verdict];
      const code = codeOf(index);
      await store.create(redirectLink(code, terms), newChange());
      await before?.(store, index);
      const attempts = (['PREVIEW', 'PREVIEW', 'OPEN'] as const).map((purpose) => {
        const attempt = attemptOn(code, { purpose, prechecks });
        expected.set(attempt.id, toAuditResult(purpose, verdict));
        return attempt;
      });
      const [alone = attemptOn(code), ...batch] = attempts;
      const outcomes = [await store.attempt(alone)];
      outcomes.push(...(await Promise.all(batch.map((attempt) => store.attempt(attempt)))));
      for (const outcome of outcomes) assert.equal(outcome.verdict, verdict);
    }
    assert.deepEqual(await auditById(harness), expected);
  });

  testStore('the audit is in the order in which attempts were decided', async (harness) => {
    const { store, readAudit } = harness;
    await store.create(redirectLink(codeOf(1)), newChange());
    const [began, decidedFirst] = [START, START + 60_000].map((at) => attemptOn(codeOf(1), { at }));
    assert.ok(began && decidedFirst && began.id < decidedFirst.id);
    for (const attempt of [decidedFirst, began]) await store.attempt(attempt);
    assert.deepEqual(pluck(await readAudit(), 'id'), [decidedFirst.id, began.id]);
  });

  testStore('an attempt whose client has left is dropped, others are not', async ({ store, readAudit }) => {
    await store.create(redirectLink(codeOf(1), { maxViews: 2 }), newChange());
    const attempt = (isAborted: boolean) => store.attempt(attemptOn(codeOf(1)), () => isAborted);
    const [first, dropped, second] = await Promise.allSettled([
      attempt(false),
      attempt(true),
      attempt(false),
    ]);
    assert.deepEqual(first, { status: 'fulfilled', value: { verdict: 'SUCCESS', viewCount: 1 } });
    assert.ok(dropped?.status === 'rejected' && dropped.reason instanceof ClientClosedError);
    assert.deepEqual(second, { status: 'fulfilled', value: { verdict: 'SUCCESS', viewCount: 2 } });
    assert.deepEqual(resultsOf(await readAudit()), { SUCCESS: 2 });
  });

  testStore('a creation whose client has left is dropped', async ({ store }) => {
    await assert.rejects(
      store.create(redirectLink(codeOf(1)), newChange(), { isAborted: () => true }),
      ClientClosedError,
    );
    assert.equal(await store.find(codeOf(1)), undefined);
  });

  testStore('a record keeps unusual values', async ({ store, readAudit }, t) => {
    for (const [what, known] of Object.entries(STRANGE)) {
      await t.test(what, async () => {
        const { shortCode = codeOf(1), ...others } = known;
        const attempt = attemptOn(shortCode, { prechecks: 'LINK_NOT_FOUND', ...others });
        assert.deepEqual(await store.attempt(attempt), { verdict: 'NOT_FOUND', viewCount: 0 });
        const records = (await readAudit()).filter(({ id }) => id === attempt.id);
        assert.deepEqual(records, [recordOf(attempt, 'NOT_FOUND')]);
      });
    }
  });

  testStore('exactly 5 of 200 attempts at once on a limit of 5 succeed', async (harness) => {
    const maxViews = 5;
    await harness.store.create(redirectLink(codeOf(1), { maxViews }), newChange());
    const attempts = Array.from({ length: 200 }, () => attemptOn(codeOf(1)));
    const outcomes = await Promise.all(attempts.map((attempt) => harness.store.attempt(attempt)));
    const views = outcomes.filter(({ verdict }) => verdict === 'SUCCESS').map(({ viewCount }) => viewCount);
    assert.deepEqual(
      views.sort((a, b) => a - b),
      Array.from({ length: maxViews }, (_, index) => index + 1),
      'each success has its own view count',
    );
    for (const { verdict, viewCount } of outcomes.filter(({ verdict }) => verdict !== 'SUCCESS')) {
      assert.deepEqual({ verdict, viewCount }, { verdict: 'VIEW_LIMIT_REACHED', viewCount: maxViews });
    }
    assert.deepEqual(
      await auditById(harness),
      new Map(attempts.map(({ id }, index) => [id, outcomes[index]?.verdict])),
    );
    assert.deepEqual(await harness.store.statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 1, REVOKED: 0 });
  });

  testStore('each of many links at once has its exact limit', async ({ store, readAudit }) => {
    const limits = Array.from({ length: 40 }, (_, index) => index + 1);
    await Promise.all(
      limits.map((maxViews) => store.create(redirectLink(codeOf(maxViews), { maxViews }), newChange())),
    );
    const attempts = Array.from({ length: 50 }, () => limits.map((limit) => attemptOn(codeOf(limit)))).flat();
    const outcomes = await Promise.all(attempts.map((attempt) => store.attempt(attempt)));
    for (const limit of limits) {
      const granted = outcomes.filter(
        ({ verdict }, index) => verdict === 'SUCCESS' && attempts[index]?.shortCode === codeOf(limit),
      );
      assert.equal(granted.length, limit);
    }
    assert.equal((await readAudit()).length, attempts.length);
  });

  testStore('no attempt after a revocation succeeds, of any number', async ({ store, readAudit }) => {
    await store.create(redirectLink(codeOf(1)), newChange());
    const before = Array.from({ length: 100 }, () => store.attempt(attemptOn(codeOf(1))));
    const revoked = store.revoke(codeOf(1), newChange());
    const meanwhile = Array.from({ length: 100 }, () => store.attempt(attemptOn(codeOf(1))));
    assert.equal(await revoked, 'revoked');
    const after = Array.from({ length: 20 }, () => store.attempt(attemptOn(codeOf(1))));
    for (const { verdict } of await Promise.all(after)) assert.equal(verdict, 'REVOKED');
    const outcomes = await Promise.all([...before, ...meanwhile, ...after]);
    const views = outcomes.filter(({ verdict }) => verdict === 'SUCCESS').length;
    assert.ok(outcomes.every(({ verdict }) => verdict === 'SUCCESS' || verdict === 'REVOKED'));
    assert.equal(resultsOf(await readAudit()).SUCCESS ?? 0, views);
  });

  testStore('an attempt that cannot be recorded counts nothing', async (harness) => {
    const { store } = harness;
    await store.create(redirectLink(codeOf(1), { maxViews: 10 }), newChange());
    const recorded = attemptOn(codeOf(1));
    await store.attempt(recorded);
    const impossible = attemptOn(codeOf(1), { ipAddress: '1'.repeat(46) });
    const attempts = [attemptOn(codeOf(1)), impossible, attemptOn(codeOf(1), { at: START + 1 })];
    const results = await Promise.allSettled(attempts.map((attempt) => store.attempt(attempt)));
    assert.equal(results[1]?.status, 'rejected', 'no address is as long');
    const committed = attempts.filter((_, index) => results[index]?.status === 'fulfilled');
    assert.deepEqual(
      new Set((await auditById(harness)).keys()),
      new Set([recorded, ...committed].map(({ id }) => id)),
    );
    const viewCount = 1 + committed.length + 1;
    assert.deepEqual(await store.attempt(attemptOn(codeOf(1))), { verdict: 'SUCCESS', viewCount });
  });

  test('every attempt of any history has the verdict of the contract', async () => {
    const anyWorld = fc.tuple(
      fc.array(anyLimits, { minLength: LINKS, maxLength: LINKS }),
      anyHistory(LINKS, 60),
    );
    await fc.assert(
      fc.asyncProperty(anyWorld, async ([limits, history]) => {
        await using harness = await openStore();
        const { store } = harness;
        const lives = limits.map((limit) => new LinkLife(limit));
        await Promise.all(
          limits.map((limit, index) => store.create(redirectLink(codeOf(index), limit), newChange())),
        );
        const expected = new Map<string, AuditResult>();
        let now = START;
        for (const action of history) {
          if (action.kind === 'move clock') {
            now += action.ms;
          } else if (action.kind === 'expire') {
            assert.equal(
              await store.expireDue(now, 100),
              lives.filter((life) => life.expireIfDue(now)).length,
            );
          } else if (action.kind === 'revoke') {
            const result = lives[action.link]?.revoke() ?? 'not-found';
            assert.equal(await store.revoke(codeOf(action.link), newChange()), result);
          } else if (action.kind === 'pause') {
            const result = lives[action.link]?.pause(action.isPaused) ?? 'not-found';
            assert.equal(await pause(store, action), result);
          } else {
            const { purpose, prechecks } = action;
            const life = lives[action.link];
            const verdict = life?.attempt(action, now) ?? verdictByOrder(undefined, action.prechecks, now);
            const attempt = attemptOn(codeOf(action.link), { at: now, purpose, prechecks });
            const outcome = await store.attempt(attempt);
            const viewCount = dependsOnLink(action) ? (life?.state.viewCount ?? 0) : 0;
            assert.deepEqual(outcome, { verdict, viewCount });
            expected.set(attempt.id, toAuditResult(purpose, verdict));
          }
        }
        assert.deepEqual(await auditById(harness), expected);
        const statuses = lives.map((life) => life.state.status);
        const counts = { ACTIVE: 0, EXPIRED: 0, REVOKED: 0 };
        for (const status of statuses) counts[status] += 1;
        assert.deepEqual(await store.statistics.linkCounts(), counts);
      }),
      storeRuns(5),
    );
  });
}

function recordOf({ id, shortCode, ipAddress, userAgent, at }: Attempt, result: AuditResult): AuditRecord {
  return { id, shortCode, result, count: 1, ipAddress, userAgent, accessedAt: at };
}

function resultsOf(audit: readonly AuditRecord[]): Partial<Record<AuditResult, number>> {
  return recount(audit).totals.countsByResult;
}

/** Returns the recorded result of each attempt. */
async function auditById(harness: StoreHarness): Promise<Map<string, AuditResult>> {
  const audit = await harness.readAudit();
  const results = new Map(audit.map(({ id, result }) => [id, result]));
  assert.equal(results.size, audit.length, 'no attempt is recorded twice');
  return results;
}
