import { formatDateTime } from '../../common/format.ts';
import { isLanguage, type Language } from '../../common/languages.ts';
import { prepareTranslate, type Translate } from '../../common/translate.ts';
import type { DueNotification } from '../../core/ports/notifications.ts';
import { MAX_MAILED_EVENTS, type Payload } from '../../core/use-cases/notify/payload.ts';
import type { MailSender } from '../../core/use-cases/notify/settings.ts';
import { type ENGLISH, MAIL_TEXTS } from './mail-texts.ts';

/** The parts of a mail that its reader sees. */
export type MailContent = { subject: string; text: string; html: string };

type Arrived = { label: string | null };
type MailPayload = Payload<{ at: string; number: number; ipAddress?: string | null; arrived?: Arrived }>;
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
  const chosen: Language = language !== null && isLanguage(language) ? language : 'en';
  const t = prepareTranslate<typeof ENGLISH>(chosen, MAIL_TEXTS[chosen]);
  const { historyUrl, entryCount, fingerprint, eventCount: count } = data;
  const events = data.events.slice(-MAX_MAILED_EVENTS);
  const listed = events.map(({ at, ipAddress, arrived }) => {
    const time = formatDateTime(new Date(at), chosen, 'UTC');
    if (arrived) return [time, withoutLinks(arrived.label), ipAddress].filter(Boolean).join(' · ');
    return ipAddress ? t('opened', { time, address: ipAddress }) : t('openedUnknown', { time });
  });
  const more = count - events.length;
  const sender = from.name === '' ? from.address : `${from.name} <${from.address}>`;
  const paragraphs = {
    subject: subjectOf(data, t),
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

/** Names the link by its label, or by its code, and its recipient. */
function subjectOf(
  { shortCode: code, label, recipient, events, eventCount: count }: MailPayload['data'],
  t: T,
) {
  const named = label && t('label', { label: withoutLinks(label) });
  const what = events.some(({ arrived }) => arrived)
    ? t('arrived', { request: named || t('request', { code }) })
    : t('subject', { link: named || t('link', { code }), count });
  return recipient ? `${what} (${withoutLinks(recipient)})` : what;
}

/** Mail programs make links of addresses. */
const withoutLinks = (text: string | null): string => (text ?? '').replaceAll(/:\/\/|www\./gi, ' ');

/** The page of a link opens the form in which the link is changed. */
const toEditUrl = (historyUrl: string): string => `${historyUrl}#edit`;

type Paragraphs = { subject: string; list: string[]; history: string; chain: string[]; notes: string[] };

function toText({ subject, list, history, chain, notes }: Paragraphs, historyUrl: string): string {
  const blocks = [
    subject,
    list.map((line) => `- ${line}`).join('\n'),
    `${history} ${historyUrl}`,
    chain.join('\n'),
    ...notes,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function toHtml(
  { subject, list, history, chain, notes }: Paragraphs,
  { historyUrl, language }: { historyUrl: string; language: Language },
): string {
  const [url, editUrl] = [escapeHtml(historyUrl), escapeHtml(toEditUrl(historyUrl))];
  const toLink = (to: string): string => `<a href="${to}">${to}</a>`;
  const paragraph = (markup: string): string => `<p>${markup}</p>`;
  return [
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(subject)}</title><body>`,
    `<h1 style="font-size:1.2em">${escapeHtml(subject)}</h1>`,
    `<ul>${list.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
    paragraph(`${escapeHtml(history)} ${toLink(url)}`),
    paragraph(chain.map(escapeHtml).join('<br>')),
    ...notes.map((note) => paragraph(escapeHtml(note).replaceAll(editUrl, toLink(editUrl)))),
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
