import type { LinkType } from './link-type.ts';
import { MAX_LOCATION_BYTES } from './location.ts';

/**
 * The terms of a link, each said once: rows, requests, descriptions, histories, forms, columns of CSV files and options of the
 * command line follow from these tables. The order of their rows is that of errors, which begins with that of the contract, of
 * forms, of columns and of descriptions.
 */

/**
 * The values of plain terms. `text`: of one line, in an input; `lines`: of several, in a text
 * area; `receiver`: of webhooks; `addresses`: of mail. A term is personal, and is erased with what names people, unless it is a
 * flag or a host.
 */
type Values = {
  flag: boolean;
  text: string | null;
  lines: string | null;
  tags: readonly string[];
  addresses: readonly string[];
  url: string | null;
  receiver: string | null;
  email: string | null;
  host: string | null;
};
/** The kind of a term. It decides how its value is read, stored, recorded and shown. */
export type TermKind = keyof Values | 'instant' | 'count' | 'password' | 'code' | 'team';

/** The kinds whose values histories have as they are, and which can be confidential. */
type ReadableKind = 'text' | 'lines' | 'tags' | 'addresses';
/**
 * Those who see a term in a description. It limits no history, which shows its readers flags and the SHA-256 of URLs and of
 * the receivers of notifications. So a text for changers alone must be one that visitors read, too: the histories of protected links hide it.
 */
type Audience<Kind extends TermKind> = Kind extends ReadableKind
  ? { shownTo?: 'readers' } | { shownTo: 'changers'; isForVisitors: true }
  : { shownTo?: 'readers' | 'changers' | 'none' };

/**
 * What holds of a term. `maxLength`: in UTF-16 units, of each item of several. `shownTo`: the readers of the link, who have the
 * scope `read`, own it, are in its team, or send its token; or its changers, who are the same with the scope `manage`; without
 * it, all who may describe the link. `isForVisitors`: those who open the link read it. `of`: the types of links that have it;
 * all without it. `isAlwaysRecorded`: the entry of a creation has it also where the link lacks it.
 */
export type Term<Kind extends TermKind = TermKind> = Kind extends TermKind
  ? Audience<Kind> & {
      kind: Kind;
      maxLength?: number;
      maxItems?: number;
      isForVisitors?: true;
      of?: readonly LinkType[];
      isAlwaysRecorded?: true;
    }
  : never;
type Terms<Kind extends TermKind> = Readonly<Record<string, Term<Kind>>>;

/** The terms that have a meaning of their own. */
export const OWN_TERMS = {
  expiresAt: { kind: 'instant' },
  maxViews: { kind: 'count' },
  password: { kind: 'password' },
  startsAt: { kind: 'instant' },
  customCode: { kind: 'code' },
  team: { kind: 'team', maxLength: 128, shownTo: 'readers' },
} as const satisfies Terms<Exclude<TermKind, keyof Values>>;

/** The terms for the people who manage the link. */
export const MANAGED_TERMS = {
  label: { kind: 'text', maxLength: 200, shownTo: 'readers' },
  recipient: { kind: 'text', maxLength: 200, shownTo: 'readers' },
  tags: { kind: 'tags', maxLength: 50, maxItems: 20, shownTo: 'readers' },
  note: { kind: 'lines', maxLength: 2_000, shownTo: 'readers' },
  host: { kind: 'host', shownTo: 'none' }, // `accessUrl` has it
} as const satisfies Terms<keyof Values>;

/** The terms that a visit needs. A change of one is a new version of the definition of the link. */
export const VISIT_TERMS = {
  senderName: { kind: 'text', maxLength: 200, shownTo: 'changers', isForVisitors: true },
  message: {
    ...{ kind: 'lines', maxLength: 2_000, shownTo: 'changers', isForVisitors: true },
    of: ['REDIRECT', 'DOWNLOAD'],
  },
  shownBeforePassword: { kind: 'flag', shownTo: 'changers' },
  verifiedRecipients: {
    ...{ kind: 'addresses', maxLength: 254, maxItems: 50, shownTo: 'readers' }, // RFC 5321, 4.5.3.1.3
    of: ['REDIRECT', 'DOWNLOAD'],
  },
  confirm: { kind: 'flag', isAlwaysRecorded: true },
  notifyEmail: { kind: 'email', maxLength: 254, shownTo: 'changers', isAlwaysRecorded: true }, // RFC 5321, 4.5.3.1.3
  notifyUrl: { kind: 'receiver', maxLength: 2048, shownTo: 'changers', isAlwaysRecorded: true },
  fallbackUrl: { kind: 'url', maxLength: MAX_LOCATION_BYTES, shownTo: 'changers' },
  forwardPath: { kind: 'flag', shownTo: 'changers', of: ['REDIRECT'] },
  forwardQuery: { kind: 'flag', shownTo: 'changers', of: ['REDIRECT'] },
} as const satisfies Terms<keyof Values>;

/** The terms that are plain values, see `Values`. */
export const PLAIN_TERMS = { ...MANAGED_TERMS, ...VISIT_TERMS };
/** All terms that a creation takes, besides the target. */
export const TERMS = { ...OWN_TERMS, ...PLAIN_TERMS };
export type TermName = keyof typeof TERMS;

type ValuesOf<Table extends Terms<keyof Values>> = { [Name in keyof Table]: Values[Table[Name]['kind']] };
export type PlainTerm = keyof typeof PLAIN_TERMS;
/** `notifyLanguage`: of the mails to `notifyEmail`; null without one. */
export type VisitTerms = ValuesOf<typeof VISIT_TERMS> & { notifyLanguage: string | null };
/** The values of all plain terms of a link. */
export type LinkTerms = VisitTerms & ValuesOf<typeof MANAGED_TERMS>;

/** Returns the names of a table, in their order. */
export function namesOf<Table extends object>(table: Table): (keyof Table)[] {
  return Object.keys(table) as (keyof Table)[]; // the tables here have exact types
}
export const PLAIN_NAMES = namesOf(PLAIN_TERMS);
export const TERM_NAMES = namesOf(TERMS);

/** The kinds of all terms, by their names. */
export const TERM_KINDS = Object.fromEntries(TERM_NAMES.map((name) => [name, TERMS[name].kind])) as Record<
  TermName,
  TermKind
>; // of each name one

/** The columns of a CSV file of links to URLs, named like the members of a creation. */
export const LINK_COLUMNS = ['targetUrl', ...TERM_NAMES] as const;
export type LinkColumn = (typeof LINK_COLUMNS)[number];

/** Returns what holds of a term. */
export const termOf = (name: TermName): Term => TERMS[name];

/** Returns whether a link of a type can have a term. */
export function canHave(type: LinkType, name: TermName): boolean {
  return termOf(name).of?.includes(type) ?? true;
}

/** Returns whether the value of a term is a list of texts. People write one with commas. */
export const isList = (kind: string | undefined): boolean => kind === 'tags' || kind === 'addresses';

/** Returns whether the value of a plain term is one: not null, false or an empty list. */
export const isSet = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));

/** Returns what a link has that lacks a term. */
function emptyOf(kind: keyof Values): LinkTerms[PlainTerm] {
  return kind === 'flag' ? false : isList(kind) ? [] : null;
}

/** The terms of a link that has none. */
export const NO_TERMS = Object.freeze({
  ...Object.fromEntries(PLAIN_NAMES.map((name) => [name, emptyOf(PLAIN_TERMS[name].kind)])),
  notifyLanguage: null,
}) as LinkTerms; // of each name its empty value

/** Returns the name of a plain term in histories, which have some only as SHA-256. */
export function recordedName(name: PlainTerm): string {
  return isHashed(name) ? `${name}Sha256` : name;
}

/** Returns whether histories have only the SHA-256 of a term. */
export function isHashed(name: PlainTerm): boolean {
  const { kind } = PLAIN_TERMS[name];
  return kind === 'url' || kind === 'receiver' || kind === 'email';
}

/** Returns whether a term can name a person, or what not every reader of the history may see. */
export function isPersonal(name: PlainTerm): boolean {
  const { kind } = PLAIN_TERMS[name];
  return kind !== 'flag' && kind !== 'host';
}
