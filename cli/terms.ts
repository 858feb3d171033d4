import type { RedirectRequest } from '../client/client.ts';
import { needsConfirmation } from '../client/confirmation.ts';
import { readTime, TIME_FORMS } from '../client/times.ts';
import { readTypedTerm } from '../client/typed-term.ts';
import { addDuration } from '../src/core/model/instant.ts';
import type { LinkType } from '../src/core/model/link-type.ts';
import { TERM_DESCRIPTIONS } from '../src/core/model/term-descriptions.ts';
import { canHave, TERM_NAMES, type TermKind, type TermName, termOf } from '../src/core/model/terms.ts';
import type { Option } from '../src/service/config/options.ts';
import type { Options } from './command.ts';
import { usageFailure } from './failure.ts';
import { readNewSecret } from './prompt.ts';

/** The terms of a link, as a creation takes them. */
export type Terms = Omit<RedirectRequest, 'targetUrl'>;
/** The values of options, as they are parsed. */
type Values = Readonly<Record<string, string | boolean | undefined>>;

const WHEN = `${TIME_FORMS}, or an ISO 8601 duration such as P1M`;
export const WHEN_HELP = `WHEN is a local time, a time with its offset, or a time from now:\n${WHEN}.`;

/** The placeholder for the value of an option in the help. */
const VALUE_WORDS: Partial<Record<TermKind, string>> = {
  ...{ instant: 'WHEN', count: 'N', text: 'TEXT', lines: 'TEXT', tags: 'A,B', url: 'URL', receiver: 'URL' },
  ...{ email: 'ADDRESS', addresses: 'ADDRESS,…', host: 'NAME', team: 'NAME', code: 'CODE' },
};
const SHORT_NAMES: Partial<Record<TermName, string>> = {
  ...{ expiresAt: 'expires', startsAt: 'starts', customCode: 'code' },
};

/** Returns the option that sets a term, such as `fallback-url`. */
export function optionOf(name: TermName): string {
  return SHORT_NAMES[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function toOptions(name: TermName): [string, Option][] {
  const { kind } = termOf(name);
  const { about: help } = TERM_DESCRIPTIONS[name];
  const option = optionOf(name);
  const value = VALUE_WORDS[kind];
  if (value !== undefined) return [[option, { type: 'string', value, help }]];
  const off = { type: 'boolean', help: `Turns --${option} off` } as const;
  return [
    [option, { type: 'boolean', help }],
    ...(kind === 'flag' ? [[`no-${option}`, off] as [string, Option]] : []),
  ];
}

/** Returns the options of some terms. */
export function termOptions(isWanted: (name: TermName) => boolean = () => true) {
  const options: Options = Object.fromEntries(TERM_NAMES.filter(isWanted).flatMap(toOptions));
  return {
    ...options,
    'max-views': { type: 'string', value: 'N', help: TERM_DESCRIPTIONS.maxViews.about },
    password: { type: 'boolean', help: 'Asks for a password, or reads the first line of standard input' },
  } as const;
}

/** Returns the options of the terms of a new link of a type. */
export function creationTerms(type: LinkType) {
  return {
    ...termOptions((name) => canHave(type, name)),
    confirm: {
      type: 'boolean',
      help: `${TERM_DESCRIPTIONS.confirm.about}; the default with --max-views`,
    },
  } as const;
}

/** Reads the terms of a new link. Asks for the password if the options say so. */
export async function readTerms(values: Values, now: number): Promise<Terms> {
  const { password, ...terms } = readGiven(values, (name, text) => toValue(name, text, now));
  return { ...terms, ...(password === true && { password: await readNewSecret('Password of the link') }) };
}

/** Returns the terms that options set. A password is true: it is asked for. */
export function readGiven(
  values: Values,
  toTerm: (name: TermName, text: string) => unknown,
): Record<string, unknown> {
  const terms = TERM_NAMES.map((name) => {
    const option = optionOf(name);
    const value = values[option];
    const isFlag = termOf(name).kind === 'flag';
    if (isFlag) return [name, readSwitch(values, option, `no-${option}`)];
    return [name, typeof value === 'string' ? toTerm(name, value) : value];
  });
  return given(Object.fromEntries(terms));
}

/** Reads the text of an option. The service validates it. */
export function toValue(name: TermName, text: string, now: number): unknown {
  const { kind } = termOf(name);
  if (kind === 'instant') return parseWhen(optionOf(name), text, now);
  return kind === 'count' ? parseCount(optionOf(name), text) : readTypedTerm(kind, text);
}

/** Decides whether the link has a confirmation page, where the options do not say it. */
export function withConfirmation(terms: Terms): Terms {
  return { ...terms, confirm: needsConfirmation(terms.confirm, terms.maxViews !== undefined) };
}

/** Returns true for the first option, false for the second, and undefined for neither. */
export function readSwitch(values: Values, on: string, off: string): boolean | undefined {
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
