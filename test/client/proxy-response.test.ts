import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createPartSize } from '../../client/part-size.ts';
import { findProxyError } from '../../client/proxy-response.ts';

const KIB = 1024;
const MIB = KIB ** 2;

describe('a response of a proxy', () => {
  const OWN = { 'x-correlation-id': '1' };
  const CASES: [
    status: number,
    headers: Record<string, string>,
    record: unknown,
    code: string | undefined,
  ][] = [
    [413, { server: 'nginx' }, undefined, 'PROXY_TOO_LARGE'],
    [502, {}, undefined, 'PROXY_NO_RESPONSE'],
    [504, {}, 'text', 'PROXY_NO_RESPONSE'],
    [403, { server: 'cloudflare' }, undefined, 'PROXY_RESPONSE'],
    [200, {}, { other: 1 }, 'PROXY_RESPONSE'],
    [413, OWN, undefined, undefined],
    [503, {}, { message: 'Try again' }, undefined],
  ];
  for (const [status, headers, record, code] of CASES) {
    test(`${status} with ${JSON.stringify(headers)} and ${JSON.stringify(record)} is ${code}`, () => {
      const found = findProxyError({ status, header: (name) => headers[name], record });
      assert.deepEqual(found, code && { code, proxy: headers['server'] ?? '' });
    });
  }
});

describe('the size of parts', () => {
  test('parts are halved down to a minimum, from the size that was sent', () => {
    const size = createPartSize(64 * MIB);
    const sizes: number[] = [];
    while (size.shrink('PROXY_TOO_LARGE', 3 * MIB)) sizes.push(size.bytes / KIB);
    assert.deepEqual(sizes, [1536, 768, 384, 192, 96, 64]);
  });

  test('a service that is away for a moment leaves no tiny parts', () => {
    const size = createPartSize(8 * MIB);
    while (size.shrink('PROXY_NO_RESPONSE', 8 * MIB));
    assert.equal(size.bytes, MIB);
  });

  test('a size that worked is kept, and errors of the service change none', () => {
    const size = createPartSize(8 * MIB);
    size.arrived(8 * MIB);
    for (const code of ['PROXY_NO_RESPONSE', 'PROXY_TOO_LARGE', 'PROXY_RESPONSE', 'CHUNK_TOO_LARGE', null])
      assert.equal(size.shrink(code, 8 * MIB), false);
    assert.equal(size.bytes, 8 * MIB);
  });
});
