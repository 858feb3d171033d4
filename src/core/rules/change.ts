import type { LinkPatch } from '../model/decide-change.ts';
import type { EpochMs, LinkLabels } from '../model/link.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { expiryTooLate } from './expiry-time.ts';
import { parseRequestPatch } from './file-request.ts';
import { parseNewOwner, parseTeam } from './holders.ts';
import { LABEL_RULES } from './labels.ts';
import { readSentFields, refuseEmpty, type SentFields } from './read-fields.ts';
import type { TargetPolicy } from './target-url.ts';
import { parseFlag, parseTarget, TERM_RULES, type TermsPolicy, tooManyViews } from './term-rules.ts';

/** The members that cannot be changed. */
const FIXED_FIELDS = ['shortCode', 'customCode', 'type', 'file'] as const;

const CHANGE_RULES = {
  ...TERM_RULES,
  paused: (value: unknown) => (value === null ? accept(false) : parseFlag('paused', value)),
  ...LABEL_RULES,
  owner: parseNewOwner,
  team: parseTeam,
  request: (value: unknown, { policy }: Context) => parseRequestPatch(value, policy.maxFileBytes),
};
type Context = { policy: { maxFileBytes: number } };

/**
 * Reads the body of `PATCH /api/links/{shortCode}`, a merge patch (RFC 7396): an absent member keeps its term, and null
 * removes it. The rules of a creation apply to what is sent.
 */
export function parseChange(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: TermsPolicy & TargetPolicy & { maxFileBytes: number },
): Parsed<LinkPatchRequest> {
  const sent = { ...body }; // without inherited members, which the client did not send
  const fixed = FIXED_FIELDS.find((name) => sent[name] !== undefined);
  if (fixed) return refuse(fixed, 'TERM_CANNOT_BE_CHANGED', 'cannot be changed');
  const targetUrl = sent['targetUrl'] === undefined ? undefined : parseTarget(sent['targetUrl'], policy);
  if (targetUrl?.ok === false) return targetUrl;
  const kept = checkRemovals(sent, policy);
  if (!kept.ok) return kept;
  const read = (members: SentFields) => readSentFields(CHANGE_RULES, members, { now, policy });
  const blank = refuseEmpty(sent, Object.keys(CHANGE_RULES), (name) => read({ [name]: null }).ok);
  if (!blank.ok) return blank;
  const terms = read(sent);
  if (!terms.ok) return terms;
  const { label, note, tags, recipient, confirm, paused, forwardPath, forwardQuery, ...wanted } = terms.value;
  return accept({
    ...wanted,
    ...(targetUrl && { targetUrl: targetUrl.value }),
    ...(confirm !== undefined && { confirm: confirm ?? false }),
    ...(forwardPath !== undefined && { forwardPath: forwardPath ?? false }),
    ...(forwardQuery !== undefined && { forwardQuery: forwardQuery ?? false }),
    ...(paused !== undefined && { isPaused: paused }),
    labels: withoutUndefined({ label, note, tags, recipient }),
  });
}

/** Refuses to remove what the administrator requires. */
function checkRemovals(sent: Record<string, unknown>, policy: TermsPolicy): Parsed<true> {
  if (sent['expiresAt'] === null && policy.maxTtl) return expiryTooLate(policy.maxTtl);
  if (sent['maxViews'] === null && policy.maxViews !== null) return tooManyViews(policy.maxViews);
  return accept(true);
}

type SentLabels = { [Name in keyof LinkLabels]: LinkLabels[Name] | undefined };

function withoutUndefined({ label, note, tags, recipient }: SentLabels): Partial<LinkLabels> {
  return {
    ...(label !== undefined && { label }),
    ...(note !== undefined && { note }),
    ...(tags !== undefined && { tags }),
    ...(recipient !== undefined && { recipient }),
  };
}

/** The new terms that a client requests, with the plain password, which is hashed. */
export type LinkPatchRequest = Omit<LinkPatch, 'passwordHash'> & { password?: string | null };
