import type { LinkPatch } from '../model/decide-change.ts';
import type { EpochMs } from '../model/link.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { PLAIN_NAMES } from '../model/terms.ts';
import { expiryTooLate } from './expiry-time.ts';
import { type FilePolicy, parseRequestPatch } from './file-request.ts';
import { parseNewOwner, parseTeam } from './holders.ts';
import { readSentFields, refuseEmpty, type SentFields } from './read-fields.ts';
import type { TargetPolicy } from './target-url.ts';
import {
  OWN_RULES,
  parseFlag,
  parseTarget,
  readPlainTerms,
  type TermsPolicy,
  tooManyViews,
} from './term-rules.ts';

/** The members that cannot be changed. */
const FIXED_FIELDS = ['shortCode', 'customCode', 'type', 'file'] as const;

const CHANGE_RULES = {
  ...OWN_RULES,
  paused: (value: unknown) => (value === null ? accept(false) : parseFlag('paused', value)),
  owner: parseNewOwner,
  team: parseTeam,
  request: (value: unknown, { policy }: Context) => parseRequestPatch(value, policy),
};
type Context = { policy: FilePolicy };
const FIELDS = [...Object.keys(CHANGE_RULES), ...PLAIN_NAMES];

/**
 * Reads the body of `PATCH /api/links/{shortCode}`, a merge patch (RFC 7396): an absent member keeps its term, and null
 * removes it. The rules of a creation apply to what is sent.
 */
export function parseChange(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: TermsPolicy & TargetPolicy & FilePolicy,
): Parsed<LinkPatchRequest> {
  const sent = { ...body }; // without inherited members, which the client did not send
  const fixed = FIXED_FIELDS.find((name) => sent[name] !== undefined);
  if (fixed) return refuse(fixed, 'TERM_CANNOT_BE_CHANGED', 'cannot be changed');
  const targetUrl = sent['targetUrl'] === undefined ? undefined : parseTarget(sent['targetUrl'], policy);
  if (targetUrl?.ok === false) return targetUrl;
  const kept = checkRemovals(sent, policy);
  if (!kept.ok) return kept;
  const context = { now, policy };
  const read = (members: SentFields) => readSentFields(CHANGE_RULES, members, context);
  const isRemovable = (name: string) => read({ [name]: null }).ok;
  const blank = refuseEmpty(sent, FIELDS, isRemovable);
  if (!blank.ok) return blank;
  const own = read(sent);
  if (!own.ok) return own;
  const plain = readPlainTerms(sent, context);
  if (!plain.ok) return plain;
  const { paused, ...wanted } = own.value;
  return accept({
    ...wanted,
    ...(targetUrl && { targetUrl: targetUrl.value }),
    ...(paused !== undefined && { isPaused: paused }),
    terms: plain.value,
  });
}

/** Refuses to remove what the administrator requires. */
function checkRemovals(sent: Record<string, unknown>, policy: TermsPolicy): Parsed<true> {
  if (sent['expiresAt'] === null && policy.maxTtl) return expiryTooLate(policy.maxTtl);
  if (sent['maxViews'] === null && policy.maxViews !== null) return tooManyViews(policy.maxViews);
  return accept(true);
}

/** The new terms that a client requests, with the plain password, which is hashed. */
export type LinkPatchRequest = Omit<LinkPatch, 'passwordHash'> & { password?: string | null };
