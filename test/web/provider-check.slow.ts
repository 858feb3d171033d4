import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { HOUR_MS } from '../../src/core/model/time-units.ts';
import { RETURN_PATH } from '../../src/http/routes/provider-sign-in.ts';
import { startBrowser } from '../support/browser.ts';
import { CLIENT, startIdentityProvider } from '../support/identity-provider.ts';
import { freePort, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const { browser } = await startBrowser();

test('pages send the browser through the provider again, and back, without a circle', async (t) => {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const idp = await startIdentityProvider(t, { redirectUri: baseUrl + RETURN_PATH });
  idp.accounts.set('ada', { preferred_username: 'Ada', groups: ['staff'] });
  const directory = temporaryDirectory(t);
  const provider = { issuer: idp.issuer, 'client-id': CLIENT.id, 'client-secret': CLIENT.secret };
  const flags = [
    ...['--app.access=keys', '--app.oidc.scopes=openid profile groups'],
    ...['--app.oidc.group-scopes=staff=create,read', '--app.oidc.check-interval=PT1H'],
    ...Object.entries(provider).map(([name, value]) => `--app.oidc.${name}=${value}`),
  ];
  const service = await startServiceProcess(t, directory, { port, flags });
  const db = new DatabaseSync(service.databasePath, { timeout: 5_000 });
  t.after(() => db.close());
  const age = () => db.exec(`UPDATE session SET created_at = created_at - ${HOUR_MS}`);
  const page = await browser.newPage({ locale: 'en-GB' });
  t.after(() => page.close());
  const visits = () => idp.requests.filter((request) => request === 'GET /auth').length;

  await page.goto(`${baseUrl}/links`);
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  const name = page.getByRole('banner').getByText('ada');
  await name.waitFor();
  assert.deepEqual([visits(), new URL(page.url()).pathname], [1, '/links']);

  age();
  await page.goto(`${baseUrl}/links?search=report#top`);
  await name.waitFor();
  assert.deepEqual([visits(), page.url()], [2, `${baseUrl}/links?search=report#top`]);

  age();
  idp.user = null;
  await page.context().clearCookies({ domain: '127.0.0.1' });
  await page.evaluate('sessionStorage.setItem("postern.provider-check", "0")');
  await page.goto(`${baseUrl}/links`);
  await page.getByText('The sign-in failed.').waitFor();
  await page.goto(`${baseUrl}/links`);
  await page.getByRole('link', { name: 'Continue with single sign-on' }).waitFor();
  assert.equal(visits(), 3);

  idp.user = 'eve';
  idp.accounts.set('eve', { preferred_username: 'ADA', groups: ['staff'] });
  const other = await browser.newPage({ locale: 'en-GB' });
  t.after(() => other.close());
  await other.goto(`${baseUrl}/links`);
  await other.getByRole('link', { name: 'Continue with single sign-on' }).click();
  await other.getByRole('status').getByText('may already be taken here, so your name is “ada 2”').waitFor();
  service.signal('SIGTERM');
  await service.exited;
});
