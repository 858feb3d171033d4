import { hash } from 'node:crypto';
import type { LinkLabels, LinkState, LinkType, ShownState } from './link.ts';
import { type Creator, type ListFilter, type ListReader, type SearchPart, seesTarget } from './link-list.ts';

// The search of the list. Whether a link matches is decided here, on the link itself. The terms of links only find
// candidates: a store indexes them, and they may be outdated.

/** What a search looks at. */
export type Searched = Pick<LinkLabels, 'label' | 'tags' | 'recipient'> & {
  shortCode: string;
  type: LinkType;
  targetUrl: string | null;
  fileName: string | null;
  creator: Creator;
};

/** A link has at most so many words of each kind, and a word so many characters: longer ones are cut. */
const MAX_WORDS = 60;
const MAX_WORD_CHARACTERS = 40;
const MAX_TERM_CHARACTERS = 60;
/** In a path or a query of a URL, escapes stand for characters of other scripts. */
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;
/** Follows every character that a term can have. */
const LAST_CHARACTER = '\u{10FFFF}';
const CODE_BEGINNING = /^[A-Za-z0-9_-]{1,20}$/;

/** Returns the words of a text, in lower case and without accents. */
export function wordsOf(text: string): string[] {
  // A ranking compares thousands of links, and most texts are plain.
  const plain = /^[\0-\x7F]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '');
  return (plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => cut(word, MAX_WORD_CHARACTERS));
}

/** The address of a link, whole or without the service. */
const LINK_ADDRESS = /^(?:https?:\/\/[^/]+(?:\/.*)?)?\/l\/(?<shortCode>[A-Za-z0-9_-]{1,20})$/i;

/** Returns the parts of a search. Of a URL, the scheme does not count; of a link's address, the code is searched too. */
export function partsOf(search: string): SearchPart[] {
  const texts = search.split(/\s+/).filter((text) => text !== '');
  return texts.map((text) => ({
    text: LINK_ADDRESS.exec(text)?.groups?.['shortCode'] ?? text,
    words: [...new Set(wordsOf(withoutScheme(text)))],
  }));
}

/** Returns whether a link matches all that does not change with time. */
export function matches(link: Searched, filter: Omit<ListFilter, 'states' | 'range'>, reader: ListReader) {
  const { search, type, label, tag, creator, creatorKind } = filter;
  if (type !== null && link.type !== type) return false;
  if (label !== null && link.label !== label) return false;
  if (tag !== null && !link.tags.includes(tag)) return false;
  if (creator !== null && link.creator.name !== creator) return false;
  if (creatorKind !== null && link.creator.kind !== creatorKind) return false;
  if (search.length === 0) return true;
  const open = openWords(link);
  let hidden: string[] | undefined; // only read when the open words do not suffice
  const hasWord = (wanted: string) => {
    if (open.some((word) => word.startsWith(wanted))) return true;
    hidden ??= seesTarget(reader, link.creator) ? targetWords(link) : [];
    return hidden.some((word) => word.startsWith(wanted));
  };
  return search.every(
    ({ text, words }) => (words.length > 0 && words.every(hasWord)) || link.shortCode.startsWith(text),
  );
}

function openWords({ label, tags, recipient }: Searched): string[] {
  return limited([label, ...tags, recipient]);
}

function targetWords({ targetUrl, fileName }: Searched): string[] {
  return limited([targetUrl && withoutScheme(targetUrl), fileName]);
}

function limited(texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap((text) => (text === null ? [] : wordsOf(text)));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

function withoutScheme(url: string): string {
  return url.replace(/^[a-z]+:\/\//i, '').replace(ESCAPES, decode);
}

function decode(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return ' '; // not UTF-8
  }
}

/**
 * Returns the terms of a link, by which a store finds it. The words of its target have kinds of their own: the place
 * where a page ends depends on the candidates, so it would reveal the words of a target that the reader may not see.
 */
export function termsOf(link: Searched, state: Omit<LinkState, 'viewCount' | 'lastOpenedAt'>): string[] {
  const { label, tags, creator } = link;
  return [
    ...new Set([
      ...openWords(link).map(wordTerm),
      ...targetWords(link).flatMap((word) => [
        targetTerm(word),
        ...(creator.name ? [ownTerm(creator, word)] : []),
      ]),
      ...(label === null ? [] : [exactTerm('label', label)]),
      ...tags.map((tag) => exactTerm('tag', tag)),
      ...(creator.name ? [exactTerm('creator', creator.name)] : []),
      ...(link.type === 'DOWNLOAD' ? [exactTerm('type', 'DOWNLOAD')] : []),
      ...statesOf(state).map((each) => exactTerm('state', each)),
    ]),
  ];
}

/** Returns the states that a link may be in until its row changes. Nearly every link may be ACTIVE: it is left out. */
function statesOf(state: Omit<LinkState, 'viewCount' | 'lastOpenedAt'>): ShownState[] {
  const { status, isPaused, startsAt, maxViews } = state;
  return [
    ...(status === 'REVOKED' || status === 'EXPIRED' ? [status] : []),
    ...(isPaused ? ['PAUSED' as const] : []),
    ...(startsAt === null ? [] : ['SCHEDULED' as const]),
    ...(maxViews === null ? [] : ['USED_UP' as const]),
  ];
}

const KINDS = {
  word: 'w',
  target: 'u',
  own: 'o',
  label: 'l',
  tag: 't',
  creator: 'c',
  type: 'y',
  state: 's',
} as const;

/** So many characters of a hash stand for a creator. */
const CREATOR_CHARACTERS = 10;

const wordTerm = (word: string): string => KINDS.word + word;
const targetTerm = (word: string): string => KINDS.target + word;
/** Returns the term of a word of a target for those who created the link. */
const ownTerm = ({ kind, name }: Creator, word: string): string =>
  KINDS.own + hash('sha256', `${kind} ${name}`, 'base64url').slice(0, CREATOR_CHARACTERS) + word;

type ExactKind = Exclude<keyof typeof KINDS, 'word' | 'target' | 'own'>;

function exactTerm(kind: ExactKind, text: string): string {
  return cut(KINDS[kind] + text, MAX_TERM_CHARACTERS);
}

/** Cuts a text without leaving half of a character. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Terms from `from` on, before `end`. */
export type TermRange = { from: string; end: string };

/**
 * A condition of which an index finds the candidates: those with a term in one of the ranges, those whose short code
 * begins with `code`, and, if `isDue`, active links whose time is over.
 */
export type Condition = { ranges: TermRange[]; code: string | null; isDue: boolean };

/** Returns the conditions that a link has to meet, as far as an index can find those that do. */
export function conditionsOf(filter: Omit<ListFilter, 'range'>, reader: ListReader): Condition[] {
  const { search, states, type, label, tag, creator } = filter;
  const exact = (kind: ExactKind, text: string | null) =>
    text === null ? [] : [{ ranges: [rangeOf(exactTerm(kind, text))], code: null, isDue: false }];
  return [
    ...search.map((part) => toCondition(part, reader)),
    ...exact('label', label),
    ...exact('tag', tag),
    ...exact('creator', creator),
    ...exact('type', type === 'DOWNLOAD' ? type : null),
    ...(states === null || states.includes('ACTIVE') ? [] : [stateCondition(states)]),
  ];
}

function toCondition({ text, words }: SearchPart, reader: ListReader): Condition {
  const longest = words.toSorted((a, b) => b.length - a.length)[0];
  const terms = longest === undefined ? [] : [wordTerm(longest), ...targetTerms(longest, reader)];
  return { ranges: terms.map(beginningWith), code: CODE_BEGINNING.test(text) ? text : null, isDue: false };
}

/** Returns the terms of a word in the targets that the reader may see. */
function targetTerms(word: string, { seesAll, name }: ListReader): string[] {
  if (seesAll) return [targetTerm(word)];
  return name.name === null ? [] : [ownTerm(name, word)];
}

function stateCondition(states: readonly ShownState[]): Condition {
  const ranges = states.map((state) => rangeOf(exactTerm('state', state)));
  return { ranges, code: null, isDue: states.includes('EXPIRED') };
}

/** No term has a control character. */
function rangeOf(term: string): TermRange {
  return { from: term, end: `${term}\u0001` };
}

export function beginningWith(text: string): TermRange {
  return { from: text, end: text + LAST_CHARACTER };
}
