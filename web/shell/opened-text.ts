import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/translate.ts';
import type { LinkDescription } from '../service/contract.ts';

/** What the texts are made with. */
type Texts = { t: Translate; ofRequests: Translate; format: Format };
type Options = {
  t: Translate;
  formatTime(at: Date): string;
  /** What the last visitor used, if it is known. */
  program?: string | undefined;
  /** The address that the last visitor proved. It says more than the program. */
  address?: string | undefined;
};

/** Says how often a link was opened, and when last. */
export function toOpenedText(
  { viewCount: count, lastOpenedAt }: Pick<LinkDescription, 'viewCount' | 'lastOpenedAt'>,
  { t, formatTime, program, address }: Options,
): string {
  if (count === 0) return t('answer.none');
  if (!lastOpenedAt) return `${t('state.views', { count })}.`; // of an imported link, whose history has none of them
  const time = formatTime(new Date(lastOpenedAt));
  if (address !== undefined) return t('answer.openedBy', { count, time, address });
  return program === undefined
    ? t('answer.opened', { count, time })
    : t('answer.openedFrom', { count, time, program });
}

/** Files that arrived with a file request. `count`: undefined where they are encrypted. */
type Received = { count: number | undefined; at: string };

/** Returns what arrived with a file request as one link; undefined for any other link. */
export function receivedWith({ requestCode, file, createdAt }: LinkDescription): Received | undefined {
  if (requestCode === undefined || !file) return undefined;
  return { count: file.encrypted ? undefined : (file.fileCount ?? 1), at: createdAt };
}

/** Says how many files arrived, and when. */
export function toReceivedText(
  { count, at }: Received,
  { t, ofRequests, formatTime }: Pick<Texts, 't' | 'ofRequests'> & Pick<Options, 'formatTime'>,
): string {
  const time = formatTime(new Date(at));
  return count === undefined
    ? ofRequests('answer.opened', { count: 1, time })
    : t('answer.received', { count, time });
}

/** Answers how often and how long ago a link was opened, or when its files arrived. `at`: that time. */
export function answerOf(link: LinkDescription, i18n: Texts): { text: string; at: Date | undefined } {
  const { viewCount, lastOpenedAt } = link;
  const received = receivedWith(link);
  const answeredAt = received?.at ?? lastOpenedAt;
  const { t, format } = i18n;
  // The clock of the service may be ahead.
  const formatTime = (at: Date): string => format.relative(at, new Date(Math.max(Date.now(), at.getTime())));
  const text = received
    ? `${toReceivedText(received, { ...i18n, formatTime })}${viewCount === 0 ? ` ${t('request.notDownloaded')}.` : ''}`
    : toOpenedText({ viewCount, ...(lastOpenedAt && { lastOpenedAt }) }, { t, formatTime });
  return { text, at: answeredAt ? new Date(answeredAt) : undefined };
}
