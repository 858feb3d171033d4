import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAIL_TEXTS } from '../../src/adapters/delivery/mail-texts.ts';
import {
  renderCodeMail,
  renderLinkMail,
  renderMail,
  renderReceipt,
} from '../../src/adapters/delivery/render-mail.ts';
import { LANGUAGES } from '../../src/common/languages.ts';
import { type LinkMailPayload, mergePayloads } from '../../src/core/use-cases/notify/payload.ts';

const SENDER = { name: '', address: 'links@example.com' };
const HISTORY_URL = 'https://links.example/go/links/abc12345';

/** Returns the payload of one round in which a link was opened so often, up to the end of its history. */
function round(entryCount: number, times: number, ipAddress: string | null = '192.0.2.7'): string {
  const events = Array.from({ length: times }, (_, index) => ({
    at: '2026-06-15T12:00:00.000Z',
    number: entryCount - times + index + 1,
    ipAddress,
  }));
  const fingerprint = String(entryCount % 10).repeat(64);
  const data = { shortCode: 'abc12345', historyUrl: HISTORY_URL, entryCount, fingerprint, eventCount: times };
  return JSON.stringify({ type: 'link.opened', data: { ...data, events } });
}

for (const language of Object.keys(LANGUAGES)) {
  test(`a mail has its facts in ${language}, as text and as HTML without anything to load`, () => {
    const { subject, text, html } = renderMail({ payload: round(2, 1), language }, SENDER);
    assert.match(subject, /abc12345/);
    for (const fact of ['192.0.2.7', SENDER.address, HISTORY_URL, '2'.repeat(64), '2026']) {
      assert.ok(text.includes(fact), fact);
      assert.ok(html.includes(fact), fact);
    }
    const hrefs = [...html.matchAll(/<a href="([^"]*)">\1<\/a>/g)].map(([, href]) => href);
    assert.deepEqual(hrefs, [HISTORY_URL, `${HISTORY_URL}#edit`], 'the history, and where mails are stopped');
    assert.doesNotMatch(subject + text + html, /[{}]|undefined/);
    assert.doesNotMatch(html, /<(img|script|link|style|iframe)|src=/);
    assert.match(html, new RegExp(`<html lang="${language}">`));
  });
}

test('the subject of a mail has the label and the recipient of the link, whose addresses are no links', () => {
  const subjectOf = (names: object, language = 'en', events?: object[]): string => {
    const { type, data } = JSON.parse(round(2, 1));
    const payload = JSON.stringify({ type, data: { ...data, ...names, ...(events && { events }) } });
    return renderMail({ payload, language }, SENDER).subject;
  };
  const named = { label: 'Offer Müller', recipient: 'Jürgen Müller' };
  const arrivals = [{ at: '2026-06-15T12:00:00.000Z', number: 2, arrived: { label: null }, fileCount: 3 }];
  assert.equal(subjectOf(named), '“Offer Müller” was opened (Jürgen Müller)');
  assert.equal(subjectOf(named, 'de'), '„Offer Müller“ wurde geöffnet (Jürgen Müller)');
  assert.equal(subjectOf({ ...named, label: null }), 'Your link abc12345 was opened (Jürgen Müller)');
  const ofFile = { ...named, label: null, fileName: 'Contract.pdf', recipient: null };
  assert.equal(subjectOf(ofFile), '“Contract.pdf” was opened');
  const ofSet = { ...ofFile, fileName: 'Contract.pdf + 2.zip', isSet: true };
  assert.equal(subjectOf(ofSet, 'de'), '„Contract.pdf und 2 weitere Dateien“ wurde geöffnet');
  const received = { label: 'Offer Müller', fileCount: 3 };
  assert.equal(subjectOf(received, 'en', arrivals), '3 files arrived: “Offer Müller”');
  const asked = { label: null, fileCount: 1, requestMessage: 'Passport\n and  payslip' };
  assert.equal(subjectOf(asked, 'en', arrivals), '1 file arrived: Passport and payslip');
  const long = subjectOf({ ...asked, requestMessage: 'https://evil.example '.repeat(9) }, 'en', arrivals);
  assert.match(long, /^1 file arrived: https evil\.example .{1,45}…$/);
  assert.equal(
    subjectOf({ label: 'https://evil.example', recipient: 'www.evil.example' }),
    '“https evil.example” was opened ( evil.example)',
  );
});

test('a mail distinguishes fetches by bots from openings, in its subject and its list', () => {
  const mailOf = (...fetched: boolean[]) => {
    const events = fetched.map((isFetched, index) => ({
      ...{ at: '2026-06-15T12:00:00.000Z', number: index + 2, ipAddress: '192.0.2.7' },
      ...(isFetched && { isFetched }),
    }));
    const { type, data } = JSON.parse(round(4, events.length));
    const fetchCount = fetched.filter(Boolean).length;
    const payload = JSON.stringify({ type, data: { ...data, fetchCount, events } });
    return renderMail({ payload, language: 'en' }, SENDER);
  };
  const { subject, text } = mailOf(true);
  assert.equal(subject, 'Your link abc12345 was fetched by a program');
  assert.match(text, /: fetched by a program \(a chat or scanner\) from 192\.0\.2\.7$/m);
  assert.equal(mailOf(true, true).subject, 'Your link abc12345 was fetched 2 times by programs');
  const mixed = mailOf(true, false, true);
  assert.equal(mixed.subject, 'Your link abc12345 was opened');
  assert.equal(mixed.text.match(/: fetched by/g)?.length, 2);
});

test('each language has texts of its own', () => {
  for (const key of ['opened', 'fetched', 'history', 'fingerprint', 'keep', 'stop', 'ask'] as const) {
    const texts = Object.values(MAIL_TEXTS).map((messages) => messages[key]);
    assert.equal(new Set(texts).size, Object.keys(LANGUAGES).length, key);
  }
});

test('several rounds become one mail with the newest fingerprint, also when they were added out of order', () => {
  const payload = [round(10, 2, '192.0.2.1'), round(12, 1, null)].reduce(
    (waiting, added) => mergePayloads('MAIL', waiting, added),
    round(40, 30),
  );
  const { subject, text } = renderMail({ payload, language: null }, SENDER);
  assert.equal(subject, 'Your link abc12345 was opened 33 times');
  assert.equal(text.match(/^- .*opened from 192\.0\.2\.7$/gm)?.length, 20);
  assert.match(text, /^- 13 more before$/m);
  assert.match(text, /^The history has 40 entries\.$/m);
  assert.match(text, /: 0{64}$/m);
});

test('markup in an address is text', () => {
  const { html } = renderMail({ payload: round(1, 1, '<b>&"'), language: 'en' }, SENDER);
  assert.ok(html.includes('&lt;b&gt;&amp;&quot;'));
  assert.ok(!html.includes('<b>'));
});

test('mails to recipients have nothing that a mail program makes a link of, also with a short code like an address', () => {
  const shortCode = 'evil.example/www.a.b';
  const receipt = JSON.stringify({ shortCode, at: 0, number: 7, fingerprint: '1'.repeat(64) });
  for (const language of Object.keys(LANGUAGES))
    for (const { subject, text, html } of [
      renderCodeMail(
        { address: 'ann@example.com', code: '012345', shortCode, language, at: 0 },
        'https://links.example.com:8443/go',
      ),
      renderReceipt({ payload: receipt, language }, 'https://links.example.com:8443/go'),
    ]) {
      assert.doesNotMatch(subject + text + html, /[{}]|undefined|<a |href|:\/\//);
      assert.doesNotMatch(subject + text + html, /[\p{L}\d]\.\p{L}/u, 'no name of a host');
      assert.match(text, /012345|1{64}/);
      assert.match(text, /evil\. example/);
      assert.match(text, /links \p{L}+ example \p{L}+ com\b/u, 'the service, in words');
    }
});

test('a receipt names the page that checks a history, and a code mail says that the service does not know who asked', async () => {
  const receipt = JSON.stringify({ shortCode: 'abc12345', at: 0, number: 7, fingerprint: '1'.repeat(64) });
  for (const language of Object.keys(LANGUAGES)) {
    const locale = (await import(`../../web/i18n/locales/${language}.ts`)) as Record<
      string,
      Record<string, string>
    >;
    const title = locale[language]?.['verify.title'] ?? assert.fail(language);
    const { text } = renderReceipt({ payload: receipt, language }, 'https://links.example');
    assert.ok(text.includes(title), language);
    assert.match(text, /\/verify\b/);
  }
  const code = { address: 'ann@example.com', code: '012345', shortCode: 'abc12345', language: 'en', at: 0 };
  assert.match(
    renderCodeMail(code, 'https://links.example').text,
    /link that ends in abc12345, of the service at links dot example\. .*: that is why the word “dot” stands for .* The service does not know who it was\./s,
  );
  const { text } = renderCodeMail(code, 'https://links');
  assert.match(text, /of the service at links\. The code works once, within 10 minutes/);
});

test('a mail with a link says no more than its facts, and its sender adds neither markup nor a link', () => {
  const facts: LinkMailPayload = {
    ...{
      url: 'https://links.example/l/abc12345',
      sender: 'eve <b>\r\nBcc: x@y.example https://evil.example',
    },
    ...{ replyTo: null, isRequest: false, startsAt: null, expiresAt: null, viewsLeft: 1 },
    ...{ isProtected: true, isEncrypted: true },
  };
  for (const language of Object.keys(LANGUAGES)) {
    const { subject, text, html } = renderLinkMail({ payload: JSON.stringify(facts), language });
    assert.doesNotMatch(subject + text + html, /[{}]|undefined|:\/\/evil/);
    assert.deepEqual(
      [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
      [facts.url],
    );
    assert.doesNotMatch(html, /<b>/);
    assert.doesNotMatch(text, /code|código/i);
    const withCode = renderLinkMail({ payload: JSON.stringify({ ...facts, needsCode: true }), language });
    assert.match(withCode.text, /code|código/i, language);
    assert.match(withCode.html, /code|código/i, language);
    const request = renderLinkMail({ payload: JSON.stringify({ ...facts, isRequest: true }), language });
    assert.notEqual(request.subject, subject);
    const contents = [undefined, 'FILE', 'FILES', 'TEXT'].map(
      (content) =>
        renderLinkMail({ payload: JSON.stringify({ ...facts, isEncrypted: false, content }), language })
          .subject,
    );
    assert.equal(new Set([subject, ...contents]).size, 5, 'each says what is sent');
  }
});

test('a mail writes times so that readers everywhere read them alike', () => {
  const timeIn = (language: string): string =>
    /- (.*? UTC)/.exec(renderMail({ payload: round(2, 1), language }, SENDER).text)?.[1] ?? '';
  assert.deepEqual(
    Object.keys(LANGUAGES)
      .map((language) => `${language} ${timeIn(language)}`)
      .sort(),
    [
      'de 15. Juni 2026, 12:00 UTC',
      'en 15 Jun 2026, 12:00 UTC',
      'es 15 jun 2026, 12:00 UTC',
      'fr 15 juin 2026, 12:00 UTC',
      'pt 15 de jun. de 2026, 12:00 UTC',
    ],
  );
});
