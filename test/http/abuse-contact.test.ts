import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXTS } from '../../src/http/pages/texts/texts.ts';
import { isLanguage, LANGUAGES } from '../../src/i18n/languages.ts';
import { createLink, openLink } from '../support/links.ts';
import { startService, type TestService } from '../support/service.ts';

const NAVIGATION = 'text/html,*/*;q=0.8';

/** Returns every kind of visitor page in each language. */
async function pagesOf(service: TestService) {
  const links: [shortCode: string, headers: Record<string, string>][] = [
    [await createLink(service, { confirm: true }), {}],
    [await createLink(service, { password: 'secret' }), {}],
    [await createLink(service, { password: 'secret' }), { 'x-link-password': 'wrong' }],
    [await createLink(service), { 'sec-purpose': 'prefetch' }],
    ['unknown1', {}],
  ];
  const pages: { language: keyof typeof LANGUAGES; text: string }[] = [];
  for (const language of Object.keys(LANGUAGES).filter(isLanguage)) {
    for (const [shortCode, headers] of links) {
      const sent = { accept: NAVIGATION, 'accept-language': language, ...headers };
      pages.push({ language, text: (await openLink(service, shortCode, sent)).text });
    }
  }
  return pages;
}

test('every visitor page links to where abuse is reported', async (t) => {
  for (const [contact, href] of [
    ['abuse@links.example', 'mailto:abuse@links.example'],
    [`https://links.example/abuse?a='"&b`, 'https://links.example/abuse?a=%27%22&#38;b'],
  ] as const) {
    const service = await startService(t, { flags: [`--app.abuse-contact=${contact}`] });
    for (const { language, text } of await pagesOf(service)) {
      assert.ok(text.includes(`<a href="${href}">${TEXTS[language].abuse}</a>`), text);
    }
  }
});

test('no visitor page mentions abuse reports without a contact', async (t) => {
  for (const { language, text } of await pagesOf(await startService(t))) {
    assert.ok(!text.includes(TEXTS[language].abuse), text);
  }
});
