import type { Translate } from '../i18n/translate.ts';
import type { ChangeEntry, LinkDescription } from '../service/contract.ts';

/** The owner of a link, whose entries show that name as it was typed. A saved history does not have it. */
export type Owner = LinkDescription['owner'] | undefined;

/** Returns who sends a link: the name that was typed in, and the author of its creation; undefined without both. */
export function toSenderText(
  { author, details }: Pick<ChangeEntry, 'author' | 'details'>,
  t: Translate,
  owner?: Owner,
): string | undefined {
  const { requestShortCode, label, senderName } = details; // who sends files to a request is their label
  const name = requestShortCode === undefined ? senderName : label;
  const typed = typeof name === 'string' ? name : undefined;
  if (author.kind === 'ANONYMOUS') return typed;
  const account = toAuthorText(author, t, owner);
  return typed === undefined || requestShortCode !== undefined ? account : `${typed} (${account})`;
}

export function toAuthorText({ kind, name }: ChangeEntry['author'], t: Translate, owner?: Owner): string {
  switch (kind) {
    case 'KEY':
      return t('author.key', { name: name ?? '' });
    case 'USER':
      return (owner?.kind === kind && owner.name === name && owner.displayName) || (name ?? '');
    case 'LINK_TOKEN':
      return t('author.linkToken');
    case 'ANONYMOUS':
      return t('author.anonymous');
    case 'COMMAND':
      return t('author.command', { name: name ?? '' });
  }
}
