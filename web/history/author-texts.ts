import type { Translate } from '../i18n/translate.ts';
import type { ChangeEntry } from '../service/contract.ts';

/** Returns who sends a link: the author of its creation, otherwise the name that was typed in; undefined without one. */
export function toSenderText(
  { author, details }: Pick<ChangeEntry, 'author' | 'details'>,
  t: Translate,
): string | undefined {
  if (author.kind !== 'ANONYMOUS') return toAuthorText(author, t);
  const { requestShortCode, label, senderName } = details; // who sends files to a request is their label
  const name = requestShortCode === undefined ? senderName : label;
  return typeof name === 'string' ? name : undefined;
}

export function toAuthorText({ kind, name }: ChangeEntry['author'], t: Translate): string {
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
