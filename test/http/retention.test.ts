import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/core/model/time-units.ts';
import { recountStore } from '../../src/stores/sql/recount.ts';
import { readSqliteStore } from '../../src/stores/sqlite/read-store.ts';
import { json, send, until } from '../support/http-client.ts';
import { countRows, createLink, openLink, shortCodeOf } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';

import { startService } from '../support/service.ts';

const KEY = 'k'.repeat(40);

test('a service erases links and their files so long after their end, and they stay closed', async (t) => {
  const retentions = ['--app.links.retention-after-end=P60D', '--app.storage.retention-after-end=P30D'];
  const service = await startService(t, { flags: [`--app.access.initial-key=${KEY}`, ...retentions] });
  const { clock, startJobs, logged } = service;
  const terms = { expiresAt: new Date(clock.now + DAY_MS).toISOString(), password: 'open sesame' };
  const redirect = await createLink(service, terms);
  const wanted = { request: { message: 'Photos', maxFiles: 3 } };
  const request = await createLink(service, { targetUrl: null, ...wanted, ...terms });
  const files = [file('one', 'a.txt'), file('two', 'b.txt')];
  const download = shortCodeOf(await sendForm(service, [...files, ...fields(terms)]));
  assert.equal(countRows(service, 'file_set'), 1);
  clock.now += 100 * DAY_MS;
  await startJobs();
  const erased = () => logged().filter(({ msg }) => msg === 'ended_links_erased');
  await until(() => erased().length === 2);

  assert.deepEqual(
    erased()
      .map(({ part, links }) => `${part} ${links}`)
      .sort(),
    ['FILE 1', 'TERMS 3'],
  );
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  const shown = { targetUrl: null, file: null, state: 'REVOKED', passwordProtected: false };
  const list = json(await send(service, '/api/links', { headers }));
  assert.partialDeepStrictEqual(list, { items: [shown, shown, shown] });
  assert.equal(countRows(service, 'file_set'), 0, 'the names of a set are terms');
  assert.deepEqual((await readSqliteStore(service.databasePath, recountStore)).differences, []);
  for (const code of [redirect, request, download]) {
    const path = `/api/links/${code}`;
    assert.partialDeepStrictEqual(json(await send(service, path, { headers })), shown);
    assert.equal((await openLink(service, code)).status, 410);
    const body = JSON.stringify({ expiresAt: new Date(clock.now + DAY_MS).toISOString() });
    const { status, text } = await send(service, path, { method: 'PATCH', headers, body });
    assert.deepEqual([status, JSON.parse(text).code], [409, 'LINK_IS_REVOKED']);
  }
});
