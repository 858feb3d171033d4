import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { prepareFormat } from '../../web/i18n/format.ts';
import { formatEnd, formatLifetime, isShorter } from '../../web/shell/lifetime.ts';
import { assertAccessible, type PageOptions, startBrowser } from '../support/browser.ts';
import {
  chooseSource,
  createdShortCode,
  createInPage,
  describeLink,
  TARGET,
} from '../support/create-page.ts';
import { asksBeforeLeaving, assertBecomes, assertFits, chooseInMenu } from '../support/pages.ts';
import { addPerson, sessionHeaders } from '../support/people.ts';
import { startService, type TestService, testClock } from '../support/service.ts';
import { SECRET } from '../support/webhook-receiver.ts';

const { openPage } = await startBrowser();

test('the create page shows the policy for links', async (t) => {
  const flags = ['--app.links.max-ttl=P7D', '--app.links.max-views=5', '--app.links.password-required=true'];
  const service = await startService(t, { flags, clock: testClock(Date.now()) });
  const page = await openPage(t, { device: 'phone' });
  await page.goto(service.url);
  await page.getByText('At most 7 days.', { exact: true }).waitFor();
  const choices = await page
    .getByRole('radio')
    .evaluateAll((all) => all.map(({ parentElement }) => parentElement?.textContent));
  assert.deepEqual(choices, [
    ...['URL', 'Files', 'Text', 'File request'],
    'In 7 days',
    'In 1 hour',
    'In 1 day',
    'On a date',
    'At most 5 views',
    'One view',
    'Custom',
  ]);
  const password = page.getByLabel('Password', { exact: true });
  assert.equal(await password.getAttribute('placeholder'), 'Required');
  await assertAccessible(page);
  await assertFits(page);

  await chooseSource(page, 'FILES');
  const ends = page.getByRole('radio', { name: 'In 7 days' });
  assert.equal(await ends.isChecked(), true, 'files end as the administrator says');
  await chooseSource(page, 'URL');
  await page.getByLabel('Paste a URL').fill(TARGET);
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Enter a password. This service requires one.').waitFor();
  await password.fill('open sesame');
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await describeLink(service, await createdShortCode(page));
  assert.equal(link['maxViews'], 5);
  assert.equal(Date.parse(String(link['expiresAt'])) - service.clock(), 7 * 86_400_000);
});

test('a link gets the domain and the code that its form names', async (t) => {
  const flags = ['--app.base-url=https://links.example', '--app.short-path=/', '--app.hosts=go.example'];
  const service = await startService(t, { flags });
  for (const device of ['phone', 'desktop'] as const) {
    const page = await openPage(t, { device });
    await page.goto(service.url);
    await page.getByLabel('Paste a URL').fill(TARGET);
    await page.getByText('More options', { exact: true }).click();
    await page.getByLabel('Custom short code').fill(`größe/${device}`);
    await page.getByRole('radio', { name: 'go.example' }).check();
    await assertAccessible(page);
    await assertFits(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText(`https://go.example/größe/${device}`, { exact: true }).waitFor();
    const link = await describeLink(service, encodeURIComponent(`größe/${device}`));
    assert.equal(link['accessUrl'], `https://go.example/gr%C3%B6%C3%9Fe/${device}`);
    await page.goto(`${service.url}/links/${encodeURIComponent(`größe/${device}`)}`);
    await page.getByText(`go.example/größe/${device}`, { exact: true }).waitFor();
    await assertFits(page);
    await page.close();
  }
});

test('a link notifies the addresses that its form names, if the service allows them', async (t) => {
  const flags = [
    ...[`--app.webhooks.secret=${SECRET}`, '--app.webhooks.per-link=everyone'],
    ...['--app.mail.url=smtp://127.0.0.1:9', '--app.mail.from=links@example.com'],
    ...['--app.mail.recipients=example.org', '--app.mail.per-link=everyone'],
  ];
  const service = await startService(t, { flags });
  await t.test('the form fits a phone', async (t) => {
    const page = await openPage(t, { device: 'phone' });
    await page.goto(service.url);
    await page.getByLabel('Paste a URL').fill(TARGET);
    await page.getByLabel('Notify me').fill('me@elsewhere.example');
    await page.getByText('For developers', { exact: true }).click();
    await page.getByLabel('Webhook URL').fill('https://hooks.example.org/links');
    await assertAccessible(page);
    await assertFits(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.locator('#notifyEmail[aria-invalid]:focus').waitFor();
    await page.getByLabel('Notify me').fill('me@example.org');
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'POST'),
      page.getByRole('button', { name: 'Create link' }).click(),
    ]);
    assert.deepEqual(sent.postDataJSON(), {
      targetUrl: TARGET,
      notifyEmail: 'me@example.org',
      notifyUrl: 'https://hooks.example.org/links',
    });
    await createdShortCode(page);
    const secret = page.locator('.secret-to-copy', { hasText: 'Webhook secret' });
    const shown = await secret.locator('code').innerText();
    assert.match(shown, /^whsec_/);
    await assertAccessible(page);
    await assertBecomes(() => asksBeforeLeaving(page), true);
    await page.getByRole('button', { name: 'Create another link' }).click();
    const question = page.getByRole('dialog', { name: 'Continue without the secret?' });
    await assertAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await secret.getByRole('button').click();
    await assertBecomes(() => asksBeforeLeaving(page), false);

    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit link' });
    await assertBecomes(() => edit.getByLabel('Webhook URL').inputValue(), 'https://hooks.example.org/links');
    await assertFits(page);
    await edit.getByLabel('Notify me').fill('');
    await edit.getByLabel('Webhook URL').fill('https://hooks.example.org/others');
    const [changed] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PATCH'),
      edit.getByRole('button', { name: 'Save changes' }).click(),
    ]);
    assert.deepEqual(changed.postDataJSON(), {
      notifyEmail: null,
      notifyUrl: 'https://hooks.example.org/others',
    });
    await edit.getByText(shown).waitFor();
    await assertAccessible(page);
    await assertBecomes(() => asksBeforeLeaving(page), true);
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'Continue without copying' }).click();
    await edit.waitFor({ state: 'detached' });
    await assertBecomes(() => asksBeforeLeaving(page), false);
    await page.getByRole('button', { name: 'Edit' }).click();
    await assertBecomes(
      () => edit.getByLabel('Webhook URL').inputValue(),
      'https://hooks.example.org/others',
    );
    assert.equal(await edit.getByLabel('Notify me').inputValue(), '');
  });
  await t.test('the copy of one secret does not end the warning for the other', async (t) => {
    const page = await openPage(t);
    await page.goto(service.url);
    await chooseSource(page, 'TEXT');
    await page.getByLabel('Your text').fill('hello');
    await page.getByText('More options', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Encrypt' }).check();
    await page.getByText('For developers', { exact: true }).click();
    await page.getByLabel('Webhook URL').fill('https://hooks.example.org/links');
    await page.getByRole('button', { name: 'Create link' }).click();
    const key = page.locator('.result-key');
    await key.getByRole('button', { name: 'Copy key' }).click();
    await key.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await asksBeforeLeaving(page), true);
    await page.locator('.secret-to-copy', { hasText: 'Webhook secret' }).getByRole('button').click();
    await assertBecomes(() => asksBeforeLeaving(page), false);
  });
});

const WITH_MAIL = [
  '--app.mail.url=smtp://127.0.0.1:9',
  '--app.mail.from=links@example.com',
  '--app.access=keys',
];

/** Opens the form for links as a person who has signed in. */
async function openAsAda(t: TestContext, service: TestService, options: PageOptions): Promise<Page> {
  const people = service.stores.store.people;
  const email = { email: 'ada@work.example', isEmailVerified: true };
  const ada = (await people.findPerson('ada')) ?? (await addPerson(service, 'ada', email));
  const { cookie } = await sessionHeaders(service, ada);
  const [name = '', value = ''] = cookie.split('=');
  const page = await openPage(t, options);
  await page.context().addCookies([{ name, value, url: service.url }]);
  await page.goto(service.url);
  return page;
}

test('a person who has signed in is notified at the own address, and the mail leads to where that ends', async (t) => {
  const flags = [
    '--app.mail.url=smtp://127.0.0.1:9',
    '--app.mail.from=links@example.com',
    '--app.access=keys',
  ];
  const service = await startService(t, { flags });
  const ada = await addPerson(service, 'ada', { email: 'ada@work.example', isEmailVerified: true });
  const { cookie } = await sessionHeaders(service, ada);
  const [name = '', value = ''] = cookie.split('=');
  const page = await openPage(t, {});
  await page.context().addCookies([{ name, value, url: service.url }]);
  await page.goto(service.url);
  await assertBecomes(() => page.getByLabel('Notify me').inputValue(), 'ada@work.example');
  await assertBecomes(() => asksBeforeLeaving(page), false);
  await assertAccessible(page);
  await page.getByLabel('Paste a URL').fill(TARGET);
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.method() === 'POST'),
    page.getByRole('button', { name: 'Create link' }).click(),
  ]);
  assert.deepEqual(sent.postDataJSON(), { targetUrl: TARGET, notifyEmail: 'ada@work.example' });
  const shortCode = await createdShortCode(page);
  await page.getByText('You will be notified by email: ada@work.example').waitFor();

  await page.goto(`${service.url}/links/${shortCode}#edit`);
  const edit = page.getByRole('dialog', { name: 'Edit link' });
  await assertBecomes(() => edit.getByLabel('Notify me').inputValue(), 'ada@work.example');
  await edit.getByLabel('Notify me').fill('');
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await edit.waitFor({ state: 'detached' });
  assert.equal((await service.stores.store.read(shortCode))?.terms.notifyEmail, null);
});

test('a person mails a new link to its recipient, as its history says', async (t) => {
  const service = await startService(t, { flags: WITH_MAIL });
  for (const options of [{ device: 'desktop' }, { device: 'phone', theme: 'dark' }] as const) {
    const page = await openAsAda(t, service, options);
    const shortCode = await createInPage(page);
    await page.getByRole('button', { name: 'Mail link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mail link' });
    await dialog.getByText('The recipient gets an email in your name').waitFor();
    assert.equal(await dialog.getByText('does not contain').count(), 0, 'it has no password and no key');
    await dialog.getByLabel('Email').fill('jane');
    await dialog.getByRole('button', { name: 'Mail link' }).click();
    await dialog.getByRole('alert').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await dialog.getByLabel('Email').fill('jane@elsewhere.example');
    await page.keyboard.press('Enter');
    await page.getByText('Link mailed to jane@elsewhere.example').waitFor();
    await assertAccessible(page);
    await assertFits(page);
    await page.goto(`${service.url}/links/${shortCode}`);
    await page.getByText('Link mailed to jane@elsewhere.example').first().waitFor();
    await chooseInMenu(page, 'Mail link');
    await dialog.getByText('The recipient gets an email in your name').waitFor();
    await dialog.getByLabel('Email').fill('bob@elsewhere.example');
    await page.keyboard.press('Enter');
    await page.locator('.link-card').getByText('mailed to bob@elsewhere.example').waitFor();
    await page.locator('.entry').getByText('mailed to bob@elsewhere.example').waitFor();
    for (const [hours, text] of [
      [12, /^The email to (jane|bob)@elsewhere.example \(.+\) has not been sent yet/],
      [96, /^The email to (jane|bob)@elsewhere.example \(.+\) could not be sent/],
    ] as const) {
      service.clock.now += hours * 3_600_000;
      await service.dispatcher?.tick();
      await service.dispatcher?.settled();
      const later = await openAsAda(t, service, options); // her session ends meanwhile
      await later.goto(`${service.url}/links/${shortCode}`);
      await later.getByText(text).first().waitFor(); // a failure delays the others of its server
      await assertAccessible(later);
      await assertFits(later);
    }
  }
});

test('before a link is mailed, the page says which of its secrets the mail lacks', async (t) => {
  const service = await startService(t, { flags: WITH_MAIL });
  const page = await openAsAda(t, service, {});
  for (const [secrets, lacks] of [
    [['password'], ['password']],
    [['key'], ['key']],
    [
      ['password', 'key'],
      ['password', 'key'],
    ],
  ]) {
    await page.goto(service.url);
    await chooseSource(page, 'TEXT');
    await page.getByLabel('Your text').fill('hello');
    if (secrets?.includes('password')) await page.getByLabel('Password', { exact: true }).fill('open sesame');
    if (secrets?.includes('key')) {
      await page.getByText('More options', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'Encrypt' }).check();
    }
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('button', { name: 'Mail link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mail link' });
    await dialog.getByText('The recipient gets').waitFor();
    for (const secret of lacks ?? []) await dialog.getByText(`does not contain the ${secret}`).waitFor();
    const notes = await dialog.getByText('The email does not contain the').allInnerTexts();
    assert.deepEqual(
      notes.map((note) => /contain the (\w+)/.exec(note)?.[1]),
      lacks,
    );
    if (secrets?.join() !== 'key') continue;
    await dialog.getByLabel('Email').fill('ann@example.com');
    await dialog.getByRole('button', { name: 'Mail link' }).click();
    await page
      .locator('.result-key', { hasText: 'The email does not contain the key. Send it separately.' })
      .getByRole('button', { name: 'Copy key' })
      .waitFor();
  }
});

test('a longest lifetime is shown in its own units', () => {
  const format = prepareFormat('en-GB');
  for (const [duration, shown] of [
    ['P7D', '7 days'],
    ['PT24H', '24 hours'],
    ['P1M', '1 month'],
    ['P1Y2M3W4DT5H6M7.5S', '1 year 2 months 3 weeks 4 days 5 hours 6 minutes 7.5 seconds'],
  ] as const) {
    assert.equal(formatLifetime(duration, format), shown);
  }
  assert.equal(formatLifetime('P30D', prepareFormat('de-DE')), '30 Tage');
});

test('the end of a default lifetime is shown in the language of the page', () => {
  for (const [locale, duration, shown] of [
    ['en-GB', 'P30D', 'In 30 days'],
    ['de-DE', 'P30D', 'In 30 Tagen'],
    ['fr-FR', 'P1M', 'Dans 1 mois'],
    ['es-ES', 'PT24H', 'Dentro de 24 horas'],
    ['pt-BR', 'P1W', 'Em 1 semana'],
    ['en-GB', 'P1DT12H', '1 day 12 hours'],
  ] as const) {
    assert.equal(formatEnd(duration, prepareFormat(locale)), shown);
  }
});

test('a default lifetime without a limit is shown, and the choices are in one row on a desktop', async (t) => {
  for (const flags of [
    ['--app.link.default-ttl=P30D'],
    ['--app.link.default-ttl=P30D', '--app.links.max-ttl=P365D', '--app.links.max-views=1000'],
  ]) {
    const service = await startService(t, { flags });
    for (const locale of ['en-GB', 'de-DE']) {
      const page = await openPage(t, { locale });
      await page.goto(service.url);
      await page.locator('.choice').nth(1).waitFor();
      const label = formatEnd('P30D', prepareFormat(locale));
      assert.equal(await page.locator('.choice').nth(1).locator('label').first().textContent(), label);
      for (const choice of await page.locator('.choice').all()) {
        const tops = await choice
          .locator('label')
          .evaluateAll((all) => all.map(({ offsetTop }) => offsetTop));
        assert.equal(new Set(tops).size, 1, `${locale}: ${await choice.innerText()}`);
      }
    }
  }
});

test('a choice is offered only if it ends within every lifetime of that length', () => {
  const amounts = fc.record({
    months: fc.nat(3),
    weeks: fc.nat(5),
    days: fc.nat(40),
    hours: fc.nat(50),
    minutes: fc.integer({ min: 1, max: 90 }),
  });
  const start = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(amounts, start, fc.integer({ min: 1, max: 60 * 86_400_000 }), (parts, at, ttlMs) => {
      const duration = Temporal.Duration.from(parts);
      const now = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO('UTC');
      const end = now.add(duration).epochMilliseconds;
      if (isShorter(ttlMs, String(duration))) assert.ok(at.getTime() + ttlMs < end);
    }),
  );
});
