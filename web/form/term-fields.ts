import { PLAIN_NAMES, type PlainTerm, type TermKind, termOf } from '../../src/core/model/terms.ts';

/** A term whose label has its name as key. The host name is chosen among few. */
export type FieldTerm = Exclude<PlainTerm, 'host'>;

const INPUT_KINDS: Partial<Record<TermKind, 'text' | 'addresses' | 'lines' | 'url' | 'email'>> = {
  ...{
    text: 'text',
    lines: 'lines',
    tags: 'text',
    addresses: 'addresses',
    url: 'text',
    receiver: 'url',
    email: 'email',
  },
};

/** Returns the kind of the field into which a term is typed; undefined for a term that is chosen. */
export const inputKindOf = (name: PlainTerm) => INPUT_KINDS[termOf(name).kind];

const isField = (name: PlainTerm): name is FieldTerm => name !== 'host';

/** Returns the key of the hint of a term. Without an account, visitors read no name but the one that is entered. */
export function hintKeyOf<Name extends FieldTerm>(name: Name, hasAccount: boolean) {
  return name === 'senderName' && !hasAccount
    ? ('senderName.hintNoAccount' as const)
    : (`${name}.hint` as const);
}

/** The terms that are typed. */
export const TYPED_TERMS = PLAIN_NAMES.filter(isField).filter((name) => inputKindOf(name) !== undefined);
/** The terms that are switched on. The confirmation has a default that follows from other terms, and a field of its own. */
export const FLAGS = PLAIN_NAMES.filter(isField).filter(
  (name) => inputKindOf(name) === undefined && name !== 'confirm',
);
