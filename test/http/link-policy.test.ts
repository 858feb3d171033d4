import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { json, member, send, sendJson, type TestResponse } from '../support/http-client.ts';
import { isEmpty, openLink, shortCodeOf, TARGET } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

const POLICY = ['--app.links.max-ttl=P7D', '--app.links.max-views=5', '--app.links.password-required=true'];

function assertRefused(response: TestResponse, message: string): void {
  assert.deepEqual([response.status, member(json(response), 'message')], [400, message]);
}

/** Creates a link to a URL and one to a file with the same restrictions. */
const WAYS = {
  JSON: (service: Parameters<typeof sendJson>[0], wanted: Record<string, unknown>) =>
    sendJson(service, '/api/links', { targetUrl: TARGET, ...wanted }),
  form: (service: Parameters<typeof sendForm>[0], wanted: Record<string, unknown>) => {
    const texts = Object.entries(wanted).map(([name, value]) => [name, String(value)]);
    return sendForm(service, [...fields(Object.fromEntries(texts)), file('content')]);
  },
};

test('the policy for links holds for URLs and files, in the order of the fields', async (t) => {
  const service = await startService(t, { flags: POLICY }); // now is 2026-06-15T12:00:00Z
  for (const create of Object.values(WAYS)) {
    for (const [wanted, message] of [
      [{}, 'password: is required by this service'],
      [{ password: '' }, 'password: is required by this service'],
      [{ maxViews: 6 }, 'maxViews: must be at most 5'],
      [{ expiresAt: '2026-06-22T12:00:00.001Z', maxViews: 6 }, 'expiresAt: must be at most P7D from now'],
    ] as const) {
      assertRefused(await create(service, wanted), message);
    }
  }
  assert.ok(isEmpty(service), 'a refused upload leaves nothing');
  for (const create of Object.values(WAYS)) {
    const defaults = json(await create(service, { password: 'secret' }));
    assert.partialDeepStrictEqual(defaults, { expiresAt: '2026-06-22T12:00:00.000Z', maxViews: 5 });
    const wanted = { expiresAt: '2026-06-22T14:00:00+02:00', maxViews: 4, password: 'secret' };
    const created = await create(service, wanted);
    assert.partialDeepStrictEqual(json(created), { expiresAt: wanted.expiresAt, maxViews: 4 });
    const described = json(await send(service, `/api/links/${shortCodeOf(created)}`));
    assert.partialDeepStrictEqual(described, { expiresAt: '2026-06-22T12:00:00.000Z', maxViews: 4 });
  }
});

test('a target into the service is refused', async (t) => {
  const service = await startService(t, { flags: ['--app.base-url=https://links.example/go'] });
  for (const targetUrl of ['https://links.example/go/l/abcdefgh', 'http://u@LINKS.example.:80/go']) {
    const refused = await sendJson(service, '/api/links', { targetUrl, maxViews: 0 });
    assertRefused(refused, 'targetUrl: must not lead to this service');
  }
  shortCodeOf(await sendJson(service, '/api/links', { targetUrl: 'https://links.example/elsewhere' }));
});

async function startWithList(t: TestContext, list: string) {
  const path = join(temporaryDirectory(t), 'blocked-hosts.txt');
  writeFileSync(path, list);
  const flags = [`--app.links.blocked-hosts=${path}`];
  return { path, service: await startService(t, { flags }) };
}

test('a blocked host is refused for new links only', async (t) => {
  const { path, service } = await startWithList(t, 'evil.example');
  const targetUrl = 'https://www.Evil.example./';
  const create = (targetUrl: string) => sendJson(service, '/api/links', { targetUrl });
  const older = shortCodeOf(await create('https://later.example/'));
  assertRefused(
    await create(targetUrl),
    'targetUrl: must not lead to evil.example, which this service blocks',
  );
  writeFileSync(path, 'evil.example\nlater.example');
  await service.startJobs();
  assertRefused(
    await create('https://later.example/'),
    'targetUrl: must not lead to later.example, which this service blocks',
  );
  assert.equal((await openLink(service, older)).headers.location, 'https://later.example/');
  assert.ok(service.logged().some(({ msg }) => msg === 'blocked_hosts_reloaded'));
});
