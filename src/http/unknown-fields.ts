import type { FastifyInstance, FastifyReply } from 'fastify';
import { byPlainForm, findNearMiss, type NamesByPlainForm } from '../closest-name.ts';
import { accept, type Parsed, refuse } from '../links/rules/parsed.ts';
import { requireValid } from './errors.ts';

/** Comparing the 70,000 members that a body of 1 MB can have would take 50 ms. */
const MAX_NAMES = 50;
const MAX_NAME_CHARACTERS = 50;
const HEADER = 'x-ignored-fields';

/** The names of what a route accepts. */
type KnownNames = { names: ReadonlySet<string>; byPlainForm: NamesByPlainForm };

/** Returns the names of the members that the schema of an object has; none without a schema. */
export function namesOf(schema: unknown): KnownNames {
  const hasProperties = typeof schema === 'object' && schema !== null && 'properties' in schema;
  const names = Object.keys((hasProperties && schema.properties) || {});
  return { names: new Set(names), byPlainForm: byPlainForm(names) };
}

/**
 * Returns the first 50 unknown names, which the request is handled without. A near miss of a known name is refused:
 * otherwise a link would lack the limit that its creator meant to set.
 */
export function findIgnored(sent: Iterable<string>, known: KnownNames): Parsed<string[]> {
  const ignored: string[] = [];
  for (const name of sent) {
    if (known.names.has(name)) continue;
    if (ignored.length === MAX_NAMES) break;
    const meant = findNearMiss(name, known.byPlainForm);
    if (meant !== undefined)
      return refuse(name, 'UNKNOWN_FIELD', `unknown; did you mean ${meant}`, { meant });
    ignored.push(name);
  }
  return accept(ignored);
}

/** Adds ignored names to the header X-Ignored-Fields of the response, percent-encoded, with commas between. */
export function nameIgnored(reply: FastifyReply, names: Iterable<string>): void {
  const encoded = [...names]
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_CHARACTERS).toWellFormed()));
  const before = reply.getHeader(HEADER);
  if (encoded.length > 0) reply.header(HEADER, [...(before ? [before] : []), ...encoded].join(', '));
}

/** Checks the names of parameters and of the members of a body against the schemas of each route. */
export function checkFieldNames(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { querystring, body } = route.schema ?? {};
    const parameters = namesOf(querystring);
    const members = namesOf(body);
    route.preHandler = [
      ...[route.preHandler ?? []].flat(),
      (request, reply, done) => {
        const check = (sent: unknown, known: KnownNames) => {
          if (known.names.size > 0 && typeof sent === 'object' && sent !== null)
            nameIgnored(reply, requireValid(findIgnored(Object.keys(sent), known)));
        };
        check(request.query, parameters);
        check(request.body, members);
        done();
      },
    ];
  });
}
