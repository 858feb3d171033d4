import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { AuditRecord } from '../../src/links/attempt.ts';
import type { Entry, History } from './clients.ts';
import { PROVED_ELSEWHERE } from './document-faults.ts';
import { findUnexpected } from './final-check.ts';
import { findLosses } from './find-losses.ts';
import type { KnownLink } from './requests.ts';
import type { StoredState } from './stored-state.ts';

const LINK = 'link0001';
const REVOKED = '"message":"Link has been revoked"';
const USED_UP = '"message":"Link has reached its view limit"';
const URL_OF_LINK = 'https://example.com/chaos/chaos%200';
const NONE = { errorsMayBe: undefined, forgiven: [] };

/** Returns a request that was sent at the time 2 and got a response at the time 3. */
function entry(kind: Entry['kind'], status: number, more: Partial<Entry> = {}): Entry {
  const outcome = { at: 3, status, message: status === 410 ? REVOKED : '' };
  return { kind, agent: 'chaos 1', shortCode: LINK, sentAt: 2, outcome, ...more };
}

/** Returns the request 0, which asked for the link. */
function creation(status: number, more: Partial<Entry['creates']> = {}): Entry {
  const creates = { target: { url: URL_OF_LINK }, isProtected: false, maxViews: null, ...more };
  return entry('create', status, { agent: 'chaos 0', shortCode: null, creates });
}

/** Returns the history of these requests, after a creation that broke off. */
function historyOf(...entries: Entry[]): History {
  const broken = { ...creation(201), outcome: { at: 1, error: 'broken' as const } };
  if (!entries.some(({ creates }) => creates)) entries.unshift(broken);
  return { entries, links: new Map(), revokedAt: new Map(), wrong: [] };
}

function recordOf(userAgent: string, result: AuditRecord['result']): AuditRecord {
  return { id: userAgent, shortCode: LINK, result, count: 1, ipAddress: null, userAgent, accessedAt: 0 };
}

const FILE = { content: Buffer.from('a file') };

function linkTo(target: KnownLink['target']): KnownLink {
  return { shortCode: LINK, target, isProtected: false, maxViews: null, acknowledgedAt: 1 };
}

/** Returns a database with one link, which request 0 created. */
function stateWith(more: Partial<StoredState> = {}): StoredState {
  const link = {
    ...{ shortCode: LINK, status: 'ACTIVE', viewCount: 1, maxViews: null },
    ...{ targetUrl: URL_OF_LINK, file: null },
  };
  return { audit: [], links: [link], changes: [`${LINK} CREATED`], ...more };
}

const viewed = stateWith({ audit: [recordOf('chaos 1', 'SUCCESS')] });
const created = creation(201);

test('the tests that the document names for other faults exist', () => {
  const missing = PROVED_ELSEWHERE.flatMap(([, ...tests]) => tests).filter((path) => !existsSync(path));
  assert.deepEqual(missing, []);
});

describe('the check for losses', () => {
  test('finds nothing when every acknowledged request is stored', () => {
    assert.deepEqual(findLosses(historyOf(created, entry('open', 302)), viewed, NONE), []);
  });

  test('accepts a request without a response both with and without its record', () => {
    const { outcome: _, ...inFlight } = entry('open', 302);
    const broken = entry('open', 302, { outcome: { at: 3, error: 'broken' } });
    for (const unknown of [inFlight, broken]) {
      assert.deepEqual(findLosses(historyOf(unknown), viewed, NONE), []);
      assert.deepEqual(findLosses(historyOf(unknown), stateWith(), NONE), []);
    }
  });

  const [link] = stateWith().links;
  const revoked: StoredState = {
    audit: viewed.audit,
    links: link ? [{ ...link, status: 'REVOKED' }] : [],
    changes: [`${LINK} CREATED`, `${LINK} REVOKED`],
  };
  const losses: [what: string, history: History, state: StoredState, text: RegExp][] = [
    ['a view without a record', historyOf(entry('open', 302)), stateWith(), /got 302 and has no record/],
    [
      'another result',
      historyOf(entry('open', 410), entry('revoke', 204, { agent: 'chaos 2', sentAt: 1 })),
      revoked,
      /got 410 and is recorded as SUCCESS/,
    ],
    [
      'a limit',
      historyOf(creation(201, { maxViews: 5 })),
      stateWith(),
      /limit null and .* instead of limit 5/,
    ],
    [
      'a target',
      historyOf(creation(201, { target: { url: `${URL_OF_LINK}?` } })),
      stateWith(),
      /instead of limit null and target .*\?/,
    ],
    ['a missing link', historyOf(created), stateWith({ links: [], changes: [] }), /"chaos 0" is missing/],
    ['a revocation', historyOf(entry('revoke', 204)), stateWith(), /link0001 is not revoked/],
    [
      'a view after a revocation',
      { ...historyOf(entry('open', 302)), revokedAt: new Map([[LINK, 1]]) },
      viewed,
      /opened link0001 after its revocation/,
    ],
  ];
  for (const [what, history, state, text] of losses) {
    test(`finds a loss: ${what}`, () => {
      const [finding, ...others] = findLosses(history, state, NONE);
      assert.match(finding?.text ?? '', text);
      assert.ok(finding?.isLoss);
      assert.deepEqual(others, []);
    });
  }

  const twice = [recordOf('chaos 1', 'SUCCESS'), recordOf('chaos 1', 'SUCCESS')];
  const recorded = (result: AuditRecord['result']) => stateWith({ audit: [recordOf('chaos 1', result)] });
  const usedUp = entry('open', 410, { outcome: { at: 3, status: 410, message: USED_UP } });
  const problems: [what: string, history: History, state: StoredState, text: RegExp][] = [
    ['two records of one request', historyOf(entry('open', 302)), stateWith({ audit: twice }), /2 records/],
    ['a record without a request', historyOf(), viewed, /"chaos 1" belongs to no request/],
    ['a record of a failed request', historyOf(entry('open', 500)), viewed, /got 500 and is recorded as/],
    [
      'two links of one request',
      historyOf(created),
      stateWith({ links: link ? [link, { ...link }] : [] }),
      /"chaos 0" created 2 links/,
    ],
    ['a failed creation', historyOf(creation(500)), stateWith(), /"chaos 0" got 500 and created link0001/],
    [
      'a link without a request',
      historyOf({ ...creation(500), agent: 'chaos 9' }),
      stateWith(),
      /link0001 belongs to no req/,
    ],
    [
      'a failed revocation',
      historyOf(entry('revoke', 500)),
      { ...revoked, audit: [] },
      /No request revoked link0001/,
    ],
    [
      'a denial as revoked',
      historyOf(entry('open', 410)),
      recorded('REVOKED'),
      /without a reason: .*revoked/,
    ],
    ['a denial as used up', historyOf(usedUp), recorded('VIEW_LIMIT_REACHED'), /without a reason: .*limit/],
    ['a creation without a record', historyOf(), stateWith({ changes: [] }), /CREATED is missing/],
  ];
  for (const [what, history, state, text] of problems) {
    test(`finds a problem: ${what}`, () => {
      const [finding] = findLosses(history, state, NONE);
      assert.match(finding?.text ?? '', text);
      assert.ok(finding && !finding.isLoss);
    });
  }

  test('allows a record of a failed request only where a fault does', () => {
    const failed = historyOf(entry('open', 500));
    assert.deepEqual(findLosses(failed, viewed, { ...NONE, errorsMayBe: 'recorded' }), []);
    assert.equal(findLosses(failed, viewed, { ...NONE, errorsMayBe: 'like a missing file' }).length, 1);
    const notFound = stateWith({ audit: [recordOf('chaos 1', 'NOT_FOUND')] });
    assert.deepEqual(findLosses(failed, notFound, { ...NONE, errorsMayBe: 'like a missing file' }), []);
  });

  test('accepts the effect of a failed change only where a fault does', () => {
    const changed = { ...revoked, audit: [] };
    const failed = historyOf(creation(500), entry('revoke', 500));
    assert.deepEqual(findLosses(failed, changed, { ...NONE, errorsMayBe: 'recorded' }), []);
    assert.equal(findLosses(failed, changed, NONE).length, 2);
  });

  test('excludes what a restore takes away', () => {
    const forgiven = [{ from: 2.5, until: 4 }];
    assert.deepEqual(findLosses(historyOf(entry('open', 302)), stateWith(), { ...NONE, forgiven }), []);
    const earlier = [{ from: 3.5, until: 4 }];
    assert.equal(
      findLosses(historyOf(entry('open', 302)), stateWith(), { ...NONE, forgiven: earlier }).length,
      1,
    );
  });
});

describe('the check of what clients saw', () => {
  const fault = { sees: { visit: [500], any: ['broken'] } as const, from: 2, until: 4 };
  const failedAt = (sentAt: number, at: number, status = 500) =>
    entry('open', status, { sentAt, outcome: { at, status, message: '' } });

  test('accepts normal responses at any time, and during a fault what it allows', () => {
    assert.deepEqual(findUnexpected([entry('open', 302), failedAt(1, 3), failedAt(3, 5)], fault), []);
  });

  test('finds that a protected link opens without its password', () => {
    const link = { ...linkTo({ url: URL_OF_LINK }), isProtected: true };
    const guessed = entry('wrong password', 302, { link });
    const withoutPassword = entry('open', 302, { link });
    assert.deepEqual(
      findUnexpected([guessed, withoutPassword, entry('right password', 302, { link })], fault).map(
        ({ text }) => text,
      ),
      ['302 for "wrong password" during the fault, 1 times', '302 for "open" during the fault, 1 times'],
    );
  });

  test('finds an error that a fault allows only for other requests', () => {
    const errors = [entry('create', 500), entry('open', 500), entry('open', 500, { link: linkTo(FILE) })];
    assert.deepEqual(
      findUnexpected(errors, fault).map(({ text }) => text),
      ['500 for "create" during the fault, 1 times', '500 for "open", a download, during the fault, 1 times'],
    );
  });

  test('finds an error before, during and after a fault', () => {
    const errors = [failedAt(0, 1), failedAt(3, 3, 503), failedAt(5, 6)];
    assert.deepEqual(
      findUnexpected(errors, fault).map(({ text }) => text),
      [
        '500 for "open" before the fault, 1 times',
        '503 for "open" during the fault, 1 times',
        '500 for "open" after the recovery, 1 times',
      ],
    );
  });
});
