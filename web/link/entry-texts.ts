import { type Delivery, findSentFiles, type SentFile, sumUpDownloads } from '../../src/links/history.ts';
import { parseUserAgent } from '../../src/links/user-agent.ts';
import type { I18n } from '../i18n/i18n.tsx';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { ChangeEntry, FileOfSet } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';
import { toChangeTexts } from './change-texts.ts';
import type { FileSet } from './file-set.tsx';
import { colourOfResult, labelOfAttempt } from './result-labels.ts';

/** Longer user agents are shortened. The details of an entry have the whole text. */
const MAX_AGENT_LENGTH = 60;

/** The texts of an entry in the timeline and the certificate. */
type EntryTexts = {
  /** The result of an attempt, or the kind of a change: "Refused: Expired". */
  label: string;
  /** The name of a chart colour. */
  colour: string;
  time: string;
  address: string | null;
  /** The browser and its system, or who changed the link; that it was erased. Empty where an attempt named no program. */
  client: string;
  /** The short code of the link that this one continues, or that continues it. */
  otherCode: string | null;
};

type Texts = Pick<I18n, 't' | 'format'> & { fileSet?: FileSet | undefined };

/** Names of files in the text of an entry. */
const MAX_NAMES = 5;

const CHANGE_LABELS = {
  CREATED: 'entry.created',
  CHANGED: 'entry.changed',
  REVOKED: 'entry.revoked',
} as const satisfies Record<ChangeEntry['kind'], MessageKey>;

export function toEntryTexts(entry: Entry, { t, format, fileSet }: Texts): EntryTexts {
  const time = format.time(new Date(entry.at));
  const erased = entry.personalSha256 === undefined ? null : t('entry.erased');
  if (entry.kind !== 'ATTEMPT') {
    const { kind, author, details } = entry;
    const client = erased ?? toAuthorText(author, t);
    const terms = kind === 'CHANGED' ? toChangeTexts(details, { t, format }) : [];
    const { formerShortCode: former, newShortCode: next, requestShortCode: request } = details;
    if (typeof former === 'string') terms.push(t('entry.formerCode'));
    if (typeof next === 'string') terms.push(t('entry.newCode'));
    if (typeof request === 'string' && kind === 'CREATED') terms.push(t('entry.requestCode'));
    const otherCode = [former, next, request].find((code) => typeof code === 'string') ?? null;
    return {
      label: terms.length > 0 ? `${t(CHANGE_LABELS[kind])}. ${terms.join('; ')}` : t(CHANGE_LABELS[kind]),
      colour: '--chart-plain',
      time,
      address: author.ipAddress,
      client,
      otherCode,
    };
  }
  const { result, downloads, ipAddress, userAgent, referrer } = entry;
  const outcome = labelOfAttempt(entry, t);
  const sent = sumUpDownloads(downloads);
  const files = fileSet && entry.at >= fileSet.since ? findSentFiles(fileSet.files, downloads) : [];
  return {
    label: sent ? `${outcome}. ${toDownloadText(sent, files, { t, format })}` : outcome,
    colour: colourOfResult(result),
    time,
    address: ipAddress,
    otherCode: null,
    client:
      erased ??
      [toClientText(userAgent, t), referrer && t('entry.referrer', { host: referrer })]
        .filter(Boolean)
        .join(' · '),
  };
}

function toAuthorText({ kind, name }: ChangeEntry['author'], t: Translate): string {
  switch (kind) {
    case 'KEY':
      return t('author.key', { name: name ?? '' });
    case 'USER':
      return name ?? '';
    case 'LINK_TOKEN':
      return t('author.linkToken');
    case 'ANONYMOUS':
      return t('author.anonymous');
    case 'COMMAND':
      return t('author.command', { name: name ?? '' });
  }
}

/** @param files of a set, of which something was sent: single ones are complete, although the set is not */
function toDownloadText(
  { bytesSent, resumed, ...delivery }: Delivery,
  files: SentFile<FileOfSet>[],
  { t, format }: Texts,
): string {
  const isComplete =
    delivery.isComplete ||
    (files.length > 0 && files.every((each) => each.sentBytes === each.file.sizeBytes));
  const sent = t(isComplete ? 'entry.downloaded' : 'entry.brokenOff', { sent: format.bytes(bytesSent) });
  const names = files.slice(0, MAX_NAMES).map(({ file: { name, sizeBytes }, sentBytes }) => {
    return sentBytes === sizeBytes ? name : `${name} ${format.percent((100 * sentBytes) / sizeBytes)}`;
  });
  if (files.length > names.length) names.push(`+${format.number(files.length - names.length)}`);
  const text = delivery.isComplete || names.length === 0 ? sent : `${sent} (${names.join(', ')})`;
  return resumed === 0 ? text : `${text}. ${t('entry.resumed', { count: resumed })}`;
}

function toClientText(userAgent: string | null, t: Translate): string {
  if (userAgent === null) return '';
  const program = parseUserAgent(userAgent);
  if (!program) return shorten(userAgent);
  const { name, version, system, isBot } = program;
  return [version === null ? name : `${name} ${version}`, system, isBot && t('agent.bot')]
    .filter(Boolean)
    .join(' · ');
}

function shorten(text: string): string {
  return text.length > MAX_AGENT_LENGTH ? `${text.slice(0, MAX_AGENT_LENGTH)}…` : text;
}
