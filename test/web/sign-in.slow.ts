import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { SCOPES, type Scope } from '../../src/core/model/people/caller.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import { chooseFiles, createdShortCode, createInPage, FILE, TARGET } from '../support/create-page.ts';
import { sendJson } from '../support/http-client.ts';
import { addKey, bearer } from '../support/keys.ts';
import { openLink, shortCodeOf } from '../support/links.ts';
import { assertBecomes, assertFits, tabTo, waitForFocus } from '../support/pages.ts';
import { startService, type TestService } from '../support/service.ts';

const { openPage } = await startBrowser();

/** A revoked key works for a few seconds more, by the clock of the service. */
const REVOCATION_MS = 5_000;

const keyField = (page: Page) => page.getByLabel('API key');
/** What the browser has stored of a link that was made without signing in. */
const link = { shortCode: 'saved123', accessUrl: 'https://links.example/l/saved123', title: 'Saved' };
const saved = JSON.stringify([{ ...link, type: 'REDIRECT' }]);
const newLinkForm = (page: Page) => page.getByRole('form', { name: 'New link' });

async function signIn(page: Page, key: string): Promise<void> {
  await keyField(page).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await keyField(page).waitFor({ state: 'detached' });
}

async function openSignedIn(
  t: TestContext,
  service: TestService,
  key: string,
  { path = '/', ...options }: PageOptions & { path?: string } = {},
): Promise<Page> {
  const page = await openPage(t, options);
  await page.goto(service.url + path);
  await signIn(page, key);
  return page;
}

/** Returns what this tab, or this browser, has stored. */
const stored = (page: Page, storage: 'sessionStorage' | 'localStorage') =>
  page.evaluate<Record<string, string>>(`({ ...${storage} })`);

test('the pages of a service that needs keys', async (t) => {
  const service = await startService(t, { flags: ['--app.access=keys'] });
  const { keys } = service.stores.store;
  const key = await addKey(service, 'alice', SCOPES);
  const createAs = async (key: string): Promise<string> => {
    return shortCodeOf(
      await sendJson(service, '/api/links', { targetUrl: TARGET }, { headers: bearer(key) }),
    );
  };
  const open = async (t: TestContext, path = '/', options?: PageOptions) => {
    const page = await openPage(t, options);
    await page.goto(service.url + path);
    await keyField(page).waitFor();
    return page;
  };

  await t.test('a user signs in with the keyboard and creates links', async (t) => {
    const page = await open(t, '/', { device: 'phone' });
    await keyField(page).and(page.locator(':focus')).waitFor();
    assert.equal(await newLinkForm(page).count(), 0);
    await assertBecomes(() => page.title(), 'Postern: Sign in');
    assert.equal(await page.locator('[aria-current]').count(), 0);
    assert.doesNotMatch(await page.locator('body').innerText(), /npm run/);
    await page.getByText('This page needs an API key with the scope “create”.').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await newLinkForm(page).waitFor();
    await page.getByRole('main').and(page.locator(':focus')).waitFor();
    await assertBecomes(() => page.title(), 'Postern');
    await page.locator('[aria-current]').getByText('New link', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Account and language' }).click();
    await page.getByRole('banner').getByText('alice').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await page.keyboard.press('Escape');

    const shortCode = await createInPage(page);
    assert.equal((await openLink(service, shortCode)).status, 302);
    await page.getByRole('button', { name: 'Create another link' }).click();
    await chooseFiles(page, FILE);
    await page.getByRole('button', { name: 'Create link' }).click();
    assert.equal((await openLink(service, await createdShortCode(page))).status, 200);

    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.locator('.figure-value').first().waitFor();
    await page.getByRole('button', { name: 'Account and language' }).waitFor();
    await page.locator('summary.group-title', { hasText: 'All links' }).click();
    await page.getByRole('region', { name: 'Links by status' }).waitFor();
    await assertFits(page);
  });

  for (const path of ['/', '/links', '/dashboard', '/people'])
    await t.test(`after a sign-in, ${path} is at its top`, async (t) => {
      const page = await openSignedIn(t, service, key, { path, device: 'phone' });
      await page.locator('main h1').waitFor();
      await waitForFocus(page, page.locator('main'));
      assert.equal(await page.evaluate('scrollY'), 0);
    });

  await t.test('only the tab has the key, and a sign-out deletes it', async (t) => {
    const page = await open(t);
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    await signIn(page, key);
    await createInPage(page);
    assert.deepEqual(await stored(page, 'sessionStorage'), { 'postern.key': key });
    const elsewhere = [
      await page.content(),
      JSON.stringify(await stored(page, 'localStorage')),
      await page.evaluate<string>('document.cookie'),
      JSON.stringify(service.logged()),
      ...urls,
    ];
    assert.ok(!elsewhere.some((text) => text.includes(key)));
    await page.reload();
    await newLinkForm(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(service.url);
    await keyField(other).waitFor();

    await tabTo(page, 'button', 'Sign out');
    await page.keyboard.press('Enter');
    await keyField(page).and(page.locator(':focus')).waitFor();
    await assertBecomes(() => page.locator('.my-link, .link-form').count(), 0);
    assert.deepEqual(await stored(page, 'sessionStorage'), {});
    await page.reload();
    await keyField(page).waitFor();
  });

  await t.test('a key that does not work is refused in place', async (t) => {
    const page = await open(t);
    const revoked = await addKey(service, 'revoked', SCOPES, { revokedAt: service.clock.now });
    const expired = await addKey(service, 'expired', SCOPES, { expiresAt: service.clock.now });
    const enter = async (text: string, message: RegExp) => {
      await keyField(page).fill(text);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: message }).waitFor();
      await waitForFocus(page, keyField(page));
      assert.deepEqual(await stored(page, 'sessionStorage'), {}, text);
    };
    const wrongKeys = [
      'postern_guess',
      'undefined',
      'two words',
      'Schlüssel',
      key.slice(0, -1),
      revoked,
      expired,
    ];
    for (const [index, text] of wrongKeys.entries()) {
      // Another message in between, so that each message belongs to its key.
      await enter(index % 2 === 0 ? '' : '   ', /^Enter your key\.$/);
      await enter(text, /^This key is unknown, expired or revoked\./);
    }
    await assertAccessible(page);
    await page.context().setOffline(true);
    await keyField(page).fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' }).waitFor();
    await page.context().setOffline(false);
    await signIn(page, ` ${key} `);
    await newLinkForm(page).waitFor();
  });

  await t.test('a key revoked meanwhile ends the sign-in, and what was entered stays', async (t) => {
    const short = await addKey(service, 'short-lived', SCOPES);
    const page = await open(t);
    const listed = page.waitForResponse(/mine=true/);
    await signIn(page, short);
    await listed;
    await page.getByLabel('Paste a URL').fill(TARGET);
    await keys.revokeKey('short-lived', service.clock.now);
    service.clock.now += REVOCATION_MS;
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('You are no longer signed in.').waitFor();
    await keyField(page).and(page.locator(':focus')).waitFor();
    await newLinkForm(page).waitFor({ state: 'hidden' });
    assert.deepEqual(await stored(page, 'sessionStorage'), {});
    await assertAccessible(page);
    await signIn(page, key);
    await page.getByText('You were signed out before this was finished.').waitFor();
    assert.equal(await page.getByLabel('Paste a URL').inputValue(), TARGET);
    await page.getByRole('button', { name: 'Create link' }).click();
    await createdShortCode(page);
  });

  await t.test(
    'a key revoked before a revocation closes its dialog, and the next user sees the own links',
    async (t) => {
      const short = await addKey(service, 'short-lived-2', SCOPES);
      const shortCode = await createAs(short);
      const page = await openSignedIn(t, service, short);
      const row = page.locator('.my-link', { hasText: shortCode });
      await row.getByRole('button', { name: /^Revoke link:/ }).click();
      await keys.revokeKey('short-lived-2', service.clock.now);
      service.clock.now += REVOCATION_MS;
      await page.getByRole('button', { name: 'Revoke link', exact: true }).click();
      await keyField(page).and(page.locator(':focus')).waitFor();
      await signIn(page, key);
      await page.getByRole('heading', { name: 'Latest links' }).waitFor();
      await row.waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('dialog').count(), 0);
    },
  );

  await t.test('the dashboard shows new data as soon as the user has signed in again', async (t) => {
    const short = await addKey(service, 'short-lived-3', SCOPES);
    const page = await openSignedIn(t, service, short, { path: '/dashboard' });
    await page.locator('.figure-value').first().waitFor();
    await keys.revokeKey('short-lived-3', service.clock.now);
    service.clock.now += REVOCATION_MS;
    await page.getByRole('radio', { name: '30 days' }).click();
    await keyField(page).waitFor();
    const refreshed = page.waitForResponse(/access\/summary/);
    await signIn(page, key);
    assert.equal((await refreshed).status(), 200);
    await page.locator('.problem-note').waitFor({ state: 'detached' });
  });

  await t.test('a page shown again after a sign-out elsewhere in the tab asks for the key', async (t) => {
    const page = await openSignedIn(t, service, key);
    await newLinkForm(page).waitFor();
    await page.evaluate(
      `sessionStorage.clear(); dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`,
    );
    await keyField(page).waitFor();
    await newLinkForm(page).waitFor({ state: 'hidden' });
  });

  const MISSING_SCOPES: [scopes: Scope[], path: string, message: string][] = [
    [['read', 'manage', 'metrics'], '/', 'the permission “Create links”'],
    [['manage', 'metrics'], '/dashboard', 'the permission “See all links”'],
  ];
  for (const [scopes, path, message] of MISSING_SCOPES) {
    await t.test(`${path} says which scope a key with ${scopes.join()} lacks`, async (t) => {
      const page = await openPage(t);
      const forbidden: string[] = [];
      page.on('response', (response) => {
        if (response.status() === 403) forbidden.push(response.url());
      });
      await page.goto(service.url + path);
      await signIn(page, await addKey(service, scopes.join(), scopes));
      await page.getByText(message).waitFor();
      assert.equal(await newLinkForm(page).count(), 0);
      assert.equal(await page.locator('[aria-current]').count(), 0);
      assert.deepEqual(forbidden, [], 'the page requests nothing that it may not');
      await assertAccessible(page);
    });
  }

  await t.test(
    'a user sees the five latest links of the service, and none that the browser saved',
    async (t) => {
      const creator = await addKey(service, 'creator-2', ['create']);
      const codes: string[] = [];
      for (let count = 0; count < 6; count++) {
        service.clock.now += 1_000;
        codes.unshift(await createAs(creator));
      }
      const page = await openPage(t, { device: 'phone', locale: 'de' });
      await page.addInitScript(`localStorage.setItem('postern.links', ${JSON.stringify(saved)})`);
      await page.addInitScript(`sessionStorage.setItem('postern.key', '${creator}')`);
      await page.goto(service.url);
      await page.getByRole('heading', { name: 'Neueste Links' }).waitFor();
      await page.locator('.my-link').first().waitFor();
      const shown = await page.locator('.my-link').allInnerTexts();
      assert.deepEqual(
        shown.map((text) => codes.findIndex((code) => text.includes(code))),
        [0, 1, 2, 3, 4],
      );
      assert.equal(await page.locator('.page-create h2').count(), 1);
      await page.getByRole('link', { name: 'Alle Links' }).waitFor();
      await assertAccessible(page);
      await assertFits(page);
    },
  );

  await t.test('what another page has shared waits for the sign-in', async (t) => {
    const page = await open(t, `/?url=${encodeURIComponent(TARGET)}`);
    await signIn(page, key);
    await assertBecomes(() => page.getByLabel('Paste a URL').inputValue(), TARGET);
    await page.waitForURL(`${service.url}/`);
  });

  const DESTINATIONS: [query: string, path: string][] = [
    ['', '/'],
    ['?to=dashboard', '/dashboard'],
    ['?to=docs', '/docs'],
    ['?to=https://other.example/', '/'],
    ['?to=//other.example', '/'],
    ['?to=javascript:alert(1)', '/'],
    ['?to=constructor', '/'],
    ['?to=dashboard&to=docs', '/dashboard'],
  ];
  await t.test('the page of the sign-in leads back to a page of the service, and to no URL', async (t) => {
    const page = await open(t, '/sign-in?to=dashboard');
    await signIn(page, key);
    // The dashboard adds its range to its address.
    await page.waitForURL((url) => url.origin === service.url && url.pathname === '/dashboard');
    // The tab has the key now.
    for (const [query, path] of DESTINATIONS) {
      await page.goto(`${service.url}/sign-in${query}`, { waitUntil: 'commit' });
      await page.waitForURL((url) => url.origin === service.url && url.pathname === path);
    }
  });
});

test('a user whom the reverse proxy has signed in needs no key, and cannot sign out here', async (t) => {
  const service = await startService(t, {
    flags: [
      '--app.access=keys',
      '--app.access.user-header=Remote-User',
      '--app.access.user-scopes=create',
      '--app.trusted-proxies=127.0.0.1/32',
    ],
  });
  await t.test('the browser shows the user, and no sign-out', async (t) => {
    const page = await openPage(t, { extraHTTPHeaders: { 'Remote-User': 'ada' } });
    await page.goto(service.url);
    await createInPage(page);
    await page.getByRole('banner').getByText('ada').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign out' }).count(), 0);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'My links' }).waitFor();
  });
});

test('the pages of an open service ask for no key', async (t) => {
  const service = await startService(t);
  for (const stale of ['', 'postern_stale']) {
    await t.test(stale === '' ? 'without a key' : `with ${stale} in the tab`, async (t) => {
      const page = await openPage(t);
      if (stale) {
        await page.addInitScript(`if (location.pathname === '/' && !sessionStorage.length)
          sessionStorage.setItem('postern.key', '${stale}')`);
      }
      await page.goto(service.url);
      await createInPage(page);
      assert.equal(await page.getByText(/sign (in|out)/i).count(), 0);
      await page.goto(`${service.url}/sign-in?to=dashboard`);
      await page.getByText('You can use this service without signing in.').waitFor();
      await assertAccessible(page);
      await page.getByRole('link', { name: 'Continue' }).click();
      await page.waitForURL(/\/dashboard/);
    });
  }
});

test('markup in the name of a key or a user is shown as text', async (t) => {
  const name = '"><img src=x onerror="document.title=1"><script>document.title=2</script>';
  const service = await startService(t, {
    flags: [
      '--app.access=keys',
      '--app.access.user-header=Remote-User',
      '--app.access.user-scopes=create',
      '--app.trusted-proxies=127.0.0.1/32',
    ],
  });
  const assertShownAsText = async (page: Page) => {
    await page.getByRole('banner').getByText(name, { exact: true }).waitFor();
    assert.equal(await page.locator('img[src=x], body script:not([src])').count(), 0);
    assert.ok(!['1', '2'].includes(await page.title()));
  };
  await t.test('the pages of a key and of a user show it as text', async (t) => {
    const withKey = await openSignedIn(t, service, await addKey(service, name, SCOPES));
    const withUser = await openPage(t, { extraHTTPHeaders: { 'Remote-User': name } });
    await withUser.goto(service.url);
    for (const page of [withKey, withUser]) {
      await assertShownAsText(page);
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.waitForURL(/\/dashboard/);
      await assertShownAsText(page);
    }
  });
});
