import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, send } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { createLink, openLink, readRows } from '../support/links.ts';
import { startService } from '../support/service.ts';

type Item = { kind: string; referrer?: string };

test('an attempt has the host of the page that had the link, and nothing else of its address', async (t) => {
  const service = await startService(t, { flags: ['--app.base-url=https://links.example'] });
  const authorization = `Bearer ${await addKey(service, 'reader', ['create', 'read', 'manage'])}`;
  const read = (path: string, accept: string) => send(service, path, { headers: { authorization, accept } });
  const longest = `${'a'.repeat(63)}.`.repeat(4).slice(0, 253);
  for (const [referer, referrer] of [
    ['https://Intranet.example:8443/page?user=ann#top', 'intranet.example'],
    ['https://user:secret@mail.example/', 'mail.example'],
    ['http://[2001:db8::1]/', '[2001:db8::1]'],
    [`https://${longest}/`, longest],
    ['android-app://com.example.chat/', undefined],
    ['https://links.example/l/abcdefgh', undefined],
    [`${service.url}/l/abcdefgh`, undefined],
    ['about:blank', undefined],
    ['no URL', undefined],
    [undefined, undefined],
  ] as const) {
    const code = await createLink(service);

    await openLink(service, code, referer === undefined ? {} : { referer });
    const { items } = json(await read(`/api/links/${code}/history`, 'application/json')) as { items: Item[] };
    assert.deepEqual(
      items.map((item) => [item.kind, item.referrer]),
      [
        ['ATTEMPT', referrer],
        ['CREATED', undefined],
      ],
      referer ?? 'no referrer',
    );
  }
  const code = await createLink(service);
  await openLink(service, code, { referer: 'https://intranet.example/' });
  const csv = (await read(`/api/links/${code}/history`, 'text/csv')).text.split('\r\n');
  const column = csv[0]?.split(',').indexOf('referrer') ?? -1;
  assert.equal(csv[1]?.split(',')[column], 'intranet.example');
});

test('an unknown code and app.audit.referrers=false record no referrer', async (t) => {
  const service = await startService(t);
  const silent = await startService(t, { flags: ['--app.audit.referrers=false'] });
  const headers = { referer: 'https://intranet.example/' };
  await openLink(service, 'unknown1', headers);
  await openLink(silent, await createLink(silent), headers);
  for (const each of [service, silent]) {
    const rows = readRows(each, `SELECT referrer FROM entry WHERE kind = 'ATTEMPT'`, []);
    assert.deepEqual(
      rows.map(({ referrer }) => referrer),
      [null],
    );
  }
});
