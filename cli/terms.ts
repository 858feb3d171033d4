import type { RedirectRequest } from '../client/client.ts';
import { needsConfirmation } from '../client/confirmation.ts';
import { splitTags } from '../client/tags.ts';
import { addDuration } from '../src/links/rules/expiry-time.ts';
import type { Options, Values } from './command.ts';
import { usageFailure } from './failure.ts';
import { readNewSecret } from './prompt.ts';

/** The terms of a link, as a creation takes them. */
export type Terms = Omit<RedirectRequest, 'targetUrl'>;

const WHEN = 'a time from now, such as 12h, 7d or P1M, or an instant, such as 2030-01-31T12:00Z';
export const WHEN_HELP = `WHEN is ${WHEN}.`;

/** The terms that a creation and a change share. */
export const CHANGEABLE_TERMS = {
  expires: { type: 'string', value: 'WHEN', help: 'The link ends then' },
  'max-views': { type: 'string', value: 'N', help: 'How many times the link can be opened' },
  password: {
    type: 'boolean',
    help: 'Asks for a password, or reads the first line of standard input',
  },
  confirm: { type: 'boolean', help: 'Shows browsers a confirmation page first' },
  'no-confirm': { type: 'boolean', help: 'Shows no confirmation page' },
  starts: { type: 'string', value: 'WHEN', help: 'The link opens from then on' },
  label: { type: 'string', value: 'TEXT', help: 'A name for the link, for those who manage it' },
  note: { type: 'string', value: 'TEXT', help: 'Anything to remember about the link' },
  tags: { type: 'string', value: 'A,B', help: 'Words by which the link is found' },
  recipient: { type: 'string', value: 'TEXT', help: 'The person to whom the link is given' },
  'notify-url': { type: 'string', value: 'URL', help: 'Receives webhooks about the link' },
  'notify-email': { type: 'string', value: 'ADDRESS', help: 'Receives a mail when the link is opened' },
} as const satisfies Options;

export const CREATION_TERMS = {
  ...CHANGEABLE_TERMS,
  confirm: {
    type: 'boolean',
    help: 'Shows browsers a confirmation page first; the default for a link with limited views',
  },
  code: {
    type: 'string',
    value: 'CODE',
    help: 'The short code, in place of a random one; it can be guessed',
  },
} as const satisfies Options;

/** Reads the terms of a new link. Asks for the password if the options say so. */
export async function readTerms(values: Values<typeof CREATION_TERMS>, now: number): Promise<Terms> {
  const { expires, starts, 'max-views': maxViews, tags } = values;
  return given({
    expiresAt: expires && parseWhen('expires', expires, now),
    startsAt: starts && parseWhen('starts', starts, now),
    maxViews: maxViews === undefined ? undefined : parseCount('max-views', maxViews),
    label: values.label,
    note: values.note,
    tags: tags === undefined ? undefined : splitTags(tags),
    recipient: values.recipient,
    notifyUrl: values['notify-url'],
    notifyEmail: values['notify-email'],
    confirm: readSwitch(values, 'confirm', 'no-confirm'),
    customCode: values.code,
    password: values.password ? await readNewSecret('Password of the link') : undefined,
  });
}

/** Decides whether the link has a confirmation page, where the options do not say it. */
export function withConfirmation(terms: Terms): Terms {
  return { ...terms, confirm: needsConfirmation(terms.confirm, terms.maxViews !== undefined) };
}

/** Returns true for the first option, false for the second, and undefined for neither. */
export function readSwitch<Name extends string>(
  values: { [Each in Name]?: unknown },
  on: Name,
  off: Name,
): boolean | undefined {
  if (values[on] && values[off])
    throw usageFailure(`--${on} and --${off} exclude each other`, 'Give one of them.');
  return values[on] || values[off] ? Boolean(values[on]) : undefined;
}

type Given<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Leaves out the members that are undefined. */
export function given<Members extends object>(members: Members): Given<Members> {
  // The entries that are left have the types of their members.
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Given<Members>;
}

/** Reads a whole number. The service checks its range. */
export function parseCount(option: string, text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw usageFailure(`--${option}: "${text}" is not a whole number`);
}

const SHORT_DURATION = /^(\d{1,6})(m|h|d|w)$/;

/** Reads an instant or a time from now. Returns an instant, which the service checks. */
export function parseWhen(option: string, text: string, now: number): string {
  const [, amount, unit] = SHORT_DURATION.exec(text) ?? [];
  const duration = unit === 'm' || unit === 'h' ? `PT${amount}${unit}` : `P${amount}${unit}`;
  try {
    if (!unit && !text.startsWith('P')) return Temporal.Instant.from(text).toString();
    const at = addDuration(now, Temporal.Duration.from(unit ? duration : text));
    return new Date(at).toISOString();
  } catch {
    throw usageFailure(`--${option}: "${text}" is not a time`, `Write ${WHEN}.`);
  }
}
