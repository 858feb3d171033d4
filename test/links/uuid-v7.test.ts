import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { createUuidV7Source, uuidV7 } from '../../src/core/model/uuid-v7.ts';

/** From 1970 to the end of 48 bits of milliseconds, in the year 10889. */
const anyTime = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  fc.constantFrom(0, 1, 0xffff, 0x10000, 2 ** 48 - 1),
);

describe('UUIDs of version 7', () => {
  test('an id equals the example of RFC 9562, A.6', () => {
    const id = uuidV7(0x017f22e279b0, '919108f7-52d1-4cc3-98c4-dc0c0c07398f');
    assert.equal(id, '017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  test('an id is a UUID of version 7 and the variant of RFC 9562, and begins with its milliseconds', () => {
    fc.assert(
      fc.property(anyTime, (at) => {
        const id = uuidV7(at, randomUUID());
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), at);
      }),
    );
  });

  test('ids sort by time, as text and as bytes', () => {
    fc.assert(
      fc.property(anyTime, anyTime, (one, other) => {
        fc.pre(one < other);
        const [earlier, later] = [uuidV7(one, randomUUID()), uuidV7(other, randomUUID())];
        assert.ok(earlier < later);
        const [a, b] = [earlier, later].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'));
        assert.ok(a && b && Buffer.compare(a, b) < 0);
      }),
    );
  });

  test('ids of one process and millisecond sort in the order in which they were made', () => {
    const newId = createUuidV7Source(randomUUID);
    const at = Date.parse('2026-06-12T10:30:00Z');
    const ids = [at, at + 1].flatMap((each) => Array.from({ length: 4_096 }, () => newId(each)));
    assert.deepEqual(ids.toSorted(), ids);
    const next = newId(at + 1);
    assert.ok((ids.at(-2) ?? '') < next && next < newId(at + 2));
    assert.equal(new Set([...ids, next]).size, ids.length + 1);
    for (const id of ids)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
