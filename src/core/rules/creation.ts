import { checkStart, NO_SUCH_TERM } from '../model/decide-change.ts';
import { addDuration } from '../model/instant.ts';
import type { EpochMs, FileRequest } from '../model/link.ts';
import { accept, mapParsed, type Parsed, refuse } from '../model/parsed.ts';
import {
  canHave,
  isList,
  isSet,
  type LinkTerms,
  TERM_KINDS,
  TERM_NAMES,
  type TermKind,
} from '../model/terms.ts';
import { parseCustomCode } from './custom-code.ts';
import { type FilePolicy, parseFileRequest } from './file-request.ts';
import { parseTeam } from './holders.ts';
import { readFields, toFlag, toInteger, withoutEmpty } from './read-fields.ts';
import { parseSharedText } from './shared-text.ts';
import type { TargetPolicy } from './target-url.ts';
import { OWN_RULES, parseTarget, readPlainTerms, type TermContext, type TermsPolicy } from './term-rules.ts';
import { parseWantedFile, type WantedFile } from './uploads.ts';

/** The request for a new link. */
export type NewLinkRequest = RequestedRestrictions & {
  /** "The response repeats the text as it was sent." */
  expiresAtText: string | null;
  /** Null when the client did not say. */
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
  policy: CreationPolicy & FilePolicy,
): Parsed<WantedLink<WantedTarget>> {
  const isUpload = isSent(body['uploadId']); // then `text` is a flag
  const named = TARGET_FIELDS.filter((name) => isSent(body[name]) && !(isUpload && name === 'text'));
  const [field = TARGET_FIELDS.findLast((name) => body[name] === '') ?? 'targetUrl', other] = named;
  if (other !== undefined)
    return refuse(field, 'SEVERAL_TARGETS', `cannot be sent together with ${other}; send one of them`);
  if (field === 'targetUrl') return parseRedirect(body, now, policy);
  const target = parseOtherTarget(field, body, policy);
  if (!target.ok) return target;
  const opensOnce = field === 'text' || body['text'] === true;
  const { maxViews = opensOnce ? 1 : undefined, ...sent } = withoutEmpty(body);
  const type = field === 'request' ? 'REQUEST' : 'DOWNLOAD';
  const lacking = TERM_NAMES.find((name) => isSet(sent[name]) && !canHave(type, name));
  if (lacking !== undefined) return refuse(lacking, 'TERM_CANNOT_BE_CHANGED', NO_SUCH_TERM);
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
  policy: FilePolicy,
): Parsed<WantedTarget> {
  switch (field) {
    case 'uploadId':
      return mapParsed(parseWantedFile(body), (file) => ({ type: 'UPLOAD', file }));
    case 'request':
      return mapParsed(parseFileRequest(body[field], policy), (request) => ({ type: 'REQUEST', request }));
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

const KIND_BY_NAME: ReadonlyMap<string, TermKind> = new Map(Object.entries(TERM_KINDS));

/** Reads the text fields of `POST /api/links/upload`. A form sends a blank field for an empty input. */
export function parseUploadFields(
  fields: Record<string, string>,
  now: EpochMs,
  policy: CreationPolicy,
): Parsed<NewLinkRequest> {
  const sent = Object.entries(fields).filter(([name, text]) => name === 'password' || text.trim() !== '');
  const values = sent.map(([name, text]) => [name, toValue(KIND_BY_NAME.get(name), text)] as const);
  return parseRestrictions(Object.fromEntries<unknown>(values), now, policy);
}

/** Returns the value that the text of a form stands for; the text itself if it stands for none. */
function toValue(kind: TermKind | undefined, text: string): unknown {
  if (kind === 'flag') return toFlag(text);
  if (kind === 'count') return toInteger(text);
  return isList(kind) ? text.split(',') : text;
}

const CREATION_RULES = {
  ...OWN_RULES,
  customCode: (value: unknown, { policy }: TermContext) =>
    value === undefined || value === null ? accept(null) : parseCustomCode(value, policy.customCodes),
  team: parseTeam,
};

function parseRestrictions(
  sent: Record<string, unknown>,
  now: EpochMs,
  policy: CreationPolicy,
): Parsed<NewLinkRequest> {
  const context = { now, policy };
  const own = readFields(CREATION_RULES, sent, context);
  if (!own.ok) return own;
  const plain = readPlainTerms(sent, context);
  if (!plain.ok) return plain;
  const end = own.value.expiresAt ?? (policy.maxTtl && addDuration(now, policy.maxTtl));
  const error = checkStart(own.value.startsAt, end);
  if (error) return { ok: false, error };
  const { expiresAt: expiresAtText, confirm } = sent;
  return accept({
    ...own.value,
    terms: plain.value,
    expiresAtText: typeof expiresAtText === 'string' ? expiresAtText : null,
    confirm: typeof confirm === 'boolean' ? confirm : null,
  });
}

/** The restrictions that a client requests; null for none. */
export type RequestedRestrictions = {
  expiresAt: EpochMs | null;
  maxViews: number | null;
  startsAt?: EpochMs | null;
  /** The short code that the client chose; null for a random one. */
  customCode?: string | null;
  /** The plain password, which is hashed and never stored, logged or returned. */
  password: string | null;
  /** The name of the team that the link is shared with. */
  team?: string | null;
  terms?: Partial<LinkTerms>;
};
