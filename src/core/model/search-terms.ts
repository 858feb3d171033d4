import { hash } from 'node:crypto';
import type { LinkState, ShownState } from './link.ts';
import type { LinkType } from './link-type.ts';
import type { ListFilter, ListReader, SearchPart } from './listed-links.ts';
import { type Holders, isHolder, parseOwner } from './owner.ts';
import { toPersonName } from './people/person-name.ts';
import { tryToDecode } from './percent-encoding.ts';
import type { LinkTerms } from './terms.ts';

// The search of the list. Whether a link matches is decided here, on the link itself. The terms of links only find
// candidates: they are what the full-text search of a store contains.

/** The texts that a search looks at. */
export type Searched = Pick<LinkTerms, 'label' | 'tags' | 'recipient'> &
  Holders & {
    shortCode: string;
    type: LinkType;
    targetUrl: string | null;
    fileName: string | null;
    tokenHash?: string | null;
    /** The message of a file request. */
    message?: string | null;
    requestCode?: string | null;
  };

/** A link has at most so many words of each kind, and a word so many characters: longer ones are truncated. */
const MAX_WORDS = 60;
const MAX_WORD_CHARACTERS = 40;
/** In a path or a query of a URL, escapes stand for characters of other scripts. */
const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;
const CODE_BEGINNING = /^[\p{L}\p{M}\p{Nd}._~/-]{1,100}$/u;

/** Returns the words of a text, in lower case and without accents. */
export function wordsOf(text: string): string[] {
  // A ranking compares thousands of links, and most texts are plain.
  const plain = /^[\0-\x7F]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '');
  return (plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    truncate(word, MAX_WORD_CHARACTERS),
  );
}

/** An address, whole or without the service. */
const ADDRESS = /^(?:https?:\/\/[^/]+)?(?<path>\/.*)$/i;

/**
 * Returns the parts of a search. Of a URL, the scheme does not count; of a link's address, the code is searched too.
 *
 * @param shortPath where addresses of links begin, besides `/l/`
 */
export function partsOf(search: string, shortPath = '/l/'): SearchPart[] {
  const texts = search.split(/\s+/).filter((text) => text !== '');
  return texts.map((text) => ({
    text: codeOfAddress(text, shortPath) ?? text.normalize('NFC'),
    words: [...new Set(wordsOf(withoutScheme(text)))],
  }));
}

function codeOfAddress(text: string, shortPath: string): string | undefined {
  const path = ADDRESS.exec(text)?.groups?.['path'] ?? '';
  const prefix = ['/l/', shortPath].find((each) => path.includes(each));
  if (prefix === undefined) return undefined;
  const code = path
    .slice(path.indexOf(prefix) + prefix.length)
    .replace(ESCAPES, decodeEscapes)
    .normalize('NFC');
  return CODE_BEGINNING.test(code) ? code : undefined;
}

/** Returns whether a link matches all that does not change with time. */
export function matches(link: Searched, filter: Omit<ListFilter, 'states' | 'range'>, reader: ListReader) {
  const { search, type, label, tag, team, isMine, requestCode } = filter;
  const { tokenHash = null } = reader;
  const isHeld = isHolder(reader, link) || (tokenHash !== null && tokenHash === link.tokenHash);
  if (!reader.listsAll && !isHeld) return false;
  if (isMine && link.owner !== reader.owner) return false;
  if (type !== null && link.type !== type) return false;
  if (label !== null && link.label !== label) return false;
  if (tag !== null && !link.tags.includes(tag)) return false;
  if (team !== null && link.team !== team) return false;
  if (requestCode !== undefined && (link.requestCode ?? null) !== requestCode) return false;
  const owner = parseOwner(link.owner);
  if (filter.owner !== null && !toOwnerNames(filter.owner).includes(owner.name ?? '')) return false;
  if (filter.ownerKind !== null && owner.kind !== filter.ownerKind) return false;
  if (search.length === 0) return true;
  const open = openWords(link);
  let hidden: string[] | undefined; // only read when the open words do not suffice
  const hasWord = (wanted: string) => {
    if (open.some((word) => word.startsWith(wanted))) return true;
    hidden ??= reader.seesAll || isHeld ? targetWords(link) : [];
    return hidden.some((word) => word.startsWith(wanted));
  };
  return search.every(
    ({ text, words }) => (words.length > 0 && words.every(hasWord)) || link.shortCode.startsWith(text),
  );
}

function openWords({ label, tags, recipient }: Searched): string[] {
  return limited([label, ...tags, recipient]);
}

function targetWords({ targetUrl, fileName, message = null }: Searched): string[] {
  return limited([targetUrl && withoutScheme(targetUrl), fileName, message]);
}

function limited(texts: readonly (string | null)[]): string[] {
  const words = texts.flatMap((text) => (text === null ? [] : wordsOf(text)));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Escapes that are not UTF-8 separate words. */
const decodeEscapes = (escapes: string): string => tryToDecode(escapes) ?? ' ';

function withoutScheme(url: string): string {
  return url.replace(/^[a-z]+:\/\//i, '').replace(ESCAPES, decodeEscapes);
}

/** The terms of a link that decide its state. */
type StateOfTerms = Pick<LinkState, 'status' | 'isPaused' | 'startsAt' | 'maxViews'>;

/**
 * Returns the terms of a link, by which a store finds it. They consist of lower-case letters and digits. The words of
 * its target have a kind of their own: the position where a page ends depends on the candidates, so it would reveal the
 * words of a target that the reader may not see.
 */
export function termsOf(link: Searched, state: StateOfTerms): string[] {
  const { shortCode, type, label, tags, owner, team, requestCode = null } = link;
  return [
    ...new Set([
      ...openWords(link).map((word) => KINDS.word + word),
      ...targetWords(link).map((word) => KINDS.target + word),
      codeTerm(shortCode),
      ...(label === null ? [] : [exactTerm('label', label)]),
      ...tags.map((tag) => exactTerm('tag', tag)),
      ...ownerTerms(owner),
      ...(team === null ? [] : [exactTerm('team', team)]),
      ...(requestCode === null ? [] : [exactTerm('request', requestCode)]),
      nameTerm('type', type),
      ...statesOf(state).map((each) => nameTerm('state', each)),
    ]),
  ];
}

/** Returns the states that a link may be in until its row changes. Nearly every link may be ACTIVE: it is left out. */
function statesOf({ status, isPaused, startsAt, maxViews }: StateOfTerms): ShownState[] {
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
  code: 'k',
  label: 'l',
  tag: 't',
  owner: 'o',
  ownerKind: 'n',
  team: 'm',
  request: 'r',
  type: 'y',
  state: 's',
} as const;

/** So many digits of a hash stand for a text. */
const HASH_DIGITS = 16;

/** Returns the term of a code, which has case, and characters that are no letters. */
const codeTerm = (text: string): string => KINDS.code + Buffer.from(text).toString('hex');

function exactTerm(kind: 'label' | 'tag' | 'owner' | 'team' | 'request', text: string): string {
  return KINDS[kind] + hash('sha256', text, 'hex').slice(0, HASH_DIGITS);
}

function nameTerm(kind: 'ownerKind' | 'type' | 'state', name: string): string {
  return KINDS[kind] + name.toLowerCase().replace('_', '');
}

function ownerTerms(owner: string): string[] {
  const { kind, name } = parseOwner(owner);
  return [nameTerm('ownerKind', kind), ...(name ? [exactTerm('owner', name)] : [])];
}

/** Cuts a text without leaving half of a character. */
function truncate(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** A condition on the terms of a link: it has a term, or one that begins so, or all or any of the conditions are met. */
export type Condition =
  | { term: string }
  | { beginning: string }
  | { all: readonly Condition[] }
  | { any: readonly Condition[] };

/** No link has a term of this kind. */
const IMPOSSIBLE: Condition = { term: 'x' };

const toTerm = (term: string): Condition => ({ term });

/** Returns the conditions that a link has to meet. Links that are due have no term for it. */
export function conditionsOf(filter: Omit<ListFilter, 'range'>, reader: ListReader): Condition[] {
  const { search, states, type, label, tag, owner, ownerKind, team, isMine, requestCode } = filter;
  const isSet = (term: string | null) => (term === null ? [] : [{ term }]);
  return [
    ...search.flatMap((part) => toConditions(part, reader)),
    ...(reader.listsAll || reader.tokenHash ? [] : [isHeldBy(reader)]), // no term says of which token a link is
    ...(isMine ? [isOwnedBy(reader)] : []),
    ...isSet(label === null ? null : exactTerm('label', label)),
    ...isSet(tag === null ? null : exactTerm('tag', tag)),
    ...(owner === null
      ? []
      : [{ any: toOwnerNames(owner).map((name) => ({ term: exactTerm('owner', name) })) }]),
    ...isSet(ownerKind === null ? null : nameTerm('ownerKind', ownerKind)),
    ...isSet(team === null ? null : exactTerm('team', team)),
    ...isSet(requestCode ? exactTerm('request', requestCode) : null),
    ...isSet(type === null ? null : nameTerm('type', type)),
    ...(states === null || states.includes('ACTIVE')
      ? []
      : [{ any: states.map((state) => ({ term: nameTerm('state', state) })) }]),
  ];
}

/** Returns a condition for each word: a store leaves out those of words that many links have. */
function toConditions({ text, words }: SearchPart, reader: ListReader): Condition[] {
  const code = CODE_BEGINNING.test(text) ? [{ beginning: codeTerm(text) }] : [];
  if (words.length > 0) return words.map((word) => ({ any: [...wordConditions(word, reader), ...code] }));
  return code.length > 0 ? code : [IMPOSSIBLE];
}

/** Returns the names that a filter may mean: that of a key, or that of a person. */
const toOwnerNames = (text: string): string[] => [...new Set([text, toPersonName(text)])];

/** Returns the conditions for a word: a link has it in what all readers see, or in a target that the reader may see. */
function wordConditions(word: string, reader: ListReader): Condition[] {
  const isIn = (kind: 'word' | 'target') => ({ beginning: KINDS[kind] + word });
  if (reader.seesAll) return [isIn('word'), isIn('target')];
  return [isIn('word'), { all: [isIn('target'), isHeldBy(reader)] }];
}

/** Returns the condition that finds all links of an owner, and few others. */
export const ownerCondition = (owner: string): Condition => ({
  any: ownerTerms(owner).slice(-1).map(toTerm),
});

/** Returns the condition that the reader owns a link. */
function isOwnedBy({ owner }: ListReader): Condition {
  return owner === null ? IMPOSSIBLE : { all: ownerTerms(owner).map(toTerm) };
}

/** Returns the condition that the reader has the access of a link's owner. */
function isHeldBy(reader: ListReader): Condition {
  return { any: [isOwnedBy(reader), ...reader.teams.map((team) => ({ term: exactTerm('team', team) }))] };
}

/** Returns whether a link with these terms meets a condition. */
export function meets(terms: readonly string[], condition: Condition): boolean {
  if ('term' in condition) return terms.includes(condition.term);
  if ('beginning' in condition) return terms.some((term) => term.startsWith(condition.beginning));
  if ('all' in condition) return condition.all.every((each) => meets(terms, each));
  return condition.any.some((each) => meets(terms, each));
}
