import type { RedirectRequest } from '../client/client.ts';
import { needsConfirmation } from '../client/confirmation.ts';
import { splitTags } from '../client/tags.ts';
import { completeTargetUrl } from '../client/target-url.ts';
import { readTime, TIME_FORMS } from '../client/times.ts';
import { addDuration } from '../src/core/model/instant.ts';
import type { Options, Values } from './command.ts';
import { usageFailure } from './failure.ts';
import { readNewSecret } from './prompt.ts';

/** The terms of a link, as a creation takes them. */
export type Terms = Omit<RedirectRequest, 'targetUrl'>;

const WHEN = `${TIME_FORMS}, or an ISO 8601 duration such as P1M`;
export const WHEN_HELP = `WHEN is a local time, a time with its offset, or a time from now:\n${WHEN}.`;

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
  team: { type: 'string', value: 'NAME', help: 'Shares the link with a team, which reads and changes it' },
  'notify-url': { type: 'string', value: 'URL', help: 'Receives webhooks about the link' },
  'fallback-url': {
    type: 'string',
    value: 'URL',
    help: 'Visitors go there when the link has expired or is used up',
  },
  host: { type: 'string', value: 'NAME', help: 'The host name of its address, if the service has several' },
  'forward-path': {
    type: 'boolean',
    help: 'Appends what follows the short code in the address to the target',
  },
  'no-forward-path': { type: 'boolean', help: 'Passes on no path' },
  'forward-query': { type: 'boolean', help: 'Adds the query of the address to that of the target' },
  'no-forward-query': { type: 'boolean', help: 'Passes on no query' },
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
  const { expires, starts, 'max-views': maxViews, tags, 'fallback-url': fallbackUrl } = values;
  return given({
    expiresAt: expires === undefined ? undefined : parseWhen('expires', expires, now),
    startsAt: starts === undefined ? undefined : parseWhen('starts', starts, now),
    maxViews: maxViews === undefined ? undefined : parseCount('max-views', maxViews),
    label: values.label,
    note: values.note,
    tags: tags === undefined ? undefined : splitTags(tags),
    recipient: values.recipient,
    team: values.team,
    notifyUrl: values['notify-url'],
    notifyEmail: values['notify-email'],
    fallbackUrl: fallbackUrl && completeTargetUrl(fallbackUrl),
    host: values.host,
    ...readForwards(values),
    confirm: readSwitch(values, 'confirm', 'no-confirm'),
    customCode: values.code,
    password: values.password ? await readNewSecret('Password of the link') : undefined,
  });
}

/** Decides whether the link has a confirmation page, where the options do not say it. */
export function withConfirmation(terms: Terms): Terms {
  return { ...terms, confirm: needsConfirmation(terms.confirm, terms.maxViews !== undefined) };
}

/** Reads what the link passes on of a visited address. */
export function readForwards(values: Values<typeof CHANGEABLE_TERMS>) {
  return {
    forwardPath: readSwitch(values, 'forward-path', 'no-forward-path'),
    forwardQuery: readSwitch(values, 'forward-query', 'no-forward-query'),
  };
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

/** Reads a time as a CSV file has it, or any ISO 8601 duration from now. Returns an instant, which the service checks. */
export function parseWhen(option: string, text: string, now: number): string {
  try {
    if (text.startsWith('P')) return new Date(addDuration(now, Temporal.Duration.from(text))).toISOString();
  } catch {
    // Temporal throws for a text that is no duration.
  }
  const at = readTime(text, now);
  if (at !== undefined) return at;
  throw usageFailure(`--${option}: "${text}" is not a time`, `Write ${WHEN}.`);
}
