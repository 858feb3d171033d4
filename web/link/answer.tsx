import { useRef } from 'preact/hooks';
import { toAnswerText } from '../history/answer-text.ts';
import { type KnownOpenings, sumUpOpenings } from '../history/openings.ts';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import type { FileOfSet, HistoryPage, LinkDescription } from '../service/contract.ts';
import { receivedWith, toReceivedText } from '../shell/opened-text.ts';

type Props = {
  description: LinkDescription;
  /** Undefined while a filter leaves entries out. */
  history: HistoryPage | undefined;
  /** Of a set. */
  files: FileOfSet[];
  /** The number of files that arrived with a file request, if it is known. */
  receivedCount: number | undefined;
};

/** Answers whether the link was opened: how often, when last and with what, and whether its file was sent completely. */
export function Answer({ description, history, files, receivedCount }: Props) {
  const i18n = useI18n();
  const openings = useRef<KnownOpenings>(NONE_KNOWN);
  if (history) openings.current = sumUpOpenings(history.items, description.type === 'REQUEST');
  const sentences = [
    ...toSentences(description, { openings: openings.current, files, receivedCount }, i18n),
    toExpiryText(description, i18n),
  ];
  return <p class="link-answer">{sentences.filter(Boolean).join(' ')}</p>;
}

const NONE_KNOWN: KnownOpenings = { newest: undefined, fetchCount: 0, lastFetch: undefined, unsentCount: 0 };

type Known = Pick<Props, 'files' | 'receivedCount'> & { openings: KnownOpenings };

/** Returns the sentences of the answer, without those that age. */
export function toSentences(
  description: LinkDescription,
  { openings, files, receivedCount: count }: Known,
  i18n: I18n,
): string[] {
  const { type, viewCount, lastOpenedAt, file } = description;
  const { t, format } = i18n;
  const formatTime = (at: Date): string => t('answer.at', { time: format.shortDateTime(at) });
  if (count && lastOpenedAt) {
    const last = (at: Date): string => t('answer.lastReceived', { time: formatTime(at) });
    const at = openings.newest?.at ?? lastOpenedAt;
    return [toReceivedText({ count, at }, { ...i18n, formatTime: viewCount === 1 ? formatTime : last })];
  }
  const received = receivedWith(description);
  const arrived = received && toArrivedText(received, description, { ...i18n, formatTime });
  if (arrived && viewCount === 0) return [arrived, `${t('request.notDownloaded')}.`];
  const fileCount = file && !file.text ? (file.fileCount ?? 1) : undefined;
  const isRequest = type === 'REQUEST';
  const unsentCount = received ? 0 : openings.unsentCount; // its views are downloads
  const opened = toAnswerText(
    { viewCount, lastOpenedAt, ...openings, unsentCount, isRequest, fileCount, files },
    i18n,
  );
  return arrived === undefined ? [opened] : [arrived, opened];
}

/** Says how many files arrived, when, and from whom as far as the sender gave a name. */
function toArrivedText(
  received: NonNullable<ReturnType<typeof receivedWith>>,
  { label: name }: LinkDescription,
  i18n: Parameters<typeof toReceivedText>[1],
): string {
  const { count, at } = received;
  return name && count !== undefined
    ? i18n.t('answer.sentBy', { count, name, time: i18n.formatTime(new Date(at)) })
    : toReceivedText(received, i18n);
}

function toExpiryText(
  { state, expiresAt, viewCount }: LinkDescription,
  { t, format }: I18n,
): string | undefined {
  if (expiresAt === null || viewCount > 0 || state !== 'ACTIVE') return undefined;
  return `${t('state.expires', { when: format.relative(new Date(expiresAt), new Date()) })}.`;
}
