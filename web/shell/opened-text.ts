import type { Translate } from '../i18n/translate.ts';
import type { LinkDescription } from '../service/contract.ts';

type Options = {
  t: Translate;
  formatTime(at: Date): string;
  /** What the last visitor used, if it is known. */
  program?: string | undefined;
};

/** Says how often a link was opened, and when last. */
export function toOpenedText(
  { viewCount: count, lastOpenedAt }: Pick<LinkDescription, 'viewCount' | 'lastOpenedAt'>,
  { t, formatTime, program }: Options,
): string {
  if (count === 0) return t('answer.none');
  if (!lastOpenedAt) return `${t('state.views', { count })}.`; // of an imported link, whose history has none of them
  const time = formatTime(new Date(lastOpenedAt));
  return program === undefined
    ? t('answer.opened', { count, time })
    : t('answer.openedFrom', { count, time, program });
}
