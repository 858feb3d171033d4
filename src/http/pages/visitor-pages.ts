import { formatDateTime } from '../../common/format.ts';
import * as ICONS from '../../common/icons.ts';
import { formatInstant } from '../../core/model/instant.ts';
import type { EpochMs } from '../../core/model/link.ts';
import { tryToDecode } from '../../core/model/percent-encoding.ts';
import { toShownFile } from '../../core/use-cases/change/describe-link.ts';
import type { FileList } from '../../core/use-cases/files/resume-download.ts';
import type { AboutLink, Introduction } from '../../core/use-cases/visit/about-link.ts';
import { checksum, commandBox, commandOffer, fileBox, fileLinks, nameList } from './file-list.ts';
import { breakable, type Html, html, icon, NOTHING, type Page, type PageParts, renderPage } from './page.ts';
import type { Notice } from './texts/en.ts';
import type { Visitor } from './visitor.ts';

// The pages of a visitor who opens a link in a browser. None of them shows more of a URL than its host.

const NOTICES = {
  NOT_FOUND: { path: ICONS.SEARCH, tone: 'ended' },
  FILE_NOT_FOUND: { path: ICONS.FILE_MISSING, tone: 'ended' },
  OTHER_BROWSER: { path: ICONS.SHIELD, tone: 'ended' },
  DOWNLOAD_ENDED: { path: ICONS.FILE_MISSING, tone: 'ended' },
  REVOKED: { path: ICONS.BAN, tone: 'ended' },
  EXPIRED: { path: ICONS.CLOCK, tone: 'ended' },
  VIEW_LIMIT_REACHED: { path: ICONS.EYE_OFF, tone: 'ended' },
  REQUEST_FULL: { path: ICONS.INBOX, tone: 'ended' },
  UNEXPECTED_STATE: { path: ICONS.PAUSED, tone: 'ended' },
  PAUSED: { path: ICONS.PAUSED, tone: 'open' },
  NOT_STARTED: { path: ICONS.CLOCK, tone: 'open' },
  RATE_LIMITED: { path: ICONS.PAUSED, tone: 'error' },
  CODES_LIMITED: { path: ICONS.PAUSED, tone: 'error' },
  CODES_UNAVAILABLE: { path: ICONS.WARNING, tone: 'error' },
  OVERLOADED: { path: ICONS.WARNING, tone: 'error' },
  SERVER_ERROR: { path: ICONS.WARNING, tone: 'error' },
  CROSS_SITE: { path: ICONS.SHIELD, tone: 'error' },
  UNREADABLE_FORM: { path: ICONS.WARNING, tone: 'error' },
} satisfies Record<Notice, { path: string; tone: PageParts['tone'] }>;

/** Returns true for the code of an error that has a notice of its own. */
export function isNotice(code: string): code is Notice {
  return Object.hasOwn(NOTICES, code);
}

const cache = new Map<string, Page>();

/** Renders a page once per language if it is the same for every visitor, so that many visits cost little. */
function cached(name: string, { language, config, brand }: Visitor, render: () => Page): Page {
  const key = `${name} ${language} ${config.contacts.abuse} ${config.contacts.operator} ${config.baseUrl} ${brand.key}`;
  const page = cache.get(key) ?? render();
  cache.set(key, page);
  return page;
}

/** Returns the page that explains why a link was not opened. */
export function noticePage(notice: Notice, visitor: Visitor): Page {
  return cached(notice, visitor, () => renderNotice(notice, visitor));
}

/** Returns the page of a visit that a limit refused, and when to try again: in minutes up to an hour. */
export function limitedPage(
  visitor: Visitor,
  retryAfterMs: number,
  notice: 'RATE_LIMITED' | 'CODES_LIMITED',
): Page {
  const minutes = Math.ceil(retryAfterMs / 60_000);
  const hours = Math.ceil(minutes / 60);
  const [key, count] = hours > 1 ? (['limited.hours', hours] as const) : (['limited.wait', minutes] as const);
  return cached(`${notice} ${key} ${count}`, visitor, () =>
    renderNotice(notice, visitor, html`<p class="box">${visitor.t(key, { count })}</p>`),
  );
}

/** Returns the page of a link that opens later. It is not cached: each link has a time of its own. */
export function notStartedPage(visitor: Visitor, startsAt: EpochMs): Page {
  const opens = html`<p class="box">${textWithTime(visitor, 'opens', startsAt)}</p>`;
  return renderNotice('NOT_STARTED', visitor, opens, true);
}

/** Returns the page of an address that is that of a link but for trailing characters. It names the link as `reference`. */
export function trailingCharactersPage(visitor: Visitor, reference: string): Page {
  const { t } = visitor;
  const title = t('trailing.title');
  const [path = ''] = reference.replace(/^[./]+/, '').split('?');
  const main = html`${heading(ICONS.SEARCH, title)}<p>${t('trailing.text')}</p>
<p class="box"><bdi>…/${tryToDecode(path) ?? path}</bdi></p>${openLink(t('redirect.open'), reference)}`;
  return render(visitor, { title, tone: 'open', main });
}

/** Returns the page of an internal error. @param reference names the error in the log */
export function serverErrorPage(visitor: Visitor, reference: string): Page {
  const details = html`<small>${visitor.t('reference')}<code>${reference}</code></small>`;
  return renderNotice('SERVER_ERROR', visitor, details);
}

function renderNotice(notice: Notice, visitor: Visitor, details = NOTHING, hasScript = false): Page {
  const { t } = visitor;
  const title = t(`notice.${notice}.title`);
  const { path, tone } = NOTICES[notice];
  const link = notice === 'CROSS_SITE' ? openLink(t('open')) : NOTHING;
  const operator = tone === 'ended' ? contactLink(visitor) : NOTHING;
  const main = html`${heading(path, title)}<p>${t(`notice.${notice}.text`)}</p>${operator}${link}${details}`;
  return render(visitor, { title, tone, main, hasScript });
}

/** The reason for which the password of a form was refused. */
type PasswordError = 'missing' | 'wrong';

/**
 * Returns the password form. It reveals nothing of the link, neither its kind nor its limits, but what its creator wants to be
 * read before. After the right password, the
 * script shows the confirmation page of a link with `confirm`, and of a file.
 */
export function passwordPage(visitor: Visitor, error?: PasswordError, shown?: Introduction): Page {
  if (shown) return renderPasswordPage(visitor, error, shown);
  return cached(`password ${error}`, visitor, () => renderPasswordPage(visitor, error));
}

function renderPasswordPage(visitor: Visitor, error?: PasswordError, shown?: Introduction): Page {
  const { t } = visitor;
  const title = t('password.title');
  const message = error && t(`password.${error}`);
  const main = html`${guardedStart(visitor, ICONS.LOCK, title, shown)}<p>${t('password.text')}</p>
<form method="post" accept-charset="utf-8" data-ask>
<label for="password">${t('password.field')}</label>
<input id="password" name="password" type="password" required autofocus autocomplete="off" autocapitalize="none" spellcheck="false"${
    message ? html` aria-invalid="true" aria-describedby="error"` : NOTHING
  }>
${message ? html`<p id="error" class="field-error" role="alert">${message}</p>` : NOTHING}
<label class="show" hidden><input type="checkbox" data-show>${t('password.show')}</label>
<button class="button button-main">${t('password.open')}</button>
</form>`;
  // What comes next may be a page with a further script, which this page loads then.
  return render(visitor, { title: message ?? title, tone: 'open', main, hasForm: true, further: 'LATER' });
}

/**
 * Returns the page that describes a link and opens it with a button. Nothing is spent before that. After a password, the
 * script presses the button itself, unless the creator wants a confirmation.
 */
export function confirmPage(visitor: Visitor, about: AboutLink): Page {
  const { t } = visitor;
  const kind = kindOf(about);
  const { title, start } = startOf(visitor, about, kind);
  const main = html`${start}<p>${t(`${kind}.text`)}</p>${hostBox(about)}${aboutFile(visitor, about)}${terms(visitor, about)}
<form method="post"${about.confirm ? NOTHING : html` data-now`}${kind === 'download' ? html` data-load` : NOTHING}>
<button class="button button-main">${t(`${kind}.open`)}</button>${kind === 'download' && !about.needsCode ? commandOffer(visitor) : NOTHING}
</form>`;
  return render(visitor, { title, tone: 'open', main, head: previewCard(visitor), hasForm: true });
}

/** Returns what messengers show of a link: nothing of its target. */
export function previewCard({ t, brand }: Visitor): Html {
  return html`<meta property="og:title" content="${t('preview.title')}">
<meta property="og:description" content="${t('preview.text')}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${brand.name}">
<meta name="twitter:card" content="summary">
`;
}

/** What a link leads to, as its confirmation page says it. `sent`: the text of what a person sends. */
const KINDS = {
  download: { path: ICONS.DOWNLOAD, sent: 'sender.file' },
  encrypted: { path: ICONS.LOCK, sent: 'sender.encrypted' },
  files: { path: ICONS.DOWNLOAD, sent: 'sender.files' },
  redirect: { path: ICONS.OPEN, sent: 'sender.link' },
  shown: { path: ICONS.EYE, sent: 'sender.file' },
  text: { path: ICONS.EYE, sent: 'sender.text' },
} as const;
type Kind = keyof typeof KINDS;
type SentText = (typeof KINDS)[Kind]['sent'];

/** Returns what the button of a confirmation page does. */
function kindOf({ type, isText, files, file }: AboutLink): Kind {
  if (type === 'REDIRECT') return 'redirect';
  if (file?.encrypted) return 'encrypted';
  if (files) return 'files';
  return isText ? 'text' : file?.viewable ? 'shown' : 'download';
}

/** Returns the title of a page before a link opens, and its start: who sends what, or to whom it was sent, and the message. */
export function startOf(visitor: Visitor, shown: Introduction, kind: Kind): { title: string; start: Html } {
  const { t } = visitor;
  const { path, sent } = KINDS[kind];
  const { senderName: name } = shown;
  const title = name === null ? t(`${kind}.title`) : t(sentText(sent, shown), { name });
  return {
    title,
    start: html`${sentHeading(visitor, path, sent, shown) ?? heading(path, title)}${aboutSender(visitor, shown)}`,
  };
}

/** Renders the start of a page that asks for a password or a code. `shown`: what the creator wants to be read before. */
export function guardedStart(visitor: Visitor, path: string, title: string, shown?: Introduction): Html {
  const sent = shown && sentHeading(visitor, path, 'sender.link', shown);
  const note = aboutSender(visitor, shown);
  return sent ? html`${sent}${note}<h2>${title}</h2>` : html`${heading(path, title)}${note}`;
}

/** Returns the text that says who sends what, or to whom the files of a file request were sent. */
function sentText(sent: SentText, { isReceived }: Introduction) {
  if (!isReceived) return sent;
  return sent === 'sender.file' ? 'sender.receivedFile' : 'sender.received';
}

/** Renders the heading that says who sends what, if that is known. A name may be of a script that runs to the left. */
function sentHeading({ t }: Visitor, path: string, sent: SentText, shown: Introduction): Html | null {
  const { senderName } = shown;
  if (senderName === null) return null;
  const [before = '', after = ''] = t(sentText(sent, shown), { name: '{name}' }).split('{name}');
  return heading(path, html`${before}<bdi>${senderName}</bdi>${after}`);
}

/** Renders who vouches for the sender's name, or whose page it is, and the message. */
function aboutSender(visitor: Visitor, shown?: Introduction): Html {
  const { t, config } = visitor;
  const ofService = t('sender.service', { host: new URL(config.baseUrl).host });
  const unnamed = shown && !shown.isReceived ? `${t('sender.none')} ${ofService}` : ofService;
  const note = shown && shown.senderName !== null ? vouchFor(visitor, shown.account) : unnamed;
  return html`<p class="sender">${note}</p>${messageOf(shown)}`;
}

/** Renders what is known of the file or the files before they are downloaded: nothing of a text, which could be guessed. */
function aboutFile(visitor: Visitor, { file, files, isText }: AboutLink): Html {
  if (!file || isText) return NOTHING;
  const details = files ? nameList(visitor, files) : checksum(visitor, file.sha256);
  return html`${fileBox(visitor, file)}${details}`;
}

/**
 * Returns the page of a lease: it offers the files of a set one by one and as a ZIP, or the one file of a link, of which the
 * script of the confirmation page shows that its download has started. A command would lack the cookie of a bound lease.
 */
export function filesPage(
  visitor: Visitor,
  { introduction, file, files, isBound }: FileList,
  page: number,
): Page {
  const { t } = visitor;
  const { fileName, sha256 } = file;
  const shown = toShownFile({ type: 'DOWNLOAD', file });
  const kind = files ? 'files' : 'download';
  const { title, start } = startOf(visitor, introduction, kind);
  const main = html`${start}
<p>${t('files.again')}</p>${shown ? fileBox(visitor, shown) : NOTHING}
<p><a class="button button-main" href="${encodeURIComponent(fileName)}" data-again="${t('download.again')}">${t(files ? 'files.zip' : 'download.open')}</a></p>
<p role="status" data-started="${t('download.started')}"></p>
${files ? fileLinks(visitor, files, page) : checksum(visitor, sha256)}${isBound ? NOTHING : commandBox(visitor, fileName, { isOpen: !files })}`;
  return render(visitor, { title, tone: 'open', main, hasScript: true });
}

/** Returns the page for a browser that prefetches a link: its visitor opens the link from there. */
export function prefetchPage(visitor: Visitor): Page {
  const { t } = visitor;
  return cached('prefetch', visitor, () => {
    const title = t('preview.title');
    const main = html`${heading(ICONS.OPEN, title)}<p>${t('preview.text')}</p>${openLink(t('open'))}`;
    return render(visitor, { title, tone: 'open', main });
  });
}

/** Renders a page with what the settings show on every page. */
export function render(
  { language, t, config, brand }: Visitor,
  parts: Omit<PageParts, 'language' | 'brand' | 'footer'>,
): Page {
  const { abuse } = config.contacts;
  const footer = abuse === null ? NOTHING : html`<a href="${abuse}">${t('abuse')}</a>`;
  return renderPage({ ...parts, language, brand, footer });
}

export function heading(path: string, title: string | Html): Html {
  return html`<div class="tile">${icon(path)}</div><h1 tabindex="-1">${title}</h1>`;
}

/** Renders a link to whom visitors can ask, where the administrator has set it. */
export function contactLink({ t, config: { contacts } }: Visitor): Html {
  const { operator } = contacts;
  return operator === null ? NOTHING : html`<p><a href="${operator}">${t('contact')}</a></p>`;
}

function openLink(text: string, reference = ''): Html {
  return html`<p><a class="button button-main" href="${reference}">${text}</a></p>`;
}

/** Renders the host of the target. A name outside ASCII is shown in both spellings, because letters can look alike. */
function hostBox({ host }: AboutLink): Html {
  if (!host) return NOTHING;
  const { ascii, unicode } = host;
  return unicode === null
    ? html`<p class="box"><bdi>${breakable(ascii)}</bdi></p>`
    : html`<p class="box"><bdi>${unicode}</bdi>${ascii}</p>`;
}

/** Renders the limits of the link. */
export function terms(visitor: Visitor, about: AboutLink): Html {
  const { t } = visitor;
  const { viewsLeft, expiresAt } = about;
  const items: Html[] = [];
  if (viewsLeft !== null) {
    const counts = t(kindOf(about) === 'download' ? 'download.counts' : 'views.counts');
    items.push(html`<li data-before>${t('views.left', { count: viewsLeft })}. ${counts}</li>`);
  }
  if (expiresAt !== null) items.push(html`<li>${textWithTime(visitor, 'expires', expiresAt)}</li>`);
  return items.length === 0 ? NOTHING : html`<ul>${items}</ul>`;
}

/** Renders who requests files, who vouches for that name, and what they write. */
export function introduceRequest(visitor: Visitor, shown: Introduction): Html {
  return html`${correspondent(visitor, shown)}${messageOf(shown)}`;
}

function messageOf(shown?: Introduction): Html {
  return !shown || shown.message === null ? NOTHING : html`<p class="message">${shown.message}</p>`;
}

/** Renders who requests files, if that is known, and who vouches for that name. */
export function correspondent(visitor: Visitor, { senderName, account }: Introduction): Html {
  if (senderName === null) return NOTHING;
  return html`<p class="message"><strong><bdi>${visitor.t('request.from', { name: senderName })}</bdi></strong><small>${vouchFor(visitor, account)}</small></p>`;
}

/** Returns who vouches for a name: the account of the link, or no one. */
export function vouchFor({ t }: Visitor, account: string | null): string {
  return account === null ? t('sender.unverified') : t('sender.account', { name: account });
}

/** Returns a text with a time in UTC, which is an element: the script replaces it with the visitor's own time. */
export function textWithTime(
  { locale, t }: Visitor,
  key: 'expires' | 'opens' | 'request.until' | 'receipt.at',
  at: EpochMs,
): Html {
  const [before = '', after = ''] = t(key, { time: '{time}' }).split('{time}');
  const seconds = key === 'receipt.at' ? '2-digit' : ''; // what proves something says it exactly
  const time = html`<time datetime="${formatInstant(at)}"${seconds === '' ? NOTHING : html` data-seconds`}>${formatDateTime(new Date(at), locale, 'UTC', seconds)}</time>`;
  return html`${before}${time}${after}`;
}
