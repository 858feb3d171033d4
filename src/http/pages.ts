import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2128; --soft: #59636e; --paper: #fbfaf7; --card: #fff; --line: #dcd9d2; --accent: #8a3b12; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e1; --soft: #a5a29b; --paper: #16181b; --card: #1e2125; --line: #34383e; --accent: #f0a070; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 40rem); place-content: center; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: .5rem 0; }
ul { padding-left: 1.25rem; }
a { color: var(--accent); }
small { color: var(--soft); }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; font-size: .875rem; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The headers that go with every page, names and values in turn: nothing is loaded, run or framed. */
export const PAGE_HEADERS: readonly string[] = [
  ...['content-type', 'text/html; charset=utf-8'],
  'content-security-policy',
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ...['referrer-policy', 'no-referrer'],
];

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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A whole page that needs nothing but itself. */
export function renderPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body><main>${body}</main></body>
</html>
`.markup;
}

/** The page of an error, for a browser's navigation: the same status and text as the error record. */
export function renderErrorPage(status: number, message: string): string {
  return renderPage(
    message,
    html`<h1>${message}</h1>
<p>${ADVICE[status] ?? ''}</p>
<p><small>Status ${status}</small></p>`,
  );
}

const ADVICE: Record<number, string> = {
  401: 'This link is protected. Send the password in the header X-Link-Password, for example with curl.',
  404: 'Check that the address is complete, or ask whoever gave it to you.',
  410: 'Whoever gave it to you can make a new one.',
  500: 'The fault is on our side and nothing was counted. Try again in a moment.',
};
