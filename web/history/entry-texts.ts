import { findSentFiles, groupDownloads, sumUpDownloads } from '../../src/core/model/history.ts';
import { parseUserAgent } from '../../src/core/model/user-agent.ts';
import type { I18n } from '../i18n/i18n.tsx';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { AttemptEntry, ChangeEntry, FileOfSet } from '../service/contract.ts';
import type { Entry } from '../service/history.ts';
import { colourOfResult } from '../shell/labels.ts';
import { labelOfAttempt } from './attempt-label.ts';
import { type Owner, toAuthorText } from './author-texts.ts';
import { toChangeTexts } from './change-texts.ts';
import type { FileSet } from './file-set.tsx';

/** Longer user agents are shortened. The details of an entry have the whole text. */
const MAX_AGENT_LENGTH = 60;

/** The texts of an entry in the timeline and the delivery record. */
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

type Texts = Pick<I18n, 't' | 'format'> & {
  fileSet?: FileSet | undefined;
  owner?: Owner;
};

/** Names of files in the text of an entry. */
const MAX_NAMES = 5;

const CHANGE_LABELS = {
  CREATED: 'entry.created',
  CHANGED: 'entry.changed',
  REVOKED: 'entry.revoked',
} as const satisfies Record<ChangeEntry['kind'], MessageKey>;

export function toEntryTexts(entry: Entry, { t, format, fileSet, owner }: Texts): EntryTexts {
  const time = format.time(new Date(entry.at));
  const erased = entry.personalSha256 === undefined ? null : t('entry.erased');
  if (entry.kind !== 'ATTEMPT') {
    const { kind, author, details } = entry;
    const client = erased ?? toAuthorText(author, t, owner);
    const terms = kind === 'CHANGED' ? toChangeTexts(details, { t, format }) : [];
    const { formerShortCode: former, newShortCode: next, requestShortCode: request } = details;
    if (typeof former === 'string') terms.push(t('entry.formerCode'));
    if (typeof next === 'string') terms.push(t('entry.newCode'));
    if (typeof request === 'string' && kind === 'CREATED') terms.push(t('entry.requestCode'));
    const { mailedTo } = details;
    const mailed = typeof mailedTo === 'string' && t('entry.mailed', { address: mailedTo });
    const otherCode = [former, next, request].find((code) => typeof code === 'string') ?? null;
    return {
      label:
        mailed ||
        (terms.length > 0 ? `${t(CHANGE_LABELS[kind])}. ${terms.join('; ')}` : t(CHANGE_LABELS[kind])),
      colour: '--chart-plain',
      time,
      address: author.ipAddress,
      client,
      otherCode,
    };
  }
  const { result, downloads, ipAddress, userAgent, referrer } = entry;
  const files = fileSet && entry.at >= fileSet.since ? fileSet.files : [];
  return {
    label: [labelOfAttempt(entry, t), ...toDownloadTexts(downloads, files, { t, format })].join('. '),
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

/** @param files of a set: single ones of it are complete, although the set is not */
function toDownloadTexts(
  downloads: AttemptEntry['downloads'],
  files: FileOfSet[],
  { t, format }: Texts,
): string[] {
  const delivery = sumUpDownloads(downloads, files);
  if (!delivery) return [];
  const { bytesSent, resumed } = delivery;
  const sentFiles = findSentFiles(files, downloads);
  const isComplete =
    delivery.isComplete ||
    (sentFiles.length > 0 && sentFiles.every((each) => each.sentBytes === each.file.sizeBytes));
  const sent = t(isComplete ? 'entry.downloaded' : 'entry.brokenOff', { sent: format.bytes(bytesSent) });
  const names = sentFiles.map(({ file: { name, sizeBytes }, sentBytes }) => {
    return sentBytes === sizeBytes ? name : `${name} ${format.percent((100 * sentBytes) / sizeBytes)}`;
  });
  const groups = groupDownloads(downloads, files).map((group) => {
    const [first, ...more] = findSentFiles(files, group);
    const size = format.bytes(group.reduce((sum, part) => sum + part.bytesSent, 0));
    if (!first) return size;
    const name = more.length === 0 ? first.file.name : t('files.count', { count: more.length + 1 });
    return `${name}, ${size}`;
  });
  const listed = delivery.isComplete ? (groups.length > 1 ? groups : []) : names;
  const shown = listed.slice(0, MAX_NAMES);
  if (listed.length > shown.length) shown.push(`+${format.number(listed.length - shown.length)}`);
  const text = shown.length === 0 ? sent : `${sent} (${shown.join(delivery.isComplete ? '; ' : ', ')})`;
  return resumed === 0 ? [text] : [text, t('entry.resumed', { count: resumed })];
}

export function toClientText(userAgent: string | null, t: Translate): string {
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
