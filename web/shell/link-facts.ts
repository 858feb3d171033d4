import type { Translate } from '../i18n/translate.ts';
import type { LinkDescription, LinkType } from '../service/contract.ts';
import { TYPE_TITLES } from './link-types.ts';

type ShownFile = NonNullable<LinkDescription['file']>;

/** Returns the name of a file, or what it is. Whether an encrypted one has files or a text is not known. */
export function fileNameOf({ text, encrypted, name }: ShownFile, t: Translate): string {
  if (encrypted) return t('link.encrypted');
  return text ? t('link.text') : name;
}

type Titled = Pick<Facts, 'file' | 'request'> & { targetUrl?: string | null; type: LinkType };

/** Returns what a link leads to, as far as the service shows it, else the kind of the link. */
export function titleOf({ targetUrl, file, request, type }: Titled, t: Translate): string {
  return targetUrl ?? (file && fileNameOf(file, t)) ?? request?.message ?? t(TYPE_TITLES[type]);
}

type Facts = Partial<Pick<LinkDescription, 'label' | 'recipient' | 'file' | 'request'>>;

/** Returns the known facts that distinguish a link: several can lead to one file, one for each recipient. */
export function toLinkFacts({ label, file, request, recipient }: Facts, t: Translate): string[] {
  const facts = [
    label,
    file && fileNameOf(file, t),
    request?.message,
    recipient && t('links.recipient', { recipient }),
  ];
  return facts.filter((fact): fact is string => Boolean(fact));
}
