import { formatUtc } from '../../common/format.ts';
import { isLanguage, type Language } from '../../common/languages.ts';
import { prepareTranslate, type Translate } from '../../common/translate.ts';
import type { EpochMs } from '../../core/model/link.ts';
import type { ReceiptPayload } from '../../core/model/link-event.ts';
import { CODE_LIFETIME_MS } from '../../core/model/recipient-code.ts';
import { titleOfRequest } from '../../core/model/request-title.ts';
import { readSetTitle } from '../../core/model/set-title.ts';
import type { DueNotification } from '../../core/ports/notifications.ts';
import {
  type LinkMailPayload,
  MAX_MAILED_EVENTS,
  type Payload,
} from '../../core/use-cases/notify/payload.ts';
import type { MailSender } from '../../core/use-cases/notify/settings.ts';
import type { InvitationMail } from '../../core/use-cases/people/mail-invitation.ts';
import type { CodeMail } from '../../core/use-cases/visit/mail-codes.ts';
import { type ENGLISH, MAIL_TEXTS } from './mail-texts.ts';

/** The parts of a mail that its reader sees. */
export type MailContent = { subject: string; text: string; html: string };

type Arrived = { label: string | null };
type MailedEvent = {
  at: string;
  number: number;
  ipAddress?: string | null;
  recipientAddress?: string;
  isFetched?: true;
  arrived?: Arrived;
  /** Of the files that arrived. */
  fileCount?: number;
};
type MailPayload = Payload<MailedEvent>;
type T = Translate<typeof ENGLISH>;

/**
 * Renders the mail "Your link was opened", or "Files arrived", in its language. It loads nothing, and its links are
 * those of the service: the name of a sender cannot add one.
 *
 * @param from the administrator, as the mail names them
 */
export function renderMail(
  { payload, language }: Pick<DueNotification, 'payload' | 'language'>,
  from: MailSender,
): MailContent {
  const { data } = JSON.parse(payload) as MailPayload; // as toNotification wrote it
  const { chosen, t } = textsIn(language);
  const { historyUrl, entryCount, fingerprint, eventCount: count } = data;
  const events = data.events.slice(-MAX_MAILED_EVENTS);
  const listed = events.map((event) => {
    const time = formatUtc(new Date(event.at), chosen);
    return toEventText(event, time, t);
  });
  // The subject has it, unless the link has a label.
  const file = data.label && data.fileName && t('file', { file: withoutLinks(fileNameOf(data, t)) });
  const more = count - events.length;
  const sender = formatSender(from);
  const paragraphs = {
    subject: subjectOf(data, t),
    ...(file && { file }),
    list: [...listed.toReversed(), ...(more > 0 ? [t('more', { count: more })] : [])],
    history: t('history'),
    chain: [t('entries', { count: entryCount }), t('fingerprint', { fingerprint })],
    notes: [t('keep'), t('stop', { url: toEditUrl(historyUrl) }), t('ask', { sender })],
  };
  return {
    subject: paragraphs.subject,
    text: toText(paragraphs, historyUrl),
    html: toHtml(paragraphs, { historyUrl, language: chosen }),
  };
}

const formatSender = ({ name, address }: MailSender): string =>
  name === '' ? address : `${name} <${address}>`;

function toEventText(
  { ipAddress: address, recipientAddress: recipient, isFetched, arrived, fileCount = 1 }: MailedEvent,
  time: string,
  t: T,
) {
  if (arrived) {
    const files = t('files', { count: fileCount });
    return [time, files, withoutLinks(arrived.label) || t('unnamed'), address].filter(Boolean).join(' · ');
  }
  if (recipient !== undefined)
    return address ? t('openedBy', { time, recipient, address }) : t('openedByUnknown', { time, recipient });
  if (isFetched) return address ? t('fetched', { time, address }) : t('fetchedUnknown', { time });
  return address ? t('opened', { time, address }) : t('openedUnknown', { time });
}

/** Returns the texts in a language, or in English without one that there is. */
function textsIn(language: string | null): { chosen: Language; t: T } {
  const chosen = language !== null && isLanguage(language) ? language : 'en';
  return { chosen, t: prepareTranslate<typeof ENGLISH>(chosen, MAIL_TEXTS[chosen]) };
}

/**
 * Names the link by its label, its file, what it asks for, or its code, and its recipient. Fetches are no openings; without
 * any, they are counted.
 */
function subjectOf(data: MailPayload['data'], t: T) {
  const { shortCode: code, recipient, events, eventCount, fetchCount = 0, fileCount } = data;
  const count = eventCount - fetchCount;
  const name = data.label || fileNameOf(data, t);
  const named = name && t('label', { label: withoutLinks(name) });
  const what = events.some(({ arrived }) => arrived)
    ? t('arrived', {
        count: fileCount ?? eventCount,
        request: named || toRequestTitle(data.requestMessage) || t('request', { code }),
      })
    : t(count > 0 ? 'subject' : 'subjectFetched', {
        link: named || t('link', { code }),
        count: count > 0 ? count : fetchCount,
      });
  return recipient ? `${what} (${withoutLinks(recipient)})` : what;
}

/** Returns the name of a file, or the name of the first of several and how many others there are; empty without a name. */
function fileNameOf({ fileName, isSet }: { fileName?: string | null; isSet?: true }, t: T): string {
  const set = fileName && isSet ? readSetTitle(fileName) : undefined;
  return set ? t('filesNamed', { name: set.first, count: set.others }) : (fileName ?? '');
}

/** Renders the mail that a person sends with a link. Its only link is that one. */
export function renderLinkMail({
  payload,
  language,
}: Pick<DueNotification, 'payload' | 'language'>): MailContent {
  const facts = JSON.parse(payload) as LinkMailPayload; // as the endpoint wrote it
  const {
    url,
    startsAt,
    expiresAt,
    viewsLeft,
    isRequest,
    isProtected,
    needsCode = false,
    isEncrypted,
  } = facts;
  const { chosen, t } = textsIn(language);
  const sender = withoutLinks(facts.sender);
  const time = (at: EpochMs): string => formatUtc(new Date(at), chosen);
  const subject = toLinkSubject(facts, sender, t);
  const terms = [
    startsAt !== null && t('starts', { time: time(startsAt) }),
    expiresAt !== null && t('ends', { time: time(expiresAt) }),
    viewsLeft !== null && !isRequest && t('views', { count: viewsLeft }),
    isProtected && t('protected'),
    needsCode && t('codeNeeded'),
    isEncrypted && t('encrypted'),
  ].filter((text) => text !== false);
  const notes = [terms.join('\n'), t('stranger', { sender })].filter(Boolean);
  const escaped = escapeHtml(url);
  return {
    subject,
    text: `${[subject, `${t('openLink')} ${url}`, ...notes].join('\n\n')}\n`,
    html: toPage(
      subject,
      chosen,
      [
        `${escapeHtml(t('openLink'))} ${toLink(escaped)}`,
        ...notes.map((note) => escapeHtml(note).replaceAll('\n', '<br>')),
      ].map(toParagraph),
    ),
  };
}

/** Says what is sent, or asked for, where the mail may say it. */
function toLinkSubject(facts: LinkMailPayload, sender: string, t: T): string {
  const { isRequest, requestMessage } = facts;
  const request = toRequestTitle(requestMessage);
  if (isRequest) return request ? t('filesWantedFor', { sender, request }) : t('filesWanted', { sender });
  const fileName = fileNameOf(facts, t);
  if (fileName) return t('fileSent', { sender, file: t('label', { label: withoutLinks(fileName) }) });
  const content = facts.isEncrypted ? 'encryptedContent' : facts.content && CONTENTS[facts.content];
  return content ? t('fileSent', { sender, file: t(content) }) : t('linkSent', { sender });
}

const CONTENTS = { FILE: 'aFile', FILES: 'someFiles', TEXT: 'aText' } as const;

/** Renders the mail with the link with which a person sets a password. Its only link is that one. */
export function renderInvitation(mail: InvitationMail, from: MailSender): MailContent {
  const { url, isNew, language, expiresAt } = mail;
  const { chosen, t } = textsIn(language);
  const [service, name] = [withoutLinks(mail.service), withoutLinks(mail.name)];
  const subject = t(isNew ? 'invitation' : 'newPasswordLink', { service });
  const time = formatUtc(new Date(expiresAt), chosen);
  const message = t('setPassword', { service, url, time, name });
  const note = t('invitedBy', {
    sender: mail.sender === null ? formatSender(from) : withoutLinks(mail.sender),
  });
  const escaped = escapeHtml(url);
  return {
    subject,
    text: `${[subject, message, note].join('\n\n')}\n`,
    html: toPage(subject, chosen, [
      toParagraph(escapeHtml(message).replaceAll(escaped, toLink(escaped)).replaceAll('\n', '<br>')),
      toParagraph(escapeHtml(note)),
    ]),
  };
}

/** Renders the mail with a code. It has no link: scanners of mail run what is behind one. */
export function renderCodeMail({ code, shortCode, language }: CodeMail, baseUrl: string): MailContent {
  const { chosen, t } = textsIn(language);
  const minutes = String(CODE_LIFETIME_MS / 60_000);
  const { hostname } = new URL(baseUrl);
  const terms = [
    t('codeFor', { link: toPlainCode(shortCode), host: toPlainHost(baseUrl, t) }),
    hostname.includes('.') && t('codeDots'),
    t('codeTerms', { minutes }),
  ];
  return toPlainMail(chosen, t('code', { code }), [
    terms.filter(Boolean).join(' '),
    t('codeAsked'),
    t('codeSecret'),
    t('codeUnasked'),
  ]);
}

/** Renders the receipt for a recipient who opened a link. */
export function renderReceipt(
  { payload, language }: Pick<DueNotification, 'payload' | 'language'>,
  baseUrl: string,
): MailContent {
  const { shortCode, at, number, fingerprint } = JSON.parse(payload) as ReceiptPayload; // as the store wrote it
  const link = toPlainCode(shortCode);
  const { chosen, t } = textsIn(language);
  const time = formatUtc(new Date(at), chosen);
  return toPlainMail(chosen, t('receipt', { link }), [
    t('receiptFor', { link, host: toPlainHost(baseUrl, t), time }),
    t('receiptHistory', { number: String(number) }),
    t('receiptFingerprint', { fingerprint }),
    t('receiptKeep'),
    t('receiptCheck'),
    t('receiptUnexpected'),
  ]);
}

/** Returns a short code as a text. One can look like the address of a site, of which mail programs make a link. */
const toPlainCode = (shortCode: string): string => shortCode.replaceAll(/[./]/g, '$& ');

/** Returns the host of the service in words, of which no mail program makes a link. */
const toPlainHost = (baseUrl: string, t: T): string =>
  new URL(baseUrl).hostname.replaceAll('.', ` ${t('dot')} `);

function toPlainMail(language: Language, subject: string, paragraphs: string[]): MailContent {
  return {
    subject,
    text: `${[subject, ...paragraphs].join('\n\n')}\n`,
    html: toPage(
      subject,
      language,
      paragraphs.map((text) => toParagraph(escapeHtml(text))),
    ),
  };
}

const toRequestTitle = (message: string | null = null): string => titleOfRequest(withoutLinks(message));

/** Mail programs make links of addresses. */
const withoutLinks = (text: string | null): string => (text ?? '').replaceAll(/:\/\/|www\./gi, ' ');

/** The page of a link opens the form in which the link is changed. */
const toEditUrl = (historyUrl: string): string => `${historyUrl}#edit`;

type Paragraphs = {
  subject: string;
  file?: string;
  list: string[];
  history: string;
  chain: string[];
  notes: string[];
};

function toText({ subject, file, list, history, chain, notes }: Paragraphs, historyUrl: string): string {
  const blocks = [
    subject,
    ...(file ? [file] : []),
    list.map((line) => `- ${line}`).join('\n'),
    `${history} ${historyUrl}`,
    chain.join('\n'),
    ...notes,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function toHtml(
  { subject, file, list, history, chain, notes }: Paragraphs,
  { historyUrl, language }: { historyUrl: string; language: Language },
): string {
  const [url, editUrl] = [escapeHtml(historyUrl), escapeHtml(toEditUrl(historyUrl))];
  return toPage(subject, language, [
    ...(file ? [toParagraph(escapeHtml(file))] : []),
    `<ul>${list.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
    toParagraph(`${escapeHtml(history)} ${toLink(url)}`),
    toParagraph(chain.map(escapeHtml).join('<br>')),
    ...notes.map((note) => toParagraph(escapeHtml(note).replaceAll(editUrl, toLink(editUrl)))),
  ]);
}

/** @param escaped the address */
const toLink = (escaped: string): string => `<a href="${escaped}">${escaped}</a>`;
const toParagraph = (markup: string): string => `<p>${markup}</p>`;

function toPage(title: string, language: Language, markup: readonly string[]): string {
  return [
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(title)}</title><body>`,
    `<h1 style="font-size:1.2em">${escapeHtml(title)}</h1>`,
    ...markup,
    '</body></html>',
  ].join('\n');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
