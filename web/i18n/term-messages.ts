import type { PlainTerm } from '../../src/core/model/terms.ts';

/** The messages of the terms: the label and the hint of each. The host name is chosen, and has no hint. */
export type TermMessages = Readonly<Record<PlainTerm | `${Exclude<PlainTerm, 'host'>}.hint`, string>>;
