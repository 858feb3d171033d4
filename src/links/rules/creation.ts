import type { RequestedRestrictions } from '../create-link.ts';
import type { EpochMs } from '../link.ts';
import type { LinkPolicy } from '../link-policy.ts';
import { parseCustomCode } from './custom-code.ts';
import { addDuration, parseExpiresAt, parseStartsAt } from './expiry-time.ts';
import { LABEL_FIELDS, parseLabels } from './labels.ts';
import { parsePassword } from './link-password.ts';
import { parseMaxViews } from './max-views.ts';
import { type MailPolicy, parseNotifyEmail } from './notify-email.ts';
import { type NotifyPolicy, parseNotifyUrl } from './notify-url.ts';
import { accept, type Parsed, refuse, toInteger } from './parsed.ts';
import { checkTarget, type TargetPolicy } from './target-policy.ts';
import { parseTargetUrl } from './target-url.ts';

/** The restrictions that a client requests; null for each that it does not. */
export type NewLinkRequest = RequestedRestrictions & {
  /** "The response repeats the text as it was sent." */
  expiresAtText: string | null;
  confirm: boolean | null;
};

/** What the operator allows in new links. */
export type CreationPolicy = LinkPolicy & {
  notify?: NotifyPolicy;
  mail?: MailPolicy;
};

/** Reads the JSON body of `POST /api/links`. "Unknown members are ignored, null means absent." */
export function parseRedirect(
  body: Record<string, unknown>,
  now: EpochMs,
  policy: CreationPolicy & TargetPolicy,
): Parsed<NewLinkRequest & { targetUrl: string }> {
  const sent = { ...body }; // without inherited members, which the client did not send
  const targetUrl = parseTargetUrl(sent['targetUrl']);
  if (!targetUrl.ok) return targetUrl;
  const allowed = checkTarget(targetUrl.value, policy);
  if (!allowed.ok) return allowed;
  const restrictions = parseRestrictions(sent, now, policy);
  if (!restrictions.ok) return restrictions;
  return accept({ targetUrl: targetUrl.value, ...restrictions.value });
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
  'customCode',
  ...LABEL_FIELDS,
] as const;

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

/** "The first failing field in the order of the specification's table is told", extensions last. */
function parseRestrictions(
  sent: Record<string, unknown>,
  now: EpochMs,
  policy: CreationPolicy,
): Parsed<NewLinkRequest> {
  const expiresAtText = sent['expiresAt'];
  const expiresAt = parseOptional(expiresAtText, (value) => parseExpiresAt(value, now, policy.maxTtl));
  if (!expiresAt.ok) return expiresAt;
  const maxViews = parseOptional(sent['maxViews'], (value) => parseMaxViews(value, policy.maxViews));
  if (!maxViews.ok) return maxViews;
  const password = parsePassword(sent['password']);
  if (!password.ok) return password;
  if (password.value === null && policy.passwordRequired) {
    return refuse('password', 'PASSWORD_MISSING', 'is required by this service');
  }
  const confirm = parseOptional(sent['confirm'], parseFlag);
  if (!confirm.ok) return confirm;
  const notifyUrl = parseOptional(sent['notifyUrl'], (value) => parseNotifyUrl(value, policy.notify));
  if (!notifyUrl.ok) return notifyUrl;
  const notifyEmail = parseOptional(sent['notifyEmail'], (value) => parseNotifyEmail(value, policy.mail));
  if (!notifyEmail.ok) return notifyEmail;
  const end = expiresAt.value ?? (policy.maxTtl && addDuration(now, policy.maxTtl));
  const startsAt = parseOptional(sent['startsAt'], (value) => parseStartsAt(value, end));
  if (!startsAt.ok) return startsAt;
  const customCode = parseOptional(sent['customCode'], (value) => parseCustomCode(value, policy.customCodes));
  if (!customCode.ok) return customCode;
  const labels = parseLabels(sent);
  if (!labels.ok) return labels;
  return accept({
    startsAt: startsAt.value,
    customCode: customCode.value,
    labels: labels.value,
    expiresAt: expiresAt.value,
    expiresAtText: typeof expiresAtText === 'string' ? expiresAtText : null,
    maxViews: maxViews.value,
    password: password.value,
    confirm: confirm.value,
    notifyUrl: notifyUrl.value,
    notifyEmail: notifyEmail.value,
  });
}

function parseOptional<T>(value: unknown, parse: (value: unknown) => Parsed<T>): Parsed<T | null> {
  return value === undefined || value === null ? accept(null) : parse(value);
}

function parseFlag(value: unknown): Parsed<boolean> {
  return typeof value === 'boolean'
    ? accept(value)
    : refuse('confirm', 'NOT_TRUE_OR_FALSE', 'must be true or false');
}

function toFlag(text: string): boolean | string {
  return text === 'true' || (text === 'false' ? false : text);
}
