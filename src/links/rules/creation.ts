import type { EpochMs } from '../link.ts';
import { parseExpiresAt } from './expiry-time.ts';
import { parsePassword } from './link-password.ts';
import { parseMaxViews, parseMaxViewsText } from './max-views.ts';
import { accept, type Parsed, refuse } from './parsed.ts';
import { parseTargetUrl } from './target-url.ts';

/** The restrictions that a client requests; null for each that it does not. */
export type NewLinkRequest = {
  expiresAt: EpochMs | null;
  /** "The response repeats the text as it was sent." */
  expiresAtText: string | null;
  maxViews: number | null;
  /** The plain password, which is hashed and never stored, logged or returned. */
  password: string | null;
  /** True when a browser gets a confirmation page first; null when the client did not say. */
  confirm: boolean | null;
};

/** Returns the value that was sent for a field, or null where it counts as absent. */
type ReadField<T> = (field: string) => T | null;

/** Reads the JSON body of `POST /api/links`. "Unknown members are ignored, null means absent." */
export function parseRedirect(
  body: Record<string, unknown>,
  now: EpochMs,
): Parsed<NewLinkRequest & { targetUrl: string }> {
  const read: ReadField<unknown> = (field) => ownMember(body, field) ?? null;
  const targetUrl = parseTargetUrl(read('targetUrl'));
  if (!targetUrl.ok) return targetUrl;
  const restrictions = parseRestrictions(read, { parseViews: parseMaxViews, parseFlag }, now);
  if (!restrictions.ok) return restrictions;
  return accept({ targetUrl: targetUrl.value, ...restrictions.value });
}

/** Reads the text fields of `POST /api/links/upload`. A form sends a blank field for an empty input. */
export function parseUploadFields(fields: Record<string, string>, now: EpochMs): Parsed<NewLinkRequest> {
  const read: ReadField<string> = (field) => {
    const text = ownMember(fields, field) ?? '';
    const isAbsent = field === 'password' ? text === '' : text.trim() === '';
    return isAbsent ? null : text;
  };
  return parseRestrictions(read, { parseViews: parseMaxViewsText, parseFlag: parseFlagText }, now);
}

/** The parsers of the fields that are not text, for JSON or for the text of a form. */
type FieldParsers<T> = {
  parseViews: (sent: T) => Parsed<number>;
  parseFlag: (sent: T) => Parsed<boolean>;
};

/** "The first failing field in the order of the specification's table is told", extensions last. */
function parseRestrictions<T>(
  read: ReadField<T>,
  { parseViews, parseFlag }: FieldParsers<T>,
  now: EpochMs,
): Parsed<NewLinkRequest> {
  const expiresAtSent = read('expiresAt');
  const expiresAt = expiresAtSent === null ? accept(null) : parseExpiresAt(expiresAtSent, now);
  if (!expiresAt.ok) return expiresAt;
  const maxViewsSent = read('maxViews');
  const maxViews = maxViewsSent === null ? accept(null) : parseViews(maxViewsSent);
  if (!maxViews.ok) return maxViews;
  const password = parsePassword(read('password'));
  if (!password.ok) return password;
  const confirmSent = read('confirm');
  const confirm = confirmSent === null ? accept(null) : parseFlag(confirmSent);
  if (!confirm.ok) return confirm;
  return accept({
    expiresAt: expiresAt.value,
    expiresAtText: typeof expiresAtSent === 'string' ? expiresAtSent : null,
    maxViews: maxViews.value,
    password: password.value,
    confirm: confirm.value,
  });
}

function parseFlag(value: unknown): Parsed<boolean> {
  return typeof value === 'boolean' ? accept(value) : refuse('confirm', 'must be true or false');
}

function parseFlagText(text: string): Parsed<boolean> {
  return parseFlag(text === 'true' || (text === 'false' ? false : text));
}

/** Ignores inherited members such as `__proto__` and `constructor`, which the client did not send. */
function ownMember<T>(members: Record<string, T>, field: string): T | undefined {
  return Object.hasOwn(members, field) ? members[field] : undefined;
}
