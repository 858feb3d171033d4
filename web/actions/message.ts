import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { LinkDescription } from '../service/contract.ts';

/** The first sentence of a message, by what the link leads to. */
const LEADS = {
  PAGE: 'message.page',
  FILE: 'message.file',
  FILES: 'message.files',
  TEXT: 'message.text',
  ENCRYPTED: 'message.encrypted',
  REQUEST: 'message.request',
  UNKNOWN: 'message.link',
} as const satisfies Record<string, MessageKey>;

/** `key`: says how the recipient gets the key of what is encrypted; null where the URL has it, or nothing is. */
export type MessageFacts = Pick<
  LinkDescription,
  'startsAt' | 'expiresAt' | 'passwordProtected' | 'verifiedRecipients'
> & {
  content: keyof typeof LEADS;
  /** What a file request asks for. */
  request?: string | undefined;
  viewsLeft: number | null;
  key: 'message.key' | 'message.passphrase' | null;
};

/** Returns what a message says of a link, as far as the service describes it. */
export function toMessageFacts(link: LinkDescription): MessageFacts {
  const { maxViews, viewCount } = link;
  const content = contentOf(link);
  return {
    ...link,
    content,
    request: link.request?.message,
    viewsLeft: maxViews === null ? null : Math.max(0, maxViews - viewCount),
    // What arrived with a file request is encrypted to the key of its owner.
    key: content === 'ENCRYPTED' && link.requestCode === undefined ? 'message.key' : null,
  };
}

function contentOf({ type, file }: LinkDescription): MessageFacts['content'] {
  if (type === 'REQUEST') return 'REQUEST';
  if (type === 'REDIRECT') return 'PAGE';
  if (!file) return 'UNKNOWN'; // only those who may change the link see more
  if (file.encrypted) return 'ENCRYPTED';
  if (file.text) return 'TEXT';
  return file.fileCount === undefined ? 'FILE' : 'FILES';
}

/**
 * Returns the text with which a link is sent: what it asks for, where every visitor may know it, its URL and its limits. The
 * password and a passphrase take another way.
 */
export function toMessage(
  url: string,
  facts: MessageFacts,
  { t, format }: { t: Translate; format: Format },
): string {
  const { content, startsAt, expiresAt, viewsLeft, passwordProtected, verifiedRecipients = [], key } = facts;
  const isGuarded = passwordProtected || verifiedRecipients.length > 0;
  const time = (at: string): string => format.zonedTime(new Date(at));
  const times = join(' ', [
    startsAt !== null && t('message.starts', { time: time(startsAt) }),
    expiresAt !== null && t('message.ends', { time: time(expiresAt) }),
  ]);
  const opened = content === 'REQUEST' ? 'message.submissions' : 'message.views';
  const limits =
    viewsLeft === null
      ? times && `${t('message.valid')} ${times}`
      : join(', ', [t(opened, { count: viewsLeft }), times]);
  const sentences = [
    limits && `${limits}.`,
    passwordProtected && t('message.password'),
    verifiedRecipients.length > 0 && t('message.code'),
    key && t(key),
  ];
  return join('\n', [
    !isGuarded && (facts.request?.trim() ?? ''),
    t(LEADS[content], { url }),
    join(' ', sentences),
  ]);
}

const join = (separator: string, parts: (string | false | null)[]): string =>
  parts.filter(Boolean).join(separator);
