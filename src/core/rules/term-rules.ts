import type { EpochMs } from '../model/link.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { type LinkTerms, NO_TERMS, PLAIN_NAMES, type PlainTerm, termOf } from '../model/terms.ts';
import { instantOf, parseExpiresAt } from './expiry-time.ts';
import type { TeamPolicy } from './holders.ts';
import { type MailPolicy, parseNotifyEmail } from './notify-email.ts';
import { parsePassword } from './parse-password.ts';
import type { Rule, Rules, SentFields } from './read-fields.ts';
import { type NotifyPolicy, parseNotifyUrl } from './receiver.ts';
import { checkTarget, parseTargetUrl, type TargetPolicy } from './target-url.ts';
import { parseTags, parseText, UNSAFE_IN_LINES } from './term-texts.ts';
import { parseVerifiedRecipients } from './verified-recipients.ts';

// The rules of the terms that both a creation and a change can set.

/** The administrator's limits on the restrictions of new links. Null sets no limit. */
export type LinkPolicy = Readonly<{
  /** The longest lifetime, also of a link created without `expiresAt`. */
  maxTtl: Temporal.Duration | null;
  /** The most views, also of a link created without `maxViews`. */
  maxViews: number | null;
  passwordRequired: boolean;
  /** True when clients may choose short codes, which others can guess. */
  customCodes: boolean;
}>;

/** The administrator's limits for links. */
export type TermsPolicy = LinkPolicy & TeamPolicy & { notify?: NotifyPolicy; mail?: MailPolicy };

/** `now`: the time of the request. */
export type TermContext = { now: EpochMs; policy: TermsPolicy & TargetPolicy };
type TermRule<Value> = Rule<Value, TermContext>;

/** Returns a rule that accepts null, for a field that is absent or null. */
const optional =
  <Value>(rule: TermRule<Value>): TermRule<Value | null> =>
  (value, context) =>
    value === undefined || value === null ? accept(null) : rule(value, context);

/** The rules of the terms that have a meaning of their own, in the order of the contract's table. */
export const OWN_RULES = {
  expiresAt: optional((value, { now, policy }) => parseExpiresAt(value, now, policy.maxTtl)),
  maxViews: optional((value, { policy }) => parseMaxViews(value, policy.maxViews)),
  password: checkPassword,
  startsAt: optional(instantOf('startsAt')),
} satisfies Rules<TermContext>;

/** Reads those plain terms that were sent; null is for none. */
export function readPlainTerms(sent: SentFields, context: TermContext): Parsed<Partial<LinkTerms>> {
  const terms: Record<string, unknown> = {};
  for (const name of PLAIN_NAMES) {
    const value = sent[name];
    if (value === undefined) continue;
    const parsed = value === null ? accept(NO_TERMS[name]) : parsePlainTerm(name, value, context);
    if (!parsed.ok) return parsed;
    terms[name] = parsed.value;
  }
  return accept(terms); // each value is of the kind of its term
}

function parsePlainTerm(
  name: PlainTerm,
  value: unknown,
  { policy }: TermContext,
): Parsed<LinkTerms[PlainTerm]> {
  switch (termOf(name).kind) {
    case 'flag':
      return parseFlag(name, value);
    case 'tags':
      return parseTags(value);
    case 'addresses':
      return parseVerifiedRecipients(value, policy.mail);
    case 'url':
      return parseTarget(value, policy, name);
    case 'receiver':
      return parseNotifyUrl(value, policy.notify);
    case 'email':
      return parseNotifyEmail(value, policy.mail);
    case 'host':
      return parseHost(value, policy);
    default:
      return parseTextTerm(name, value);
  }
}

/** Reads the value of a term that is a text, of one line or of several. */
export function parseTextTerm(name: PlainTerm, value: unknown): Parsed<string | null> {
  const { kind, maxLength: max = 0 } = termOf(name);
  return parseText(name, value, kind === 'lines' ? { max, unsafe: UNSAFE_IN_LINES } : { max });
}

/** Reads a URL to which the administrator allows links to lead. */
export function parseTarget(value: unknown, policy: TargetPolicy, field = 'targetUrl'): Parsed<string> {
  const targetUrl = parseTargetUrl(value, field);
  return targetUrl.ok ? checkTarget(targetUrl.value, policy, field) : targetUrl;
}

/** Reads the host name under which a link is shown; null for that of `app.base-url`. */
function parseHost(value: unknown, { baseUrl, hosts }: TargetPolicy): Parsed<string | null> {
  const host = typeof value === 'string' ? value.toLowerCase() : '';
  const own = new URL(baseUrl).hostname;
  if (host === own) return accept(null);
  if (hosts.has(host)) return accept(host);
  return refuse('host', 'UNKNOWN_LINK_HOST', `must be ${[own, ...hosts.keys()].join(' or ')}`);
}

export function parseFlag(field: string, value: unknown): Parsed<boolean> {
  return typeof value === 'boolean'
    ? accept(value)
    : refuse(field, 'NOT_TRUE_OR_FALSE', 'must be true or false');
}

function checkPassword(value: unknown, { policy }: TermContext): Parsed<string | null> {
  const password = parsePassword(value);
  return password.ok && password.value === null && policy.passwordRequired
    ? refuse('password', 'PASSWORD_MISSING', 'is required by this service')
    : password;
}

/** "an integer from 1 to 2,147,483,647", the largest value of every store's integer column. */
export const MAX_VIEWS = 2_147_483_647;

const FIELD = 'maxViews';

/**
 * Reads "integer, greater than 0". 3.0 is 3; 1e400, which JSON.parse reads as Infinity, is too large.
 *
 * @param limit the administrator's limit, if there is one
 */
export function parseMaxViews(value: unknown, limit: number | null = null): Parsed<number> {
  // Not Number.isInteger, which rejects the infinities: here they are too large and too small.
  if (typeof value !== 'number' || Math.trunc(value) !== value)
    return refuse(FIELD, 'NOT_AN_INTEGER', 'must be an integer');
  if (value <= 0) return refuse(FIELD, 'MAX_VIEWS_TOO_SMALL', 'must be greater than 0');
  const max = limit ?? MAX_VIEWS;
  return value > max ? tooManyViews(max) : accept(value);
}

/** Refuses more views than the administrator's limit, or an unlimited number. */
export function tooManyViews(max: number): Parsed<never> {
  return refuse(FIELD, 'MAX_VIEWS_TOO_LARGE', `must be at most ${max}`, { max });
}
