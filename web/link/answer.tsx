import { useRef } from 'preact/hooks';
import { sumUpDownloads } from '../../src/core/model/history.ts';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import type { AttemptEntry, FileOfSet, HistoryPage, LinkDescription } from '../service/contract.ts';
import { toOpenedText } from '../shell/opened-text.ts';
import { toProgramText } from '../shell/program.ts';

type Props = {
  description: LinkDescription;
  /** Undefined while a filter leaves entries out. */
  history: HistoryPage | undefined;
  /** Of a set. */
  files: FileOfSet[];
};

/** Answers whether the link was opened: how often, when last and with what, and whether its file was sent completely. */
export function Answer({ description, history, files }: Props) {
  const i18n = useI18n();
  const newest = useRef<AttemptEntry>(undefined);
  if (history) newest.current = findOpening(history);
  const sentences = [
    toLastOpenedText(description, newest.current, i18n),
    newest.current && toSentText(newest.current, description, files, i18n),
    toExpiryText(description, i18n),
  ];
  return <p class="link-answer">{sentences.filter(Boolean).join(' ')}</p>;
}

/** Returns the newest attempt that opened the link. */
function findOpening({ items }: HistoryPage): AttemptEntry | undefined {
  return items.filter((entry) => entry.kind === 'ATTEMPT').find(({ result }) => result === 'SUCCESS');
}

function toLastOpenedText(
  { type, viewCount, lastOpenedAt }: LinkDescription,
  newest: AttemptEntry | undefined,
  { t, format }: I18n,
): string {
  const at = newest?.at ?? lastOpenedAt;
  return toOpenedText(
    { viewCount, ...(at !== undefined && { lastOpenedAt: at }) },
    {
      t,
      formatTime: (at) => t('answer.at', { time: format.shortDateTime(at) }),
      program: type === 'REQUEST' ? undefined : toProgramText(newest?.userAgent, t),
    },
  );
}

/** Says whether the newest visitor was sent the whole file. Undefined for what is no file, and while it is being sent. */
function toSentText(
  { downloads }: AttemptEntry,
  { file }: LinkDescription,
  files: FileOfSet[],
  { t }: I18n,
): string | undefined {
  const delivery = sumUpDownloads(downloads, files);
  if (!file || !delivery) return undefined;
  return delivery.isComplete ? t('answer.sent', { count: file.fileCount ?? 1 }) : t('answer.notSent');
}

function toExpiryText(
  { state, expiresAt, viewCount }: LinkDescription,
  { t, format }: I18n,
): string | undefined {
  if (expiresAt === null || viewCount > 0 || state !== 'ACTIVE') return undefined;
  return `${t('state.expires', { when: format.relative(new Date(expiresAt), new Date()) })}.`;
}
