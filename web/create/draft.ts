import { completeTargetUrl } from '../../client/complete-target-url.ts';
import { needsConfirmation } from '../../client/confirmation.ts';
import { canHave, PLAIN_NAMES, type PlainTerm } from '../../src/core/model/terms.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import type { ChosenFile } from '../files/chosen-files.ts';
import { NO_TERMS, type TermDraft, toGivenTerms } from '../form/term-draft.ts';
import { TYPED_TERMS } from '../form/term-fields.ts';
import { toBytes, toInstant, toNumber } from '../form/typed-values.ts';
import type { LinkType, Restrictions } from '../service/contract.ts';
import type { WantedFiles } from '../service/links.ts';
import { type Utm, withUtm } from './utm.ts';

/** Files of a new link; none in a duplicate, until they are chosen again. `name`: that of the ZIP of several files; empty for the proposed one. */
export type FileSource = { kind: 'FILES'; files: ChosenFile[]; name: string };
/** A text that visitors see. `isOneLine`: a secret such as a password, masked while it is typed. */
export type TextSource = { kind: 'TEXT'; text: string; isOneLine: boolean };
/** The files that a new link asks visitors for. The limits are as typed; empty for none. */
export type RequestSource = {
  kind: 'REQUEST';
  text: string;
  maxFiles: string;
  maxMegabytes: string;
  recipientKey: string;
};
/** The target of a new link. */
export type Source = { kind: 'URL'; text: string } | FileSource | TextSource | RequestSource;

export const EMPTY_REQUEST: RequestSource = {
  ...{ kind: 'REQUEST', text: '', maxFiles: '', maxMegabytes: '', recipientKey: '' },
};
export const NO_FILES: FileSource = { kind: 'FILES', files: [], name: '' };
/** The sources as they are chosen, without a content. */
export const EMPTY_SOURCES = {
  URL: { kind: 'URL', text: '' },
  FILES: NO_FILES,
  TEXT: { kind: 'TEXT', text: '', isOneLine: false },
  REQUEST: EMPTY_REQUEST,
} as const satisfies Record<Source['kind'], Source>;
// The keys of an exact type, in the order of the form.
export const SOURCE_KINDS = Object.keys(EMPTY_SOURCES) as Source['kind'][];

/** The beginning of a secret key of age. */
export const SECRET_KEY = /AGE-SECRET-KEY-/i;

/** Returns what a link asks for, as the API takes it. */
export function toFileRequest({ text, maxFiles, maxMegabytes, recipientKey }: RequestSource): WantedFiles {
  return {
    message: text,
    ...(maxFiles.trim() !== '' && { maxFiles: toNumber(maxFiles) }),
    ...(maxMegabytes.trim() !== '' && { maxBytes: toBytes(maxMegabytes) }),
    // A secret key is refused, too, but stays here.
    ...(recipientKey.trim() !== '' && {
      recipientKey: SECRET_KEY.exec(recipientKey)?.[0] ?? recipientKey.trim(),
    }),
  };
}

export const EXPIRIES = ['NEVER', 'HOUR', 'DAY', 'WEEK', 'DATE'] as const;
export type Expiry = (typeof EXPIRIES)[number];
export const VIEW_LIMITS = ['UNLIMITED', 'ONCE', 'CUSTOM'] as const;
export type ViewLimit = (typeof VIEW_LIMITS)[number];

/** The contents of the form. */
export type Draft = Omit<TermDraft, 'confirm'> & {
  source: Source;
  /** Null until the user chooses one: the default follows from the source. */
  expiry: Expiry | null;
  /** The value of a `datetime-local` field: local time, or empty. */
  expiryDate: string;
  viewLimit: ViewLimit;
  /** The text of the field for a custom limit. */
  maxViews: string;
  password: string;
  /** Null until the user changes the default, which `isConfirmed` names. */
  confirm: boolean | null;
  /** The team with which the link is shared, or empty. */
  team: string;
  customCode: string;
  /** The value of a `datetime-local` field, or empty. */
  startsAt: string;
  /** Only of a file that browsers show: visitors may view it without a download. */
  viewable: boolean;
  /** True to encrypt files or a text in the browser: with the passphrase or, without one, a key in the link. */
  encrypt: boolean;
  passphrase: string;
  /** Of the target URL. */
  utm: Utm;
};

export const EMPTY_DRAFT: Draft = {
  ...NO_TERMS,
  source: EMPTY_SOURCES.URL,
  expiry: null,
  expiryDate: '',
  viewLimit: 'UNLIMITED',
  maxViews: '3',
  password: '',
  confirm: null,
  team: '',
  customCode: '',
  startsAt: '',
  viewable: false,
  encrypt: false,
  passphrase: '',
  utm: {},
};

export function keysOf(draft: Partial<Draft>): (keyof Draft)[] {
  // `Draft` is an exact type: every key of one is a key of it.
  return Object.keys(draft) as (keyof Draft)[];
}

/** Returns the target URL to send: complete, with its UTM parameters. Empty for another source. */
export function toTargetUrl({ source, utm }: Draft): string {
  const url = source.kind === 'URL' ? completeTargetUrl(source.text) : '';
  return url === '' ? '' : withUtm(url, utm);
}

/**
 * Returns whether the user has chosen a file or typed something, which would be lost with the form.
 *
 * @param initial what the form began with
 */
export function hasInput({ source, ...options }: Draft, initial = EMPTY_DRAFT): boolean {
  if (source.kind === 'FILES' ? source.files.length > 0 : source.text.trim() !== '') return true;
  if (options.viewLimit === 'CUSTOM' && options.maxViews !== initial.maxViews) return true;
  if (Object.keys(options.utm).length > 0) return true;
  return TYPED.some((name) => !['', initial[name]].includes(String(options[name]).trim()));
}

/** The choices that are a lifetime. */
export const EXPIRY_MS = { HOUR: HOUR_MS, DAY: DAY_MS, WEEK: 7 * DAY_MS } as const;

/**
 * Returns when the link expires. Unless the user chooses, all but links to URLs do after a week: they are seldom meant to stay.
 *
 * @param hasDefault the administrator has set a lifetime, which a link gets that names none
 */
export function expiryOf({ expiry, source: { kind } }: Draft, hasDefault: boolean): Expiry {
  return expiry ?? (hasDefault || kind === 'URL' ? 'NEVER' : 'WEEK');
}

/**
 * Returns true when the link shows a confirmation page. Unless the user chooses, files and links with a view limit have one, so that
 * no scanner or preview opens them; a page that asks for a password or an email code is enough.
 */
export function isConfirmed({ confirm, viewLimit, source, password, verifiedRecipients }: Draft): boolean {
  const isAsked =
    password !== '' || (hasTerm(source, 'verifiedRecipients') && verifiedRecipients.trim() !== '');
  return needsConfirmation(confirm, !isAsked && (source.kind === 'FILES' || viewLimit !== 'UNLIMITED'));
}

/**
 * Returns the restrictions to send, or the field that the user left empty. Only the page can detect an empty field:
 * to the API it means "no restriction".
 */
export function toRestrictions(
  draft: Draft,
  now: number,
  hasDefaultExpiry = false,
): { ok: true; restrictions: Restrictions } | { ok: false; missing: 'expiresAt' | 'maxViews' } {
  const { expiryDate, viewLimit, password } = draft;
  const expiry = expiryOf(draft, hasDefaultExpiry);
  if (expiry === 'DATE' && expiryDate === '') return { ok: false, missing: 'expiresAt' };
  if (viewLimit === 'CUSTOM' && draft.maxViews.trim() === '') return { ok: false, missing: 'maxViews' };
  const expiresAt = toExpiresAt(expiry, expiryDate, now);
  const maxViews = { UNLIMITED: undefined, ONCE: 1, CUSTOM: toNumber(draft.maxViews) }[viewLimit];
  return {
    ok: true,
    restrictions: {
      ...(expiresAt !== undefined && { expiresAt }),
      ...(maxViews !== undefined && { maxViews }),
      ...(password !== '' && { password }),
      ...(isConfirmed(draft) && { confirm: true }),
      ...toGivenTerms(
        { ...draft, confirm: false },
        PLAIN_NAMES.filter((name) => hasTerm(draft.source, name)),
      ),
      ...(draft.customCode.trim() !== '' && { customCode: draft.customCode.trim() }),
      ...(draft.team !== '' && { team: draft.team }),
      ...(draft.startsAt !== '' && { startsAt: toInstant(draft.startsAt) }),
    },
  };
}

const TYPED = [...TYPED_TERMS, 'customCode', 'password', 'startsAt', 'expiryDate'] as const;

/** Returns the type of the link to such a target. */
const typeOf = ({ kind }: Source): LinkType =>
  kind === 'URL' ? 'REDIRECT' : kind === 'REQUEST' ? 'REQUEST' : 'DOWNLOAD';

/** Returns whether a link to such a target can have a term. */
export const hasTerm = (source: Source, name: PlainTerm): boolean => canHave(typeOf(source), name);

function toExpiresAt(expiry: Expiry, date: string, now: number): string | undefined {
  if (expiry === 'NEVER') return undefined;
  if (expiry !== 'DATE') return new Date(now + EXPIRY_MS[expiry]).toISOString();
  return toInstant(date);
}
