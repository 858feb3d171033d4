import type { Translate } from '../i18n/translate.ts';
import type { LinkDescription, LinkType } from '../service/contract.ts';
import { TYPE_TITLES } from './link-types.ts';

type ShownFile = NonNullable<LinkDescription['file']>;

/** Returns the name of a file, or what it is. Whether an encrypted one has files or a text is not known. */
export function fileNameOf({ text, encrypted, name }: ShownFile, t: Translate): string {
  if (encrypted) return t('link.encrypted');
  return text ? t('link.text') : name;
}

type Titled = Pick<Facts, 'file' | 'request' | 'requestCode'> & { targetUrl?: string | null; type: LinkType };

/** Returns what a link leads to, as far as the service shows it, else the kind of the link. */
export function titleOf({ targetUrl, file, request, requestCode, type }: Titled, t: Translate): string {
  const name = file && (requestCode === undefined ? fileNameOf(file, t) : arrivedNameOf(file, t));
  return targetUrl ?? name ?? request?.message ?? t(TYPE_TITLES[type]);
}

/** Returns the name of what arrived with a file request: several files have that of the request. */
function arrivedNameOf(file: ShownFile, t: Translate): string {
  return file.fileCount === undefined ? fileNameOf(file, t) : t('files.count', { count: file.fileCount });
}

/** Returns the label of a link, if it has one. What arrived with a file request is labelled with its files and its sender. */
export function labelOf({ label, file, requestCode }: Facts, t: Translate): string | null {
  if (requestCode === undefined || !file) return label ?? null;
  return [arrivedNameOf(file, t), label].filter(Boolean).join(' – ');
}

/** Returns what people know a link by: its label, else its file, its message or the host that it leads to. */
export function nameOfLink(link: LinkDescription, t: Translate): string {
  const host = URL.parse(link.targetUrl ?? '')?.host;
  return labelOf(link, t) ?? titleOf({ ...link, targetUrl: host ?? null }, t);
}

type Facts = Partial<Pick<LinkDescription, 'label' | 'recipient' | 'file' | 'request' | 'requestCode'>>;

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
