import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Attempt, NO_PRECHECKS } from '../../src/core/model/attempt.ts';
import { fromAttemptRow, fromOutcomeRow, toAttemptRow, toOutcomeRow } from '../../src/stores/attempt-rows.ts';
import { LOCKED } from '../../src/stores/sql/link-transaction.ts';
import { attemptOn, codeOf, PASSES } from '../support/attempts.ts';

const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value));

test('an attempt with any member that most do not have is the same after it has crossed threads', () => {
  const most = attemptOn(codeOf(1), { prechecks: NO_PRECHECKS, notifies: false });
  const lease = { fileId: 'file', hash: 'hash', endsAt: 1, restBytes: 5 };
  const members: Partial<Attempt>[] = [
    ...[{}, { ipAddress: null, userAgent: null }, { userAgent: '\u2028 "\\ ü' }, { version: null }],
    ...[{ purpose: 'PREVIEW' } as const, { prechecks: { ...PASSES, password: 'WRONG' } } as const],
    ...[{ prechecks: 'LINK_NOT_FOUND' } as const, { prechecks: 'RATE_LIMITED', count: 3 } as const],
    ...[{ notifies: true }, { referrer: 'news.example' }, { lease }, { count: 1 }],
  ];
  for (const [index, wanted] of members.entries()) {
    const attempt = { ...most, ...wanted };
    const row = sent(toAttemptRow(attempt));
    assert.equal(Array.isArray(row), index < 4, JSON.stringify(wanted));
    assert.deepEqual(fromAttemptRow(row), attempt);
  }
  for (const outcome of [
    { verdict: 'SUCCESS', viewCount: 7 },
    { verdict: 'CHANGED', viewCount: 0 },
    LOCKED,
  ] as const)
    assert.deepEqual(fromOutcomeRow(sent(toOutcomeRow(outcome))), outcome);
});
