import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FAVICON, MARK } from './icons.ts';
import type { Language } from './texts/texts.ts';

/** Markup that is safe to put into a page as it is. */
export type Html = { readonly markup: string };

/** Builds markup; whatever is put in is text, unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...values: (string | number | Html | Html[])[]): Html {
  const parts = values.map((value) => {
    if (Array.isArray(value)) return value.map((part) => part.markup).join('');
    return typeof value === 'object' ? value.markup : escapeHtml(String(value));
  });
  return { markup: strings.reduce((page, part, index) => page + parts[index - 1] + part) };
}

export const NOTHING: Html = { markup: '' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Style and script are part of the page, which so needs nothing but itself; the policy knows them by their hash. */
const STYLE = withoutSpace(
  read(new URL('../../../web/tokens.css', import.meta.url)) + read(new URL('page.css', import.meta.url)),
);
const SCRIPT = read(new URL('page.js', import.meta.url))
  .replaceAll(/^\s*(\/\/|\/\*\*).*\n/gm, '')
  .replaceAll(/^ +/gm, '');

function read(file: URL): string {
  return readFileSync(file, 'utf8');
}

function withoutSpace(css: string): string {
  return css
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim();
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * What a form's page may do beside: run the script above, ask this service, and send the form, whose answer may lead
 * to any target: browsers hold a policy for forms against where the answer leads, too.
 */
const POLICY_WITH_FORM = [
  ...POLICY,
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  "form-action 'self' http: https:",
];

/** A page as it is sent: its headers, names and values in turn, and its markup. */
export type Page = { headers: readonly string[]; body: string };

export type PageParts = {
  language: Language;
  title: string;
  /** Names what the page looks like. */
  look: 'open' | 'over' | 'fault';
  main: Html;
  head?: Html;
  hasForm?: boolean;
};

/** A whole page that needs nothing but itself, for one visitor at one moment. */
export function renderPage({
  language,
  title,
  look,
  main,
  head = NOTHING,
  hasForm = false,
}: PageParts): Page {
  const body = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}<link rel="icon" href="${FAVICON}">
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main class="${look}">${main}</main>
<footer>${MARK}Postern</footer>
${hasForm ? { markup: `<script>${SCRIPT}</script>\n` } : NOTHING}</body>
</html>
`.markup;
  return { headers: hasForm ? FORM_HEADERS : HEADERS, body };
}

const COMMON = [
  ...['content-type', 'text/html; charset=utf-8'],
  ...['cache-control', 'no-store'],
  ...['vary', 'Accept, Accept-Language'],
];
const HEADERS = [
  ...COMMON,
  ...['content-security-policy', [...POLICY, "form-action 'none'"].join('; ')],
  ...['referrer-policy', 'no-referrer'],
];
/** Without a Referer, a browser would not tell the form's own origin either, and nobody else's learns it so. */
const FORM_HEADERS = [
  ...COMMON,
  ...['content-security-policy', POLICY_WITH_FORM.join('; ')],
  ...['referrer-policy', 'same-origin'],
];
