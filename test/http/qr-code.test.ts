import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { correction, generate } from 'lean-qr';
import { assertErrorRecord, send } from '../support/http-client.ts';
import { countRows, createLink, linkState } from '../support/links.ts';
import { startService } from '../support/service.ts';

const QUIET_ZONE = 4;

/** Reads a PNG of one bit a pixel that is one chunk of unfiltered lines. Returns its width, and whether a pixel is dark. */
function readPng(bytes: Buffer) {
  const width = bytes.readUInt32BE(16);
  assert.deepEqual([bytes.readUInt32BE(20), bytes[24]], [width, 1]);
  const start = bytes.indexOf('IDAT') + 4;
  const lines = inflateSync(bytes.subarray(start, start + bytes.readUInt32BE(start - 8)));
  const lineLength = Math.ceil(width / 8) + 1;
  const isDark = (x: number, y: number): boolean =>
    Boolean((lines[y * lineLength + 1 + (x >> 3)] ?? 0) & (128 >> (x & 7)));
  return { width, isDark };
}

test('GET /api/links/{shortCode}/qr draws the short link', async (t) => {
  const service = await startService(t, { flags: ['--app.base-url=https://links.example/s'] });
  const code = await createLink(service, { password: 'secret-password', maxViews: 1 });
  const expected = generate(`https://links.example/s/l/${code}`, { minCorrectionLevel: correction.M });
  const modules = expected.size + 2 * QUIET_ZONE;

  await t.test('the QR code is a PNG with whole pixels for each module', async () => {
    for (const [query, size] of [
      ['format=png', 512],
      ['format=png&size=128', 128],
    ] as const) {
      const response = await send(service, `/api/links/${code}/qr?${query}`);
      assert.equal(response.status, 200);
      assert.equal(response.headers['content-type'], 'image/png');
      const scale = Math.floor(size / modules);
      const { width, isDark } = readPng(response.body);
      assert.equal(width, scale * modules);
      for (let y = 0; y < modules; y++)
        for (let x = 0; x < modules; x++)
          assert.equal(isDark(x * scale, y * scale), expected.get(x - QUIET_ZONE, y - QUIET_ZONE));
    }
  });

  await t.test('the QR code is an SVG of any size, which no shared cache keeps', async () => {
    const { status, headers, text } = await send(service, `/api/links/${code}/qr?size=999`);
    assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml']);
    assert.equal(headers['cache-control'], 'private, no-cache');
    assert.match(text, /^<svg [^>]*width="999"[^>]*height="999"/);
    assert.match(text, new RegExp(`viewBox="-4 -4 ${modules} ${modules}"`));
    assert.doesNotMatch(text, /https?:(?!\/\/www\.w3\.org\/)/);
  });

  await t.test('a QR code costs no view and has no audit record', () => {
    assert.deepEqual([linkState(service, code).viewCount, countRows(service, 'audit')], [0, 0]);
  });

  await t.test('an unknown link, format or size is refused', async () => {
    const path = '/api/links/unknown1/qr';
    assertErrorRecord(await send(service, path), { status: 404, message: 'Link not found', path });
    for (const [query, message] of [
      ['format=gif', 'format: must be svg or png'],
      ['size=127', 'size: must be between 128 and 2048'],
      ['size=big', 'size: must be an integer'],
      ['size=200&size=300', 'size: must be given only once'],
      ['fromat=png', 'fromat: unknown; did you mean format'],
    ] as const) {
      const response = await send(service, `/api/links/${code}/qr?${query}`);
      assertErrorRecord(response, { status: 400, message, path: `/api/links/${code}/qr` });
    }
  });
});
