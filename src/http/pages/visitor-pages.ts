import type { AboutLink } from '../../links/resolve-link.ts';
import { type Icon, icon } from './icons.ts';
import { type Html, html, NOTHING, type Page, type PageParts, renderPage } from './page.ts';
import type { Notice } from './texts/texts.ts';
import { countText, sizeText, timeText, type Visitor } from './visitor.ts';

// The pages of whoever opens a link in a browser. None of them shows a target.

const NOTICES = {
  NOT_FOUND: { icon: 'unknown', look: 'over' },
  FILE_NOT_FOUND: { icon: 'missing', look: 'over' },
  REVOKED: { icon: 'withdrawn', look: 'over' },
  EXPIRED: { icon: 'clock', look: 'over' },
  VIEW_LIMIT_REACHED: { icon: 'spent', look: 'over' },
  UNEXPECTED_STATE: { icon: 'paused', look: 'over' },
  FAULT: { icon: 'fault', look: 'fault' },
  CROSS_SITE: { icon: 'shield', look: 'fault' },
  FORM: { icon: 'fault', look: 'fault' },
} satisfies Record<Notice, { icon: Icon; look: PageParts['look'] }>;

const kept = new Map<string, Page>();

/** Pages that are the same for all visitors of one language are made once, so that a storm of visits costs little. */
function keep(name: string, { language }: Visitor, make: () => Page): Page {
  const key = `${name} ${language}`;
  const page = kept.get(key) ?? make();
  kept.set(key, page);
  return page;
}

/** Says why a link is not opened. */
export function noticePage(notice: Notice, visitor: Visitor): Page {
  return keep(notice, visitor, () => makeNotice(notice, visitor));
}

/** Says that a fault was ours. @param reference by which whoever runs the service finds it in the log */
export function serverErrorPage(visitor: Visitor, reference: string): Page {
  return makeNotice('FAULT', visitor, reference);
}

function makeNotice(notice: Notice, visitor: Visitor, reference?: string): Page {
  const { language, texts } = visitor;
  const { title, text } = texts.notices[notice];
  const { icon: name, look } = NOTICES[notice];
  const more =
    reference === undefined ? NOTHING : html`<small>${texts.reference}<code>${reference}</code></small>`;
  const way = notice === 'CROSS_SITE' ? wayIn(texts.openHere) : NOTHING;
  return renderPage({
    language,
    title,
    look,
    main: html`${heading(name, title)}<p>${text}</p>${way}${more}`,
  });
}

/** What was the matter with what a form sent. */
type PasswordFault = 'missing' | 'wrong';

/** Asks for the password, and tells nothing of the link: neither its kind nor its limits. */
export function passwordPage(visitor: Visitor, fault?: PasswordFault): Page {
  return keep(`password ${fault}`, visitor, () => makePasswordPage(visitor, fault));
}

function makePasswordPage(visitor: Visitor, fault?: PasswordFault): Page {
  const { language, texts } = visitor;
  const { title, text, field, show, open } = texts.password;
  const told = fault && texts.password[fault];
  const main = html`${heading('lock', title)}<p>${text}</p>
<form method="post" accept-charset="utf-8" data-ask>
<label for="password">${field}</label>
<input id="password" name="password" type="password" required autofocus autocomplete="off" autocapitalize="none" spellcheck="false"${
    told ? html` aria-invalid="true" aria-describedby="wrong"` : NOTHING
  }>
${told ? html`<p id="wrong" class="wrong" role="alert">${told}</p>` : NOTHING}
<label class="show" hidden><input type="checkbox" data-show>${show}</label>
<button>${open}</button>
<p role="status" data-started="${texts.download.started}"></p>
</form>`;
  return renderPage({ language, title: told ?? title, look: 'open', main, hasForm: true });
}

/** Says what a link is about, with a button that opens it: nothing is spent before it is pressed. */
export function confirmPage(visitor: Visitor, about: AboutLink): Page {
  const { language, texts } = visitor;
  const isDownload = about.type === 'DOWNLOAD';
  const { title, text, open } = isDownload ? texts.download : texts.redirect;
  const started = isDownload ? html` data-started="${texts.download.started}"` : NOTHING;
  const main = html`${heading(isDownload ? 'file' : 'link', title)}
<p>${text}</p>${fileBox(visitor, about)}${limits(visitor, about)}
<form method="post">
<button>${open}</button>
<p role="status"${started}></p>
</form>`;
  const { preview } = texts;
  const head = html`<meta property="og:title" content="${preview.title}">
<meta property="og:description" content="${preview.text}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Postern">
<meta name="twitter:card" content="summary">
`;
  return renderPage({ language, title, look: 'open', main, head, hasForm: true });
}

/** What a browser may show that fetched it ahead of its visitor: they open the link from there. */
export function prefetchPage(visitor: Visitor): Page {
  return keep('prefetch', visitor, () => makePrefetchPage(visitor));
}

function makePrefetchPage({ language, texts }: Visitor): Page {
  const { title, text } = texts.preview;
  const main = html`${heading('link', title)}<p>${text}</p>${wayIn(texts.openHere)}`;
  return renderPage({ language, title, look: 'open', main });
}

function heading(name: Icon, title: string): Html {
  return html`<div class="icon">${icon(name)}</div><h1 tabindex="-1">${title}</h1>`;
}

function wayIn(text: string): Html {
  return html`<p class="act"><a href="">${text}</a></p>`;
}

function fileBox(visitor: Visitor, { file }: AboutLink): Html {
  if (!file) return NOTHING;
  return html`<p class="file"><bdi>${file.name}</bdi>${sizeText(file.sizeBytes, visitor)}</p>`;
}

function limits(visitor: Visitor, { viewsLeft, expiresAt }: AboutLink): Html {
  const { texts } = visitor;
  const facts: Html[] = [];
  if (viewsLeft !== null) {
    const left = countText(texts.viewsLeft, viewsLeft, visitor);
    facts.push(html`<li data-views>${left}. ${texts.countsAsView}</li>`);
  }
  if (expiresAt !== null) {
    const [before = '', after = ''] = texts.expires.split('{time}');
    const time = html`<time datetime="${new Date(expiresAt).toISOString()}">${timeText(expiresAt, visitor)}</time>`;
    facts.push(html`<li>${before}${time}${after}</li>`);
  }
  return facts.length === 0 ? NOTHING : html`<ul>${facts}</ul>`;
}
