import { completeTargetUrl } from '../../../client/complete-target-url.ts';
import { PLAIN_NAMES } from '../../../src/core/model/terms.ts';
import { type TermDraft, toTermDraft, toTermValue } from '../../form/term-draft.ts';
import { MEGABYTE, toBytes, toDateField, toInstant, toNumber } from '../../form/typed-values.ts';
import type { LinkDescription } from '../../service/contract.ts';
import type { TypedPatch } from '../../service/links.ts';

/** The contents of the form that changes a link, as texts of its fields. */
export type EditDraft = TermDraft & {
  /** Null where there is no URL that the user may see. */
  targetUrl: string | null;
  /** Of a file request, else null. The limits are empty for none; `maxBytes` is in megabytes. */
  requestMessage: string | null;
  maxFiles: string;
  maxBytes: string;
  /** Values of `datetime-local` fields: local time, or empty. */
  startsAt: string;
  expiresAt: string;
  /** Empty for no limit. */
  maxViews: string;
  passwordChange: PasswordChange;
  /** The new password. */
  password: string;
  paused: boolean;
};
export type PasswordChange = 'KEEP' | 'SET' | 'REMOVE';
/** The parts of a draft that are terms of the link. */
export type Term = Exclude<keyof EditDraft, 'passwordChange' | 'password'>;

export const TERMS: readonly Term[] = [
  ...(['targetUrl', 'requestMessage', 'maxFiles', 'maxBytes', 'startsAt', 'expiresAt', 'maxViews'] as const),
  'paused',
  ...PLAIN_NAMES.filter((name) => name !== 'host'),
];

export function toEditDraft(link: LinkDescription): EditDraft {
  return {
    targetUrl: link.targetUrl ?? null,
    ...toTermDraft(link),
    requestMessage: link.request?.message ?? null,
    maxFiles: String(link.request?.maxFiles ?? ''),
    maxBytes: link.request?.maxBytes ? String(Number((link.request.maxBytes / MEGABYTE).toPrecision(6))) : '',
    startsAt: toField(link.startsAt),
    expiresAt: toField(link.expiresAt),
    maxViews: link.maxViews === null ? '' : String(link.maxViews),
    passwordChange: 'KEEP',
    password: '',
    paused: link.state === 'PAUSED',
  };
}

function toField(at: string | null): string {
  return at === null ? '' : toDateField(Date.parse(at));
}

/** Returns the terms in which two drafts differ. */
export function changedTerms(former: EditDraft, latter: EditDraft): Term[] {
  return TERMS.filter((term) => former[term] !== latter[term]);
}

/** Returns whether the user has changed anything. */
export function isChanged(former: EditDraft, draft: EditDraft): boolean {
  return draft.passwordChange !== 'KEEP' || changedTerms(former, draft).length > 0;
}

/** Returns the patch that makes a link of one draft into a link of another. */
export function toPatch(former: EditDraft, draft: EditDraft): TypedPatch {
  const values = {
    targetUrl: completeTargetUrl(draft.targetUrl ?? ''),
    startsAt: draft.startsAt === '' ? null : toInstant(draft.startsAt),
    expiresAt: draft.expiresAt === '' ? null : toInstant(draft.expiresAt),
    maxViews: toLimit(draft.maxViews),
    password: draft.passwordChange === 'SET' ? draft.password : null,
    paused: draft.paused,
    ...Object.fromEntries(PLAIN_NAMES.map((name) => [name, toTermValue(name, draft[name])])),
  };
  const limits = {
    maxFiles: toLimit(draft.maxFiles),
    maxBytes: draft.maxBytes.trim() === '' ? null : toBytes(draft.maxBytes),
  };
  const changed: string[] = changedTerms(former, draft);
  if (draft.passwordChange !== 'KEEP') changed.push('password');
  const isChanged = ([name]: [string, unknown]) => changed.includes(name);
  const { requestMessage: message } = draft;
  const request = {
    ...Object.fromEntries(Object.entries(limits).filter(isChanged)),
    ...(message !== null && message !== former.requestMessage && { message }),
  };
  const patch = Object.fromEntries(Object.entries(values).filter(isChanged));
  return { ...patch, ...(Object.keys(request).length > 0 && { request }) };
}

function toLimit(text: string): number | string | null {
  return text.trim() === '' ? null : toNumber(text);
}

/** Returns the key of the hint for the view limit: the service saves a limit below the views so far as those views. */
export function maxViewsHint(
  maxViews: string,
  viewCount: number,
): 'edit.maxViewsHint' | 'edit.maxViewsTooLow' {
  const limit = toNumber(maxViews);
  const isTooLow = typeof limit === 'number' && limit > 0 && limit < viewCount;
  return isTooLow ? 'edit.maxViewsTooLow' : 'edit.maxViewsHint';
}

/** Applies to the latest terms what the user has changed of the former ones. */
export function rebaseDraft(draft: EditDraft, former: EditDraft, latest: EditDraft): EditDraft {
  const own = changedTerms(former, draft).map((term): [Term, EditDraft[Term]] => [term, draft[term]]);
  const { password, passwordChange } = draft;
  return { ...latest, ...Object.fromEntries(own), password, passwordChange };
}
