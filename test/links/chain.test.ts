import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { appendEntry, EMPTY_CHAIN, headAt, toCreationEntry, toHashedText } from '../../src/links/chain.ts';
import type { HistoryEntry } from '../../src/links/history.ts';
import { codeOf, newChange, redirectLink, START } from '../support/attempts.ts';

const CREATION = toCreationEntry(
  redirectLink(codeOf(1), { url: 'https://example.com/', maxViews: 3 }),
  newChange(),
);
const ATTEMPT: HistoryEntry = {
  kind: 'ATTEMPT',
  id: '01980000-0000-7000-8000-000000000001',
  at: START,
  shortCode: codeOf(1),
  result: 'SUCCESS',
  count: 1,
  ipAddress: '192.0.2.1',
  userAgent: 'Grüße "quoted" \\ 😀',
};
const DOWNLOAD: HistoryEntry = {
  kind: 'DOWNLOAD',
  id: '01980000-0000-7000-8000-000000000002',
  at: START + 1,
  shortCode: codeOf(1),
  attemptId: ATTEMPT.id,
  bytesSent: 10,
  isSentCompletely: true,
};

/** Sorts the members of an object and of those inside it by name. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

describe('the chain of a link', () => {
  test('the chain hashes entries as JSON whose members are sorted by name (RFC 8785)', () => {
    for (const entry of [CREATION, ATTEMPT, DOWNLOAD]) {
      const text = toHashedText(entry, 1);
      assert.equal(text, JSON.stringify(sorted(JSON.parse(text))));
    }
  });

  test('the chain gives each entry a number, and the SHA-256 of the fingerprint before it and its own text', () => {
    const first = appendEntry(EMPTY_CHAIN, CREATION, 7);
    const second = appendEntry(headAt(first), ATTEMPT, 9);
    const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
    const fingerprint = sha256(toHashedText(CREATION, 1));
    assert.deepEqual(first, { ...CREATION, seq: 7, number: 1, prev: null, fingerprint });
    const next = sha256(fingerprint + toHashedText(ATTEMPT, 2));
    assert.deepEqual(second, { ...ATTEMPT, seq: 9, number: 2, prev: 7, fingerprint: next });
    assert.deepEqual(headAt(second), { entryCount: 2, fingerprint: next, lastSeq: 9 });
  });

  test('the chain proves the terms of a new link without its target and its password', () => {
    const text = toHashedText(CREATION, 1);
    assert.match(
      text,
      /"maxViews":3,"notifyEmailSha256":null,"notifyUrlSha256":null,"passwordProtected":false,"targetSha256":"[0-9a-f]{64}","type":"REDIRECT"/,
    );
    assert.doesNotMatch(text, /example\.com/);
  });
});
