import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import test from 'node:test';
import { assertErrorRecord, type TestResponse } from '../support/http-client.ts';
import {
  auditedResults,
  createLink,
  linkState,
  openLink,
  revokeLink,
  storedFileOf,
  TARGET,
  uploadFile,
} from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const PASSWORD = 'right password';

/** The inputs of all checks. */
type Case = {
  target: 'a URL' | 'a missing file';
  /** The password in the header; `unprotected` links have none. */
  password: 'unprotected' | 'none' | 'wrong' | 'right';
  isRevoked: boolean;
  isExpired: boolean;
  isUsedUp: boolean;
};
type Expected = { result: string; status: number; message: string };

/** "Order: exists, not revoked, password, time, views, active, file exists, success." The first check that fails decides. */
const ORDER: [holds: (c: Case) => boolean, expected: Expected][] = [
  [(c) => c.isRevoked, { result: 'REVOKED', status: 410, message: 'Link has been revoked' }],
  [(c) => c.password === 'none', { result: 'PASSWORD_REQUIRED', status: 401, message: 'Password required' }],
  [(c) => c.password === 'wrong', { result: 'INVALID_PASSWORD', status: 401, message: 'Invalid password' }],
  [(c) => c.isExpired, { result: 'EXPIRED', status: 410, message: 'Link has expired' }],
  [
    (c) => c.isUsedUp,
    { result: 'VIEW_LIMIT_REACHED', status: 410, message: 'Link has reached its view limit' },
  ],
  [(c) => c.target === 'a missing file', { result: 'NOT_FOUND', status: 404, message: 'File not found' }],
];

const BOTH = [false, true];
const CASES: Case[] = (['a URL', 'a missing file'] as const).flatMap((target) =>
  (['unprotected', 'none', 'wrong', 'right'] as const).flatMap((password) =>
    BOTH.flatMap((isRevoked) =>
      BOTH.flatMap((isExpired) =>
        BOTH.map((isUsedUp) => ({ target, password, isRevoked, isExpired, isUsedUp })),
      ),
    ),
  ),
);

const EXPIRES_AT = '2026-06-15T13:00:00Z';
const HEADERS = {
  unprotected: {},
  none: {},
  wrong: { 'x-link-password': 'wrong password' },
  right: { 'x-link-password': PASSWORD },
} as const;

/** Creates the link of a case; the clock makes it expire later. */
async function prepare(service: TestService, checked: Case): Promise<{ checked: Case; shortCode: string }> {
  const { target, password, isRevoked, isExpired, isUsedUp } = checked;
  const members = {
    ...(password !== 'unprotected' && { password: PASSWORD }),
    ...(isExpired && { expiresAt: EXPIRES_AT }),
    ...(isUsedUp && { maxViews: 1 }),
  };
  const texts = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)]));
  const shortCode =
    target === 'a URL'
      ? await createLink(service, members)
      : await uploadFile(service, 'content', { fields: texts });
  if (isUsedUp) {
    const { status } = await openLink(service, shortCode, { 'x-link-password': PASSWORD });
    assert.equal(status, target === 'a URL' ? 302 : 200);
  }
  if (isRevoked) await revokeLink(service, shortCode);
  if (target === 'a missing file') rmSync(storedFileOf(service, shortCode));
  return { checked, shortCode };
}

function assertOutcome(response: TestResponse, expected: Expected | undefined, path: string): void {
  if (expected) {
    assertErrorRecord(response, { status: expected.status, message: expected.message, path });
    assert.ok(!response.text.includes('example.com') && response.headers.location === undefined);
  } else {
    assert.equal(response.status, 302);
    assert.equal(response.headers.location, TARGET);
  }
}

function nameOf({ target, password, isRevoked, isExpired, isUsedUp }: Case): string {
  const states = [isRevoked && 'revoked', isExpired && 'expired', isUsedUp && 'used up'].filter(Boolean);
  return `${target}, password ${password}, ${states.join(' and ') || 'live'}`;
}

// Concurrently, because hashing dominates the duration, and each case has its own link.
test('the first failing check is returned and audited, and spends no view', { concurrency: 8 }, async (t) => {
  const service = await startService(t);
  const prepared = await Promise.all(CASES.map((checked) => prepare(service, checked)));
  service.clock.now = Date.parse(EXPIRES_AT) + 1;

  const checks = prepared.map(({ checked, shortCode }) =>
    t.test(nameOf(checked), async () => {
      const expected = ORDER.find(([holds]) => holds(checked))?.[1];
      const before = { results: auditedResults(service, shortCode), state: linkState(service, shortCode) };
      const response = await openLink(service, shortCode, HEADERS[checked.password]);

      assertOutcome(response, expected, `/l/${shortCode}`);
      const result = expected?.result ?? 'SUCCESS';
      assert.deepEqual(auditedResults(service, shortCode), [...before.results, result]);
      const { status, viewCount } = linkState(service, shortCode);
      assert.equal(viewCount, before.state.viewCount + (result === 'SUCCESS' ? 1 : 0));
      // "410, audit EXPIRED", "the denied attempt itself triggers the change": only these two change the status.
      const isOver = result === 'EXPIRED' || result === 'VIEW_LIMIT_REACHED';
      assert.equal(status, isOver ? 'EXPIRED' : before.state.status);
    }),
  );
  await Promise.all(checks);
});
