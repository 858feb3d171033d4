import { checkStart } from '../model/decide-change.ts';
import { addDuration } from '../model/instant.ts';
import type { EpochMs, FileRequest, LinkLabels } from '../model/link.ts';
import { accept, mapParsed, type Parsed, refuse } from '../model/parsed.ts';
import { parseCustomCode } from './custom-code.ts';
import { parseFileRequest } from './file-request.ts';
import { parseTeam } from './holders.ts';
import { LABEL_RULES } from './labels.ts';
import { readFields, toFlag, toInteger, withoutEmpty } from './read-fields.ts';
import { parseSharedText } from './shared-text.ts';
import type { TargetPolicy } from './target-url.ts';
import { parseTarget, TERM_RULES, type TermsPolicy } from './term-rules.ts';
import { parseWantedFile, type WantedFile } from './uploads.ts';

/** The restrictions that a client requests; null for each that it does not. */
export type NewLinkRequest = RequestedRestrictions & {
  /** "The response repeats the text as it was sent." */
  expiresAtText: string | null;
  confirm: boolean | null;
};

/** The target of a new link as a client names it, which names one. */
export type WantedTarget =
  | { type: 'REDIRECT'; url: string }
  | { type: 'REQUEST'; request: FileRequest }
  | { type: 'TEXT'; text: string }
  | { type: 'UPLOAD'; file: WantedFile };
type WantedLink<Target> = { target: Target; wanted: NewLinkRequest };
type CreationPolicy = TermsPolicy & TargetPolicy;

/** The members of `POST /api/links` that name a target. */
const TARGET_FIELDS = ['uploadId', 'request', 'text', 'targetUrl'] as const;
const isSent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * Reads the JSON body of `POST /api/links`. `src/http/unknown-fields.ts` checks the names. A text opens once without
 * `maxViews`: there null does not mean absent, but that there is no limit.
 */
export function parseNewLink(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: CreationPolicy & { maxFileBytes: number },
): Parsed<WantedLink<WantedTarget>> {
  const isUpload = isSent(body['uploadId']); // then `text` is a flag
  const named = TARGET_FIELDS.filter((name) => isSent(body[name]) && !(isUpload && name === 'text'));
  const [field = TARGET_FIELDS.findLast((name) => body[name] === '') ?? 'targetUrl', other] = named;
  if (other !== undefined)
    return refuse(field, 'SEVERAL_TARGETS', `cannot be sent together with ${other}; send one of them`);
  if (field === 'targetUrl') return parseRedirect(body, now, policy);
  const target = parseOtherTarget(field, body, policy.maxFileBytes);
  if (!target.ok) return target;
  const opensOnce = field === 'text' || body['text'] === true;
  const {
    forwardPath: _,
    forwardQuery: __,
    maxViews = opensOnce ? 1 : undefined,
    ...sent
  } = withoutEmpty(body);
  return withRestrictions(target.value, { ...sent, maxViews }, now, policy);
}

/** Reads the members of a link to a URL. */
export function parseRedirect(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: CreationPolicy,
): Parsed<WantedLink<{ type: 'REDIRECT'; url: string }>> {
  const sent = withoutEmpty(body);
  const url = parseTarget(sent['targetUrl'], policy);
  return url.ok ? withRestrictions({ type: 'REDIRECT', url: url.value }, sent, now, policy) : url;
}

function parseOtherTarget(
  field: Exclude<(typeof TARGET_FIELDS)[number], 'targetUrl'>,
  body: Record<string, unknown>,
  maxFileBytes: number,
): Parsed<WantedTarget> {
  switch (field) {
    case 'uploadId':
      return mapParsed(parseWantedFile(body), (file) => ({ type: 'UPLOAD', file }));
    case 'request':
      return mapParsed(parseFileRequest(body[field], maxFileBytes), (request) => ({
        type: 'REQUEST',
        request,
      }));
    case 'text':
      return mapParsed(parseSharedText(body[field]), (text) => ({ type: 'TEXT', text }));
  }
}

function withRestrictions<Target>(
  target: Target,
  sent: Record<string, unknown>,
  now: EpochMs,
  policy: CreationPolicy,
): Parsed<WantedLink<Target>> {
  return mapParsed(parseRestrictions(sent, now, policy), (wanted) => ({ target, wanted }));
}

/** Reads the text fields of `POST /api/links/upload`. A form sends a blank field for an empty input. */
export function parseUploadFields(
  fields: Record<string, string>,
  now: EpochMs,
  policy: CreationPolicy,
): Parsed<NewLinkRequest> {
  const sent = Object.entries(fields).filter(([name, text]) => name === 'password' || text.trim() !== '');
  const { maxViews, confirm, tags, ...texts } = Object.fromEntries(sent);
  return parseRestrictions(
    {
      ...texts,
      maxViews: maxViews && toInteger(maxViews),
      confirm: confirm && toFlag(confirm),
      tags: tags?.split(','),
    },
    now,
    policy,
  );
}

const CREATION_RULES = {
  ...TERM_RULES,
  customCode: (value: unknown, { policy }: { policy: TermsPolicy }) =>
    value === undefined || value === null ? accept(null) : parseCustomCode(value, policy.customCodes),
  ...LABEL_RULES,
  team: parseTeam,
};

function parseRestrictions(
  sent: Record<string, unknown>,
  now: EpochMs,
  policy: CreationPolicy,
): Parsed<NewLinkRequest> {
  const terms = readFields(CREATION_RULES, sent, { now, policy });
  if (!terms.ok) return terms;
  const { label, note, tags, recipient, ...wanted } = terms.value;
  const end = wanted.expiresAt ?? (policy.maxTtl && addDuration(now, policy.maxTtl));
  const error = checkStart(wanted.startsAt, end);
  if (error) return { ok: false, error };
  const expiresAtText = sent['expiresAt'];
  return accept({
    ...wanted,
    labels: { label, note, tags, recipient },
    expiresAtText: typeof expiresAtText === 'string' ? expiresAtText : null,
  });
}

/** The restrictions that a client requests; null for none. */
export type RequestedRestrictions = {
  expiresAt: EpochMs | null;
  maxViews: number | null;
  startsAt?: EpochMs | null;
  /** The short code that the client chose; null for a random one. */
  customCode?: string | null;
  labels?: LinkLabels;
  /** The plain password, which is hashed and never stored, logged or returned. */
  password: string | null;
  /** True when browsers get a confirmation page first; null when the client did not say. */
  confirm?: boolean | null;
  /** The URL that gets the events of the link. */
  notifyUrl?: string | null;
  /** The mail address that is notified when the link is opened, and the language of these mails. */
  notifyEmail?: string | null;
  notifyLanguage?: string;
  forwardPath?: boolean | null;
  forwardQuery?: boolean | null;
  fallbackUrl?: string | null;
  host?: string | null;
  /** The name of the team that the link is shared with. */
  team?: string | null;
};
