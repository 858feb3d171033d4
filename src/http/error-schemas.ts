import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { codesOf, type ErrorCode } from './errors.ts';
import { DateTime, optionalText, text, titled } from './schema-builders.ts';

// The error records in the API reference, in which operations refer to their errors as components.

/** Returns the schema of an error record with one of these codes. */
export const errorRecord = (codes: readonly ErrorCode[]) =>
  titled('Error', {
    timestamp: DateTime,
    status: Type.Integer(),
    error: text('The reason phrase of the status'),
    message: text('The error, for a person'),
    path: Type.String(),
    code: Type.Enum([...codes], {
      title: 'ErrorCode',
      description: 'The error, for a program; it never changes',
    }),
    field: optionalText('The field or parameter that the error concerns'),
    params: Type.Optional(
      Type.Unsafe<Record<string, string | number>>({
        type: 'object', // Type.Record has a pattern for names, which generators of clients do not know
        description: 'The values in the message, such as the maximum `max`',
        additionalProperties: Type.Union([Type.String(), Type.Number()]),
      }),
    ),
  });

export type ErrorRecord = Static<ReturnType<typeof errorRecord>>;

type ErrorResponse = { description: string; content: Record<string, { schema: object }> };

const REFERENCE = '#/components/responses/';
const COMMON = 'CommonError';

/** Returns the `response` schemas of an endpoint's errors. `orPage`: a browser gets a page. */
export const errorResponses = (...statuses: number[]) => refer(statuses, '');
export const errorsOrPages = (...statuses: number[]) => refer(statuses, 'OrPage');
/** The schema of the errors that any request can get before it reaches its route. */
export const COMMON_ERRORS = { $ref: REFERENCE + COMMON };

const refer = (statuses: readonly number[], end: string) =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `${REFERENCE}Error${status}${end}` }]));

/** Returns the response that a reference names. */
function toErrorResponse(name: string): ErrorResponse {
  if (name === COMMON) return COMMON_RESPONSE;
  const { status, orPage } = /^Error(?<status>\d+)(?<orPage>OrPage)?$/.exec(name)?.groups ?? {};
  const json = { 'application/json': { schema: errorRecord(codesOf(Number(status))) } };
  const content = orPage === undefined ? json : { ...json, 'text/html': { schema: Type.String() } };
  return { description: STATUS_CODES[Number(status)] ?? '', content };
}

const COMMON_RESPONSE: ErrorResponse = {
  description:
    'What requests can also get: 400 if malformed, 405 for another method, 408 if they arrive too slowly, ' +
    '421 for an unknown host, 431 for headers over 32 KiB, 503 for too many connections',
  content: {
    'application/json': {
      schema: errorRecord([
        ...(['MALFORMED_REQUEST', 'MALFORMED_HOST', 'SEVERAL_CREDENTIALS', 'UNUSABLE_USER_NAME'] as const),
        'TOO_MANY_CONNECTIONS',
        ...[405, 408, 421, 431].flatMap(codesOf),
      ]),
    },
  },
};

/** The part of an OpenAPI document that has errors. */
type WithErrors = {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  components: { responses?: Record<string, ErrorResponse> };
};

/** Lets operations refer to their errors as whole responses. A route can declare only the schema of each. */
export function shareErrors<Document extends object>(document: Document): Document {
  const { paths, components } = document as Document & WithErrors; // made of the schemas of routes
  const shared: Record<string, ErrorResponse> = {};
  for (const { responses } of Object.values(paths).flatMap((operations) => Object.values(operations)))
    for (const [status, response] of Object.entries(responses)) {
      const [, name] = NAMED.exec(JSON.stringify(response)) ?? [];
      if (name === undefined) continue;
      shared[name] ??= toErrorResponse(name);
      responses[status] = { $ref: REFERENCE + name };
    }
  components.responses = Object.fromEntries(Object.entries(shared).sort());
  return document;
}

const NAMED = /"#\/components\/responses\/(\w+)"/;
