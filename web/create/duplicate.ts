import { toTermDraft } from '../form/term-draft.ts';
import type { FieldTerm } from '../form/term-fields.ts';
import { MEGABYTE, toDateField } from '../form/typed-values.ts';
import type { components, LinkDescription } from '../service/contract.ts';
import { type Draft, EMPTY_REQUEST, EMPTY_SOURCES, type Source } from './draft.ts';

type Facts = { link: LinkDescription; now: number; firstHost: string | undefined };
type Copy = (facts: Facts) => Partial<Draft>;

/** The copy of each member of a creation from another link, besides plain terms; null for a member that is not copied. */
const COPIES = {
  targetUrl: ({ link }) => ({ source: toSource(link) }),
  request: null, // with the target
  text: null,
  uploadId: null,
  fileName: null,
  sha256: null,
  encrypted: ({ link }) => ({ encrypt: link.file?.encrypted === true && isSecureContext }),
  viewable: ({ link }) => ({ viewable: link.file?.viewable === true }),
  expiresAt: ({ link: { expiresAt }, now }) =>
    isAhead(expiresAt, now)
      ? { expiry: 'DATE', expiryDate: toDateField(Date.parse(expiresAt)) }
      : { expiry: expiresAt === null ? 'NEVER' : null },
  startsAt: ({ link: { startsAt }, now }) =>
    isAhead(startsAt, now) ? { startsAt: toDateField(Date.parse(startsAt)) } : {},
  maxViews: ({ link: { maxViews } }) =>
    maxViews === null ? {} : { viewLimit: maxViews === 1 ? 'ONCE' : 'CUSTOM', maxViews: String(maxViews) },
  password: null, // the service does not know it
  confirm: ({ link: { confirm } }) => ({ confirm }),
  team: ({ link }) => ({ team: link.team ?? '' }),
  host: ({ link, firstHost }) => {
    const { hostname } = new URL(link.accessUrl);
    return { host: hostname === firstHost ? '' : hostname };
  },
  customCode: null, // its own
} as const satisfies Record<
  Exclude<keyof components['schemas']['LinkRequest'], FieldTerm> | 'confirm',
  Copy | null
>;

/** Returns the settings of a link for another one like it. `hosts`: those of the service, its own first. */
export function toDuplicate(link: LinkDescription, now: number, hosts: readonly string[]): Partial<Draft> {
  const facts: Facts = { link, now, firstHost: hosts[0] };
  const copies: (Copy | null)[] = Object.values(COPIES);
  let draft: Partial<Draft> = toTermDraft(link);
  for (const copy of copies) draft = { ...draft, ...copy?.(facts) };
  return draft;
}

/** Returns what a link leads to, as far as the service shows it: neither a text nor the content of a file. */
function toSource({ targetUrl, file, request }: LinkDescription): Source {
  if (request) {
    const { message, maxFiles, maxBytes, recipientKey } = request;
    const maxMegabytes = maxBytes === null ? '' : String(maxBytes / MEGABYTE);
    return {
      ...{ ...EMPTY_REQUEST, text: message, maxFiles: String(maxFiles ?? ''), maxMegabytes },
      recipientKey: recipientKey ?? '',
    };
  }
  if (file) return EMPTY_SOURCES[file.text ? 'TEXT' : 'FILES'];
  return { kind: 'URL', text: targetUrl ?? '' };
}

function isAhead(at: string | null, now: number): at is string {
  return at !== null && Date.parse(at) > now;
}
