import { titleOfRequest } from '../../src/core/model/request-title.ts';
import { readSetTitle } from '../../src/core/model/set-title.ts';
import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/translate.ts';
import type { LinkDescription, LinkType } from '../service/contract.ts';
import { TYPE_TITLES } from './link-types.ts';

type ShownFile = NonNullable<LinkDescription['file']>;

/** Returns the name of a file, or what it is. Whether an encrypted one has files or a text is not known. */
export function fileNameOf(file: ShownFile, t: Translate): string {
  if (file.encrypted) return t('link.encrypted');
  return file.text ? t('link.text') : nameOfFiles(file, t);
}

/** Returns the name of one file, or the name of the first of several and how many others there are. A ZIP can have a name of its own. */
export function nameOfFiles(
  { name, fileCount }: Pick<ShownFile, 'name' | 'fileCount'>,
  t: Translate,
): string {
  const set = fileCount === undefined ? undefined : readSetTitle(name);
  return set ? t('files.named', { name: set.first, count: set.others }) : name;
}

/** Returns true if anyone with the address of a link can open it, now or once it starts, without a password, a code or a key. */
export const opensForAnyone = ({
  state,
  passwordProtected,
  verifiedRecipients = [],
  file,
}: Pick<LinkDescription, 'state' | 'passwordProtected' | 'verifiedRecipients' | 'file'>): boolean =>
  (state === 'ACTIVE' || state === 'SCHEDULED') &&
  !passwordProtected &&
  verifiedRecipients.length === 0 &&
  !file?.encrypted;

type Titled = Pick<Facts, 'label' | 'file' | 'request' | 'requestCode'> & {
  targetUrl?: string | null;
  type: LinkType;
  createdAt: string;
};
type Texts = { t: Translate; format: Format };

/** Returns the kind of the words in which a page speaks of a link. */
export function wordsFor({ type, requestCode }: { type?: unknown; requestCode?: unknown }) {
  if (type === 'REQUEST') return 'ofRequests';
  return requestCode === undefined ? undefined : 'ofReceived';
}

/**
 * Returns the title of a text, or of encrypted content: the time distinguishes it from others. Its first words would reach lists,
 * tabs and printed records, where a password or a note should not be read.
 */
export function timedTitleOf(kind: 'text' | 'encrypted', createdAt: Date, { t, format }: Texts): string {
  return t(kind === 'text' ? 'link.textOf' : 'link.encryptedOf', { time: format.shortDateTime(createdAt) });
}

/** Returns what a link leads to, as far as the service shows it, else the kind of the link. */
export function titleOf(
  { targetUrl, file, request, requestCode, label, type, createdAt }: Titled,
  texts: Texts,
): string {
  const { t } = texts;
  const kind = file?.encrypted ? 'encrypted' : file?.text ? 'text' : undefined;
  const ownName = kind ? timedTitleOf(kind, new Date(createdAt), texts) : file && nameOfFiles(file, t);
  const name = file && requestCode !== undefined ? arrivedNameOf(file, label, t) : ownName;
  return targetUrl ?? name ?? (request && titleOfRequest(request.message)) ?? t(TYPE_TITLES[type]);
}

/** Returns the name of what arrived with a file request, and of its sender. The name of several files is that of the request. */
function arrivedNameOf(file: ShownFile, sender: string | null | undefined, t: Translate): string {
  const name =
    file.fileCount === undefined ? fileNameOf(file, t) : t('files.count', { count: file.fileCount });
  return `${name} – ${sender || t('request.unnamed')}`;
}

/** Returns the label of a link, if it has one. What arrived with a file request is labelled with its files and its sender. */
export function labelOf({ label, file, requestCode }: Facts, t: Translate): string | null {
  return requestCode === undefined || !file ? (label ?? null) : arrivedNameOf(file, label, t);
}

/**
 * Returns what people know a link by: its label, else its file, its message or the host that it leads to. `known`: the title that
 * the browser stored when it made the link.
 */
export function nameOfLink(link: LinkDescription, texts: Texts, known?: string): string {
  const target = link.targetUrl ?? (link.type === 'REDIRECT' ? known : undefined);
  const host = URL.parse(target ?? '')?.host;
  const ofBrowser = link.file?.text ? undefined : known; // the time of a text is that of the service
  return labelOf(link, texts.t) ?? host ?? ofBrowser ?? titleOf({ ...link, targetUrl: null }, texts);
}

type Facts = Partial<Pick<LinkDescription, 'label' | 'recipient' | 'file' | 'request' | 'requestCode'>>;

/** Returns the known facts that distinguish a link: several can lead to one file, one for each recipient. */
export function toLinkFacts({ label, file, request, recipient }: Facts, t: Translate): string[] {
  const facts = [
    label,
    file && fileNameOf(file, t),
    request && titleOfRequest(request.message),
    recipient && t('links.recipient', { recipient }),
  ];
  return facts.filter((fact): fact is string => Boolean(fact));
}
