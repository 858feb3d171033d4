import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { json, member, type RequestOptions, send, sendJson } from '../support/http-client.ts';
import { bearer } from '../support/keys.ts';
import { createLink, linkState, openLink, shortCodeOf, TARGET, uploadFile } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';
import { SECRET } from '../support/webhook-receiver.ts';

const KEY = 'k'.repeat(40);
const FLAGS = [`--app.access.initial-key=${KEY}`, `--app.webhooks.secret=${SECRET}`];

function changeCode(
  service: TestService,
  shortCode: string,
  members: object = {},
  headers: RequestOptions['headers'] = bearer(KEY),
) {
  return sendJson(service, `/api/links/${shortCode}/short-code`, members, { headers });
}

describe('POST /api/links/{shortCode}/short-code', () => {
  test('the link opens under the new short code with the views that are left, and the old address is revoked', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const shortCode = await uploadFile(service, 'content', { fields: { maxViews: '2' } });
    assert.equal((await openLink(service, shortCode)).status, 200);
    const response = await changeCode(service, shortCode, { customCode: 'fair/2027' });
    assert.equal(response.status, 200, response.text);
    assert.partialDeepStrictEqual(json(response), { shortCode: 'fair/2027', maxViews: 1, viewCount: 0 });
    assert.deepEqual(
      json(await changeCode(service, shortCode, { customCode: 'fair/2027' })),
      json(response),
      'a repeat, as after a lost response',
    );
    const former = await openLink(service, shortCode);
    assert.deepEqual([former.status, member(json(former), 'code')], [410, 'REVOKED']);
    assert.equal((await openLink(service, 'fair/2027')).text, 'content');
    assert.equal((await openLink(service, 'fair/2027')).status, 410);
    assert.deepEqual(linkState(service, shortCode), { status: 'REVOKED', viewCount: 1 });
    const changed = service.logged().filter(({ msg }) => msg === 'secure_link_changed');
    assert.deepEqual(
      changed.map((line) => [line['shortCode'], line['terms']]),
      [[shortCode, ['shortCode']]],
    );
  });

  test('the token of the link changes its short code, also to a random one, and reads both histories', async (t) => {
    const service = await startService(t, { flags: [...FLAGS, '--app.links.custom-codes=false'] });
    const notifyUrl = 'https://hooks.example/a';
    const created = await sendJson(service, '/api/links', { targetUrl: TARGET });
    const [shortCode, token] = [shortCodeOf(created), String(created.headers['x-link-token'])];
    const headers = { 'x-link-token': token };
    const patched = await sendJson(
      service,
      `/api/links/${shortCode}`,
      { notifyUrl },
      { method: 'PATCH', headers: bearer(KEY) },
    );
    const refused = await changeCode(service, shortCode, { customCode: 'my-code' }, headers);
    assert.deepEqual([refused.status, member(json(refused), 'code')], [400, 'CUSTOM_CODES_OFF']);
    const response = await changeCode(service, shortCode, {}, headers);
    assert.equal(response.status, 200, response.text);
    const latest = String(member(json(response), 'shortCode'));
    assert.match(latest, /^[A-Za-z0-9]{8}$/);
    assert.match(String(response.headers['x-link-webhook-secret']), /^whsec_/);
    assert.notEqual(response.headers['x-link-webhook-secret'], patched.headers['x-link-webhook-secret']);
    for (const code of [shortCode, latest])
      assert.equal((await send(service, `/api/links/${code}/history`, { headers })).status, 200);
  });

  test('a refused change names its reason and its remedy', async (t) => {
    const service = await startService(t, { flags: FLAGS });
    const [ended, other] = [await createLink(service, { maxViews: 1 }), await createLink(service)];
    await openLink(service, ended);
    for (const [code, members, status, error] of [
      [ended, { customCode: 'new-code' }, 409, 'LINK_HAS_ENDED'],
      [other, { customCode: ended }, 409, 'CUSTOM_CODE_TAKEN'],
      [other, { customCode: 'no code' }, 400, 'INVALID_CUSTOM_CODE'],
      [other, { customCode: 'Admin' }, 400, 'CUSTOM_CODE_RESERVED'],
      [other, { customCode: 'team/uploads/may' }, 400, 'CUSTOM_CODE_RESERVED'],
      [other, { customcode: 'new-code' }, 400, 'UNKNOWN_FIELD'],
      ['unknown1', {}, 404, 'NOT_FOUND'],
    ] as const) {
      const response = await changeCode(service, code, members);
      assert.deepEqual([response.status, member(json(response), 'code')], [status, error]);
    }
  });
});
