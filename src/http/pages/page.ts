import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { splitAtBreakPoints } from '../../common/break-points.ts';
import { BRAND } from '../../common/icons.ts';
import type { Language } from '../../common/languages.ts';
import type { Brand } from '../brand.ts';
import { findBuiltPages, readIfPresent } from '../built-pages.ts';
import { setHeaders } from '../headers.ts';

/** Markup that is safe to put into a page unescaped. */
export type Html = { readonly markup: string };

/** Builds markup. Values are escaped as text unless they are markup themselves. */
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

/** Returns a text whose lines break after the punctuation of an address rather than within a name. */
export function breakable(text: string): Html {
  return { markup: splitAtBreakPoints(text).map(escapeHtml).join('<wbr>') };
}

/** Returns an icon of `src/common/icons.ts`, hidden from screen readers, for use next to text of that meaning. */
export function icon(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
}

/** The brand with its own colour: a page's icon does not inherit one. */
const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#b4622f" stroke-width="2.5">` +
    `<path d="${BRAND}"/></svg>`,
)}`;

/** Returns the name of the brand with its logo. */
export function brandMark({ name, logo }: Brand): Html {
  return logo ? html`<img class="logo" src="${logo.dataUrl}" alt="">${name}` : html`${icon(BRAND)}${name}`;
}

/** A page as a response: headers as alternating names and values, and the markup. */
export type Page = { headers: readonly string[]; body: string };

export type PageParts = {
  language: Language;
  brand: Brand;
  title: string;
  /** The class of the page, which decides its colours. */
  tone: 'open' | 'ended' | 'error';
  main: Html;
  head?: Html;
  /** A page with a further script, which decrypts or sends files, also encrypted. LATER: its policy lets it load each. */
  further?: 'DECRYPT' | 'SEND' | 'ENCRYPT' | 'LATER';
  /** Follows the name of the service at the end of the page. */
  footer?: Html;
  hasForm?: boolean;
  /** True for a page whose script does its work alone: it shows times in the visitor's time zone, or copies a text. */
  hasScript?: boolean;
  /**
   * A page that shows a file. It runs nothing, and loads nothing but the file. PDF: browsers refuse to start their viewer inside a
   * sandboxed page, but not for a sandboxed file.
   */
  shows?: 'MEDIA' | 'PDF' | undefined;
};

/** The style and the scripts of `web/visitor/` as built. They are empty where the pages were not built. */
export type PageAssets = Record<
  'style' | 'script' | 'decryptScript' | 'encryptScript' | 'sendScript',
  string
>;

export function readPageAssets(directory: string | undefined): PageAssets {
  const read = (name: string) => (directory && readIfPresent(join(directory, 'visitor', name))?.trim()) ?? '';
  return {
    ...{ style: read('page.css'), script: read('page.js') },
    ...{ decryptScript: read('decrypt.js'), encryptScript: read('encrypt.js'), sendScript: read('send.js') },
  };
}

let assets: PageAssets | undefined;
/** The renderers by the key of their brand. A service has one; tests start several. */
const renderers = new Map<string, (parts: PageParts) => Page>();

/** Renders a whole page. The built assets are read when the first page is rendered. */
export function renderPage(parts: PageParts): Page {
  const { key, style } = parts.brand;
  assets ??= readPageAssets(findBuiltPages());
  const renderer =
    renderers.get(key) ?? prepareRenderPage({ ...assets, style: assets.style + (style?.text ?? '') });
  renderers.set(key, renderer);
  return renderer(parts);
}

/**
 * Prepares pages that contain their style and script, so that a page is one request. Without these assets
 * they are plain, and each does its work without JavaScript, unless contents are encrypted.
 */
export function prepareRenderPage(assets: PageAssets): (parts: PageParts) => Page {
  const { style, script, decryptScript, encryptScript, sendScript } = assets;
  const headers = prepareHeaders(assets);
  const styleElement = style === '' ? '' : `<style>${style}</style>\n`;
  const scriptElement = script === '' ? '' : `<script>${script}</script>\n`;
  const toElement = (text: string) => (text === '' ? '' : `<script data-further>${text}</script>\n`);
  const furtherElements = {
    DECRYPT: toElement(decryptScript),
    SEND: toElement(sendScript),
    ENCRYPT: toElement(sendScript) + toElement(encryptScript),
    LATER: '',
  };

  return ({
    language,
    brand,
    title,
    tone,
    main,
    head = NOTHING,
    footer = NOTHING,
    hasForm = false,
    hasScript = false,
    shows,
    further,
  }) => {
    const shownTitle = brand.isCustom ? `${title} – ${brand.name}` : title;
    const body = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${shownTitle}</title>
${head}<link rel="icon" href="${FAVICON}">
${{ markup: styleElement }}</head>
<body>
${brand.isCustom ? html`<header>${brandMark(brand)}</header>` : NOTHING}
<main class="card ${tone}">${main}</main>
<footer>${brand.isCustom ? NOTHING : brandMark(brand)}${footer}</footer>
${{ markup: hasForm || hasScript ? scriptElement : '' }}${{ markup: further ? furtherElements[further] : '' }}</body>
</html>
`.markup;
    const kindAlone = hasForm ? 'withForm' : hasScript ? 'withScript' : (shows ?? 'plain');
    const kind = further ?? kindAlone;
    return { headers: headers[kind], body };
  };
}

function prepareHeaders({ style, script, decryptScript, encryptScript, sendScript }: PageAssets) {
  const toHeaders = (policy: string[], referrerPolicy: string) => [
    ...['content-type', 'text/html; charset=utf-8'],
    ...['cache-control', 'no-store'],
    ...['vary', 'Accept, Accept-Language'],
    ...['content-security-policy', policy.join('; ')],
    ...['referrer-policy', referrerPolicy],
  ];
  const policy = [
    "default-src 'none'",
    ...(style === '' ? [] : [`style-src ${hashOf(style)}`]),
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  const scriptSource = script === '' ? [] : [`script-src ${hashOf(script)}`];
  // The form's response redirects to the target, which browsers check against this directive, too.
  const formTargets = "form-action 'self' http: https:";
  const own = script === '' ? [] : ["connect-src 'self'"];
  const policyWithForm = [...policy, ...scriptSource, ...own, formTargets];
  // Its workers start from texts that are part of it, so that the hash covers them, too.
  const policyWith = (...scripts: string[]) => {
    const sources = `script-src ${[script, ...scripts].map(hashOf).join(' ')}`;
    return [...policy, ...(script === '' ? [] : [sources, 'worker-src blob:']), ...own, formTargets];
  };
  return {
    plain: toHeaders([...policy, "form-action 'none'"], 'no-referrer'),
    withScript: toHeaders([...policy, ...scriptSource, "form-action 'none'"], 'no-referrer'),
    MEDIA: toHeaders(
      [...policy.filter((each) => !each.startsWith('img-src')), "img-src 'self' data:", MEDIA_SANDBOX],
      'no-referrer',
    ),
    PDF: toHeaders([...policy, "object-src 'self'; frame-src 'self'; form-action 'none'"], 'no-referrer'),
    // With `no-referrer` a browser would not send the form's origin either. Other sites learn nothing.
    withForm: toHeaders(policyWithForm, 'same-origin'),
    DECRYPT: toHeaders(policyWith(decryptScript), 'same-origin'),
    SEND: toHeaders(policyWith(sendScript), 'same-origin'),
    ENCRYPT: toHeaders(policyWith(sendScript, encryptScript), 'same-origin'),
    LATER: toHeaders(policyWith(decryptScript, encryptScript, sendScript), 'same-origin'),
  };
}

/** No script, no form, and an origin of its own. The file can be downloaded, and a link be opened beside it. */
const MEDIA_SANDBOX = "media-src 'self'; form-action 'none'; sandbox allow-downloads";

function hashOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

/** Sends a page with its headers and the status that was set. */
export function sendPage(reply: FastifyReply, { headers, body }: Page): FastifyReply {
  setHeaders(reply, headers);
  return reply.send(body);
}
