import { readTypedTerm } from '../../client/typed-term.ts';
import { PLAIN_NAMES, type PLAIN_TERMS, type PlainTerm, termOf } from '../../src/core/model/terms.ts';
import type { LinkDescription } from '../service/contract.ts';

/** The plain terms of a link as a form has them: texts as typed, tags separated by commas. */
export type TermDraft = {
  [Name in PlainTerm]: (typeof PLAIN_TERMS)[Name]['kind'] extends 'flag' ? boolean : string;
};

const isFlag = (name: PlainTerm): boolean => termOf(name).kind === 'flag';

/** Returns the terms of a link for a form. What the user may not see is empty. */
export function toTermDraft(link: Partial<LinkDescription>): TermDraft {
  const known: Readonly<Record<string, unknown>> = link;
  const values = PLAIN_NAMES.map((name) => {
    const value = known[name];
    if (isFlag(name)) return [name, value === true];
    return [name, Array.isArray(value) ? value.join(', ') : String(value ?? '')];
  });
  return Object.fromEntries(values) as TermDraft; // of each name one
}

export const NO_TERMS = toTermDraft({});

/** Returns what a typed term is in the API; null for an empty one. */
export function toTermValue(name: PlainTerm, typed: string | boolean): string | boolean | string[] | null {
  if (typeof typed === 'boolean') return typed;
  const value = readTypedTerm(termOf(name).kind, typed);
  return typeof value === 'string' ? value.trim() || null : value;
}

/** Returns the terms that are set, as a creation takes them. */
export function toGivenTerms(draft: TermDraft, names: readonly PlainTerm[]): Record<string, unknown> {
  const values = names.map((name) => [name, toTermValue(name, draft[name])] as const);
  const given = values.filter(([, value]) => (Array.isArray(value) ? value.length > 0 : Boolean(value)));
  return Object.fromEntries(given);
}
