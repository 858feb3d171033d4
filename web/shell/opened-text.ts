import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/translate.ts';
import type { LinkDescription } from '../service/contract.ts';

/** What the texts are made with. */
type Texts = { t: Translate; ofRequests: Translate; ofReceived: Translate; format: Format };
type Options = {
  t: Translate;
  formatTime(at: Date): string;
  /** What the last visitor used, if it is known. */
  program?: string | undefined;
  /** The address that the last visitor proved. It says more than the program. */
  address?: string | undefined;
};

/** Says how often a link was opened, and when last. */
function toOpenedText(
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

/** What is known of the views of a link. */
type KnownViews = Pick<LinkDescription, 'viewCount'> & {
  lastOpenedAt: string | null | undefined;
  /** The newest view that is known to be no fetch by a bot. */
  newestAt: string | null;
  /** The known fetches by bots, which `viewCount` has too. */
  fetches: { count: number; program: string } | undefined;
};

/** Says how often a link was opened and when last, then `sent`, and what bots fetched: a fetch is no opening. */
export function toViewsText(
  { viewCount, lastOpenedAt, newestAt, fetches }: KnownViews,
  { sent, ...options }: Options & { sent?: string | undefined },
): string {
  const { t } = options;
  const { count: fetchCount = 0 } = fetches ?? {};
  const fetched = fetches && t('answer.fetched', fetches);
  if (fetched && newestAt === null && viewCount <= fetchCount) return `${fetched} ${t('answer.noBrowser')}`;
  const opened = toOpenedText(
    {
      // The views may be from before the newest entry. Without an opening, those that are not known are among all.
      viewCount: newestAt === null ? viewCount : Math.max(1, viewCount - fetchCount),
      lastOpenedAt: newestAt ?? (fetches ? null : lastOpenedAt) ?? null,
    },
    options,
  );
  return [opened, sent, fetched].filter(Boolean).join(' ');
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

/** How often and how long ago a link was opened, or when its files arrived. `at`: that time. */
type ShortAnswer = { text: string; at: Date | undefined; isOpened: boolean };

/** Answers whether a link was opened, or whether its files arrived, for a list of links. */
export function answerOf(link: LinkDescription, i18n: Texts): ShortAnswer {
  const { viewCount, lastOpenedAt, fetches } = link;
  const received = receivedWith(link);
  const newestAt = fetches?.openedAt ?? null;
  const answeredAt = received?.at ?? newestAt ?? lastOpenedAt;
  const { t, format } = i18n;
  // The clock of the service may be ahead.
  const formatTime = (at: Date): string => format.relative(at, new Date(Math.max(Date.now(), at.getTime())));
  const isOpened = viewCount > (fetches?.count ?? 0);
  const text = received
    ? `${toReceivedText(received, { ...i18n, formatTime })} ${!isOpened ? t('request.notDownloaded') : i18n.ofReceived('entry.opened')}.`
    : toViewsText({ viewCount, lastOpenedAt, newestAt, fetches }, { t, formatTime });
  return { text, at: answeredAt ? new Date(answeredAt) : undefined, isOpened };
}
