import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinkList, type ListedLinkRow } from '../../src/stores/link-list.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const PLACE = { number: '1', short_code: 'Used0001' };

/** Returns the row of a link for one view, which its row has or lacks. */
function rowWith(viewCount: number): ListedLinkRow {
  return {
    ...PLACE,
    ...{ type: 'REDIRECT', target_url: 'https://example.com/', password_hash: null, confirm: 0 },
    ...{
      file_id: null,
      file_name: null,
      file_size_bytes: null,
      file_sha256: null,
      token_hash: null,
      creator: null,
    },
    ...{ notify_url: null, notify_email: null, notify_language: null },
    ...{ label: null, note: null, tags: null, recipient: null },
    ...{ status: 'EXPIRED', view_count: viewCount, max_views: 1, starts_at: null, expires_at: null },
    ...{ is_paused: 0, version: 0, definition_version: 0, last_opened_at: null, created_at: NOW },
    ...{
      entry_count: viewCount,
      fingerprint: 'f',
      last_id: '0'.repeat(32),
      creator_kind: 'ANONYMOUS',
      creator_name: null,
    },
  };
}

test('a link whose row gets its last view while a page is read is in the page', async () => {
  const list = createLinkList({
    findListed: async () => ({ links: [rowWith(0)], next: null }),
    readUnwritten: async () => [], // the row was written between the two reads
    readListed: async () => [rowWith(1)],
  });
  const query = {
    search: [],
    type: null,
    label: null,
    tag: null,
    creator: null,
    creatorKind: null,
    limit: 50,
    after: null,
  };
  const reader = { seesAll: true, name: { kind: 'KEY', name: 'admin' } } as const;
  const range = { start: null, end: null };
  for (const [state, count] of [['USED_UP', 1] as const, ['EXPIRED', 0] as const]) {
    const { items } = await list.readPage({
      ...{ ...query, reader, range, now: NOW, sort: 'created', order: 'desc' },
      states: [state],
    });
    assert.equal(items.length, count, state);
  }
});
