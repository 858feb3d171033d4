import type { RequestedRestrictions } from '../create-link.ts';
import type { EpochMs, FileRequest } from '../link.ts';
import { parseCustomCode } from '../short-code.ts';
import { addDuration, checkStart } from './expiry-time.ts';
import { parseFileRequest } from './file-request.ts';
import { parseTeam } from './holders.ts';
import { LABEL_FIELDS, LABEL_RULES } from './labels.ts';
import { parseFlag, parseTarget, TERM_RULES, type TermsPolicy } from './link-terms.ts';
import { accept, type Parsed, readFields, refuse, toInteger } from './parsed.ts';
import { parseSharedText } from './shared-text.ts';
import type { TargetPolicy } from './target-url.ts';
import { parseWantedFile, type WantedFile } from './uploads.ts';

/** The restrictions that a client requests; null for each that it does not. */
export type NewLinkRequest = RequestedRestrictions & {
  /** "The response repeats the text as it was sent." */
  expiresAtText: string | null;
  confirm: boolean | null;
} & FileFlags;

/** What a form says of its file. */
export const FILE_FLAGS = ['encrypted', 'viewable'] as const;
export type FileFlags = { [Name in (typeof FILE_FLAGS)[number]]?: true };

/** Reads the JSON body of `POST /api/links`. "null means absent". `src/http/unknown-fields.ts` checks the names. */
export function parseRedirect(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: TermsPolicy & TargetPolicy,
): Parsed<NewLinkRequest & { targetUrl: string }> {
  const sent = { ...body }; // without inherited members, which the client did not send
  const targetUrl = parseTarget(sent['targetUrl'], policy);
  if (!targetUrl.ok) return targetUrl;
  const restrictions = parseRestrictions(sent, now, policy);
  if (!restrictions.ok) return restrictions;
  return accept({ targetUrl: targetUrl.value, ...restrictions.value });
}

/** Reads the JSON body of `POST /api/links` for a file request. A rest of the address belongs to URLs alone. */
export function parseRequestLink(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: TermsPolicy & TargetPolicy & { maxFileBytes: number },
): Parsed<NewLinkRequest & { request: FileRequest }> {
  const { request: sentRequest, forwardPath: _, forwardQuery: __, ...sent } = body;
  if (sent['targetUrl'] !== undefined && sent['targetUrl'] !== null)
    return refuse('request', 'INVALID_FILE_REQUEST', 'must not be sent with a targetUrl');
  const request = parseFileRequest(sentRequest, policy.maxFileBytes);
  if (!request.ok) return request;
  const restrictions = parseRestrictions(sent, now, policy);
  if (!restrictions.ok) return restrictions;
  return accept({ request: request.value, ...restrictions.value });
}

const SEVERAL_TARGETS = 'cannot be sent together with targetUrl; send one of them';

/** Reads the JSON body of `POST /api/links` for a link to an upload. */
export function parseUploaded(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: TermsPolicy & TargetPolicy,
): Parsed<NewLinkRequest & { file: WantedFile }> {
  const { targetUrl, text, maxViews = text === true ? 1 : undefined, ...sent } = body;
  if (targetUrl !== undefined && targetUrl !== null)
    return refuse('uploadId', 'SEVERAL_TARGETS', SEVERAL_TARGETS);
  const file = parseWantedFile({ ...sent, text });
  if (!file.ok) return file;
  const restrictions = parseRestrictions({ ...sent, maxViews }, now, policy);
  return restrictions.ok ? accept({ file: file.value, ...restrictions.value }) : restrictions;
}

/**
 * Reads the JSON body of a link to a text. Without `maxViews` it opens once: here null does not mean absent, but that there
 * is no limit.
 */
export function parseTextLink(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: TermsPolicy & TargetPolicy,
): Parsed<NewLinkRequest & { text: string }> {
  const { text: sentText, targetUrl, forwardPath: _, forwardQuery: __, maxViews = 1, ...sent } = body;
  if (targetUrl !== undefined && targetUrl !== null)
    return refuse('text', 'SEVERAL_TARGETS', SEVERAL_TARGETS);
  const text = parseSharedText(sentText);
  if (!text.ok) return text;
  const restrictions = parseRestrictions({ ...sent, maxViews }, now, policy);
  return restrictions.ok ? accept({ ...restrictions.value, text: text.value }) : restrictions;
}

/** The text fields of `POST /api/links/upload`. */
export const UPLOAD_FIELDS = [
  'expiresAt',
  'maxViews',
  'password',
  'confirm',
  'notifyUrl',
  'notifyEmail',
  'startsAt',
  'fallbackUrl',
  'host',
  'customCode',
  ...LABEL_FIELDS,
  'team',
  ...FILE_FLAGS,
] as const;

/** Reads the text fields of `POST /api/links/upload`. A form sends a blank field for an empty input. */
export function parseUploadFields(
  fields: Record<string, string>,
  now: EpochMs,
  policy: TermsPolicy & TargetPolicy,
): Parsed<NewLinkRequest> {
  const sent = Object.entries(fields).filter(([name, text]) => name === 'password' || text.trim() !== '');
  const { maxViews, confirm, tags, encrypted, viewable, ...texts } = Object.fromEntries(sent);
  const restrictions = parseRestrictions(
    {
      ...texts,
      maxViews: maxViews && toInteger(maxViews),
      confirm: confirm && toFlag(confirm),
      tags: tags?.split(','),
    },
    now,
    policy,
  );
  if (!restrictions.ok) return restrictions;
  const flags = parseFileFlags({ encrypted, viewable });
  return flags.ok ? accept({ ...restrictions.value, ...flags.value }) : flags;
}

/** Reads the flags of a file: true or false, also as the texts of a form. Returns the traits that they give it. */
export function parseFileFlags(sent: { [Name in (typeof FILE_FLAGS)[number]]?: unknown }): Parsed<FileFlags> {
  const traits: FileFlags = {};
  for (const name of FILE_FLAGS) {
    const value = sent[name];
    if (value === undefined || value === null || value === '') continue;
    const flag = parseFlag(name, typeof value === 'string' ? toFlag(value) : value);
    if (!flag.ok) return flag;
    if (flag.value) traits[name] = true;
  }
  return accept(traits);
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
  policy: TermsPolicy & TargetPolicy,
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

function toFlag(text: string): boolean | string {
  return text === 'true' || (text === 'false' ? false : text);
}
