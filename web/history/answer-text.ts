import { sumUpDownloads } from '../../src/core/model/history.ts';
import type { I18n } from '../i18n/i18n.tsx';
import type { AttemptEntry, FileOfSet } from '../service/contract.ts';
import { toOpenedText } from '../shell/opened-text.ts';
import { toProgramText } from '../shell/program.ts';

/** What is known of the openings of a link. */
type Openings = {
  viewCount: number;
  /** Of the last opening. */
  lastOpenedAt: string | null | undefined;
  /** The attempt of the last opening, if its entry is known. */
  newest: AttemptEntry | undefined;
  /** True for a file request: its visitors send files, so what they use says little. */
  isRequest: boolean;
  /** Undefined for what is no file. */
  fileCount: number | undefined;
  /** Of a set. */
  files?: FileOfSet[];
};

/** Says how often a link was opened, when last and with what, and whether its file was sent completely. */
export function toAnswerText(openings: Openings, { t, format }: I18n): string {
  const { viewCount, newest, isRequest } = openings;
  const opened = toOpenedText(
    { viewCount, lastOpenedAt: newest?.at ?? openings.lastOpenedAt ?? null },
    {
      t,
      formatTime: (at) => t('answer.at', { time: format.shortDateTime(at) }),
      program: isRequest ? undefined : toProgramText(newest?.userAgent, t),
    },
  );
  return [opened, toSentText(openings, t)].filter(Boolean).join(' ');
}

/** Says whether the newest visitor was sent the whole file. Undefined for what is no file, and while it is being sent. */
function toSentText({ newest, fileCount, files }: Openings, t: I18n['t']): string | undefined {
  if (!newest || fileCount === undefined) return undefined;
  const delivery = sumUpDownloads(newest.downloads, files);
  if (!delivery) return undefined;
  return delivery.isComplete ? t('answer.sent', { count: fileCount }) : t('answer.notSent');
}
