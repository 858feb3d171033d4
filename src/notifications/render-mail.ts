import { formatDateTime } from '../i18n/format.ts';
import { isLanguage, type Language } from '../i18n/languages.ts';
import { prepareTranslate } from '../i18n/translate.ts';
import { type ENGLISH, MAIL_TEXTS } from './mail-texts.ts';
import type { DueNotification } from './ports.ts';

/** What the reader of a mail sees. */
export type MailContent = { subject: string; text: string; html: string };

/** One line of the payload of a mail, as planNotifications wrote it. */
type PayloadLine = {
  data: {
    shortCode: string;
    historyUrl: string;
    entryCount: number;
    fingerprint: string;
    eventCount: number;
    events: { at: string; ipAddress?: string | null }[];
  };
};

const MAX_LISTED = 20;

/** Renders the mail "Your link was opened" in its language. Its links are those of the service, and it loads nothing. */
export function renderMail({
  payload,
  language,
}: Pick<DueNotification, 'payload' | 'language'>): MailContent {
  const rounds = payload
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as PayloadLine).data)
    .toSorted((a, b) => a.entryCount - b.entryCount);
  const newest = rounds.at(-1);
  if (!newest) throw new Error('A mail without a payload');
  const chosen: Language = language !== null && isLanguage(language) ? language : 'en';
  const t = prepareTranslate<typeof ENGLISH>(chosen, MAIL_TEXTS[chosen]);
  const count = rounds.reduce((sum, { eventCount }) => sum + eventCount, 0);
  const events = rounds.flatMap((round) => round.events).slice(-MAX_LISTED);
  const listed = events.map(({ at, ipAddress }) => {
    const time = formatDateTime(new Date(at), chosen, 'UTC');
    return ipAddress ? t('opened', { time, address: ipAddress }) : t('openedUnknown', { time });
  });
  const { shortCode: code, historyUrl, entryCount, fingerprint } = newest;
  const more = count - events.length;
  const paragraphs = {
    subject: t('subject', { code, count }),
    list: [...listed.toReversed(), ...(more > 0 ? [t('more', { count: more })] : [])],
    history: t('history'),
    chain: [t('entries', { count: entryCount }), t('fingerprint', { fingerprint })],
    notes: [t('keep'), t('stop')],
  };
  return {
    subject: paragraphs.subject,
    text: toText(paragraphs, historyUrl),
    html: toHtml(paragraphs, { historyUrl, language: chosen }),
  };
}

type Paragraphs = {
  subject: string;
  list: string[];
  history: string;
  chain: string[];
  notes: string[];
};

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
  const url = escapeHtml(historyUrl);
  const paragraph = (markup: string): string => `<p>${markup}</p>`;
  return [
    `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>${escapeHtml(subject)}</title><body>`,
    `<h1 style="font-size:1.2em">${escapeHtml(subject)}</h1>`,
    `<ul>${list.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`,
    paragraph(`${escapeHtml(history)} <a href="${url}">${url}</a>`),
    paragraph(chain.map(escapeHtml).join('<br>')),
    ...notes.map((note) => paragraph(escapeHtml(note))),
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
