import { sumUpDownloads } from '../../src/core/model/history.ts';
import { parseUserAgent } from '../../src/core/model/user-agent.ts';
import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/translate.ts';
import type { FileOfSet } from '../service/contract.ts';
import { toViewsText } from '../shell/opened-text.ts';
import { toProgramText } from '../shell/program.ts';
import type { KnownOpenings } from './openings.ts';

/** What is known of the openings of a link. */
type Openings = KnownOpenings & {
  /** With the fetches by bots. */
  viewCount: number;
  /** Of the last view. */
  lastOpenedAt: string | null | undefined;
  /** True for a file request: its visitors send files, so what they use says little. */
  isRequest: boolean;
  /** Undefined for what is no file. */
  fileCount: number | undefined;
  /** Of a set. */
  files?: FileOfSet[];
};

/** Says how often a link was opened, when last and with what, whether its file was sent completely, and what bots fetched. */
export function toAnswerText(openings: Openings, { t, format }: { t: Translate; format: Format }): string {
  const { viewCount, lastOpenedAt, newest, isRequest } = openings;
  return toViewsText(
    {
      ...{ viewCount, lastOpenedAt, newestAt: newest?.at ?? null, fetches: fetchesOf(openings) },
    },
    {
      t,
      formatTime: (at) => t('answer.at', { time: format.shortDateTime(at) }),
      program: isRequest ? undefined : toProgramText(newest?.userAgent, t),
      address: newest?.recipientAddress,
      sent: toSentText(openings, t),
    },
  );
}

/** Returns how often bots fetched what a link leads to, and the name of the last one. Undefined if none did. */
function fetchesOf({ fetchCount: count, lastFetch }: KnownOpenings) {
  const program = lastFetch?.userAgent && parseUserAgent(lastFetch.userAgent)?.name;
  return program ? { count, program } : undefined;
}

/**
 * Says whether the newest visitor was sent the whole file, or all files of a set. Undefined for what is no file, and while it is
 * being sent. Who opens a set may download none of its files.
 */
function toSentText(openings: Openings, t: Translate): string | undefined {
  const { newest, fileCount: count, files, unsentCount, viewCount } = openings;
  if (!newest || count === undefined) return undefined;
  const delivery = sumUpDownloads(newest.downloads, files);
  if (delivery) return t(delivery.isComplete ? 'answer.sent' : 'answer.notSent', { count });
  return count > 1 && unsentCount >= viewCount ? t('answer.noneSent') : undefined;
}
