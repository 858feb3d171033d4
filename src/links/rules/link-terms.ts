import type { EpochMs } from '../link.ts';
import type { LinkPolicy } from '../link-policy.ts';
import { parseExpiresAt, parseStartsAt } from './expiry-time.ts';
import { parsePassword } from './link-password.ts';
import { parseMaxViews } from './max-views.ts';
import { type MailPolicy, parseNotifyEmail } from './notify-email.ts';
import { type NotifyPolicy, parseNotifyUrl } from './notify-url.ts';
import { accept, type Parsed, refuse } from './parsed.ts';
import { checkTarget, type TargetPolicy } from './target-policy.ts';
import { parseTargetUrl } from './target-url.ts';

// The rules of the terms that both a creation and a change can set.

/** What the administrator allows in links. */
export type TermsPolicy = LinkPolicy & {
  notify?: NotifyPolicy;
  mail?: MailPolicy;
};

/** `now`: the time of the request. */
type Context = { now: EpochMs; policy: TermsPolicy };
type Rule<Value> = (value: unknown, context: Context) => Parsed<Value>;
type Rules = Readonly<Record<string, Rule<unknown>>>;

/** The values that rules accept, by field. */
type Values<Some extends Rules> = {
  [Name in keyof Some]: Some[Name] extends Rule<infer Value> ? Value : never;
};

/** Returns a rule that accepts null, for a field that is absent or null. */
const optional =
  <Value>(rule: Rule<Value>): Rule<Value | null> =>
  (value, context) =>
    value === undefined || value === null ? accept(null) : rule(value, context);

/** In the order of the specification's table, extensions last. */
export const TERM_RULES = {
  expiresAt: optional((value, { now, policy }) => parseExpiresAt(value, now, policy.maxTtl)),
  maxViews: optional((value, { policy }) => parseMaxViews(value, policy.maxViews)),
  password: checkPassword,
  confirm: optional((value) => parseFlag('confirm', value)),
  notifyUrl: optional((value, { policy }) => parseNotifyUrl(value, policy.notify)),
  notifyEmail: optional((value, { policy }) => parseNotifyEmail(value, policy.mail)),
  startsAt: optional((value) => parseStartsAt(value)),
} satisfies Rules;

/** Reads every field that has a rule. "The first failing field in the order of the specification's table is told." */
export function readTerms<Some extends Rules>(
  rules: Some,
  sent: Readonly<Record<string, unknown>>,
  context: Context,
): Parsed<Values<Some>> {
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules)) {
    const parsed = rule(sent[name], context);
    if (!parsed.ok) return parsed;
    values[name] = parsed.value;
  }
  return accept(values as Values<Some>); // each value is of its rule
}

/** Reads those fields that were sent. */
export function readSentTerms<Some extends Rules>(
  rules: Some,
  sent: Readonly<Record<string, unknown>>,
  context: Context,
): Parsed<Partial<Values<Some>>> {
  const wanted = Object.entries(rules).filter(([name]) => sent[name] !== undefined);
  return readTerms(Object.fromEntries(wanted), sent, context) as Parsed<Partial<Values<Some>>>; // of fewer rules
}

/** Reads a target that the administrator allows. */
export function parseTarget(value: unknown, policy: TargetPolicy): Parsed<string> {
  const targetUrl = parseTargetUrl(value);
  return targetUrl.ok ? checkTarget(targetUrl.value, policy) : targetUrl;
}

export function parseFlag(field: string, value: unknown): Parsed<boolean> {
  return typeof value === 'boolean'
    ? accept(value)
    : refuse(field, 'NOT_TRUE_OR_FALSE', 'must be true or false');
}

function checkPassword(value: unknown, { policy }: Context): Parsed<string | null> {
  const password = parsePassword(value);
  return password.ok && password.value === null && policy.passwordRequired
    ? refuse('password', 'PASSWORD_MISSING', 'is required by this service')
    : password;
}
