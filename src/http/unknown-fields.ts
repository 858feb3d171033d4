import type { FastifyReply } from 'fastify';
import { byPlainForm, findNearMiss, type NamesByPlainForm, toPlainForm } from '../common/closest-name.ts';
import { accept, type Parsed, refuse } from '../core/model/parsed.ts';
import { requireValid } from './errors.ts';

/** Comparing the 50,000 members that a body can have with each known name would take 50 ms. */
const MAX_COMPARED = 50;
/** Clients and proxies refuse long headers, and with them the response. */
const MAX_HEADER_CHARACTERS = 1_000;
export const IGNORED_FIELDS_HEADER = 'x-ignored-fields';

/** The names of what a route accepts. */
export type KnownNames = { names: ReadonlySet<string>; byPlainForm: NamesByPlainForm };

/** Returns the names of the members that the schema of an object has; none without a schema. */
export function namesOf(schema: unknown): KnownNames {
  const names = Object.keys(propertiesOf(schema));
  return { names: new Set(names), byPlainForm: byPlainForm(names) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function propertiesOf(schema: unknown): Record<string, unknown> {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) ? properties : {};
}

/**
 * Returns the first 50 unknown names, which the request is handled without. A near miss of a known name is refused:
 * otherwise a link would lack the limit that its creator meant to set. Beyond 50, only another case, `_` and `-` are.
 */
export function findIgnored(sent: Iterable<string>, known: KnownNames): Parsed<string[]> {
  const ignored: string[] = [];
  for (const name of sent) {
    if (known.names.has(name)) continue;
    const isCompared = ignored.length < MAX_COMPARED;
    const meant = isCompared
      ? findNearMiss(name, known.byPlainForm)
      : known.byPlainForm.get(toPlainForm(name));
    if (meant !== undefined)
      return refuse(name, 'UNKNOWN_FIELD', `unknown; did you mean ${meant}`, { meant });
    if (isCompared) ignored.push(name);
  }
  return accept(ignored);
}

/** Adds ignored names to the header X-Ignored-Fields. */
export function nameIgnored(reply: FastifyReply, names: Iterable<string>): void {
  const text = toIgnoredText(names, String(reply.getHeader(IGNORED_FIELDS_HEADER) ?? ''));
  if (text !== '') reply.header(IGNORED_FIELDS_HEADER, text);
}

/** Returns ignored names after those of a text, percent-encoded, with commas between, as many as have space. */
export function toIgnoredText(names: Iterable<string>, before = ''): string {
  let text = before;
  for (const name of names) {
    const encoded = encodeURIComponent(name.toWellFormed());
    if (text.length + encoded.length + 2 <= MAX_HEADER_CHARACTERS)
      text += text === '' ? encoded : `, ${encoded}`;
  }
  return text;
}

/** Prepares checking the names of the parameters and of the members of the body of a request against their schemas. */
export function prepareCheckNames(query: unknown, body: unknown) {
  const parameters = namesOf(query);
  const members = namesOf(body);
  const inner = Object.entries(propertiesOf(body)).map(([name, schema]) => [name, namesOf(schema)] as const);

  return (sent: { query: unknown; body: unknown }, reply: FastifyReply): void => {
    const check = (fields: unknown, known: KnownNames) => {
      if (known.names.size > 0 && isObject(fields))
        nameIgnored(reply, requireValid(findIgnored(Object.keys(fields), known)));
    };
    check(sent.query, parameters);
    check(sent.body, members);
    if (isObject(sent.body)) for (const [name, known] of inner) check(sent.body[name], known);
  };
}
