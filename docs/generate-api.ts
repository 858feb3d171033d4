import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../src/observability/log.ts';
import { composeService } from '../src/service/compose.ts';
import { loadConfig } from '../src/service/config/load-config.ts';
import { errorsText } from './errors.ts';
import { toCode, toTable } from './markdown.ts';
import { resolveReferences } from './resolve-references.ts';

// Writes docs/api.md from the service's own OpenAPI document, /openapi.json.

/** Represents the parts of JSON Schema that the service uses. */
type Schema = {
  type?: string;
  title?: string;
  description?: string;
  format?: string;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
};
type Content = Record<string, { schema: Schema }>;
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };
type Operation = {
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  /** The ways of having access: scopes by scheme. An empty one is access without credentials. */
  security?: Record<string, string[]>[];
  responses: Record<string, { description: string; content?: Content }>;
};

/** Represents the parts of an OpenAPI document that the API reference contains. */
export type OpenApi = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
};

type Endpoint = { methods: string[]; paths: string[]; operation: Operation };

const INTRODUCTION = `# API reference

Generated from the OpenAPI document of the service by \`npm run docs\`; do not edit. A running service shows this
reference at \`/docs\`, and the document at \`/openapi.json\`.

Errors are [Error](#error) records, or pages for browsers: see [Errors](#errors). Every response to a readable request has
\`X-Correlation-Id\`. Unknown paths return 404. Requests can also get 400 if they are malformed, 405 with
\`Allow\` for a method that the path lacks, 408, 421, 431, and 503 if the client has too many connections.

**Access** is what a request needs with [\`app.access=keys\`](operations/access.md); **access in both modes** is needed
with \`open\`, too. Where a key or the token of a link counts, a wrong one is refused in both modes. A session, or a user whom a
reverse proxy signs in, is as good as a key. The owner of a link and the members of its team need the scope \`create\`.

Members of a JSON body, fields of a form and parameters that this page does not list are ignored. Most responses name
them in \`X-Ignored-Fields\`. One that is nearly a listed one, such as \`maxview\`, is refused where a link would
lack the limit that was meant.
`;

/** Returns the API reference in Markdown: endpoints by tag, then their records. Ends with a newline. */
export function apiDocument(document: OpenApi): string {
  const openApi = resolveReferences(document);
  const endpoints = endpointsOf(openApi);
  const records = new Map<string, Schema>();
  for (const { operation } of endpoints) collectRecords(operation, records);
  const chapters = openApi.tags.map(({ name, description }) => {
    const tagged = endpoints.filter(({ operation }) => operation.tags.includes(name));
    return `## ${name}\n\n${description}.\n\n${tagged.map(endpointText).join('\n')}`;
  });
  const sorted = [...records].sort(([a], [b]) => (a < b ? -1 : 1));
  const recordTexts = sorted.map(([title, schema]) => `### ${title}\n\n${recordText(schema)}`);
  return [INTRODUCTION, ...chapters, errorsText(), `## Records\n\n${recordTexts.join('\n')}`].join('\n');
}

/** Returns one entry per operation: HEAD with its GET, and a variant path with its canonical one. */
function endpointsOf({ paths }: OpenApi): Endpoint[] {
  const endpoints: Endpoint[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const twinPath = /^The same as (\S+)$/.exec(operation.summary)?.[1];
      const twin = endpoints.find(
        ({ paths, operation: known }) =>
          (twinPath !== undefined && paths.includes(twinPath)) ||
          (paths.includes(path) && known.summary === operation.summary),
      );
      if (!twin) endpoints.push({ methods: [method], paths: [path], operation });
      else if (twinPath === undefined) twin.methods.push(method);
      else twin.paths.push(path);
    }
  }
  return endpoints;
}

function endpointText({ methods, paths, operation }: Endpoint): string {
  const [canonical, ...variants] = paths;
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const parts = [
    `### ${methods.join(', ').toUpperCase()} ${canonical}\n`,
    `${summary}.\n`,
    accessText(operation),
  ];
  if (description) parts.push(`${description}\n`);
  if (variants.length > 0) parts.push(`Also at ${variants.map(toCode).join(', ')}.\n`);
  if (parameters.length > 0) {
    const rows = parameters.map((parameter) => [
      toCode(parameter.name),
      parameter.in,
      typeText(parameter.schema),
      parameter.required ? 'yes' : 'no',
      parameter.description ?? '',
    ]);
    parts.push(toTable(['parameter', 'in', 'type', 'required', 'meaning'], rows));
  }
  for (const [mediaType, { schema }] of Object.entries(requestBody?.content ?? {})) {
    parts.push(`Body: ${typeText(schema)} as ${toCode(mediaType)}.\n`);
  }
  parts.push(responsesText(responses));
  return parts.join('\n');
}

function accessText({ security }: Operation): string {
  if (!security) return 'Access: open to everyone.\n';
  const ways = security.flatMap((requirement) => Object.entries(requirement));
  const isOpen = security.some((requirement) => Object.keys(requirement).length === 0);
  if (isOpen && ways.every(([, scopes]) => scopes.length === 0))
    return 'Access: open to everyone; a wrong key is refused.\n';
  return `Access${isOpen ? '' : ' in both modes'}: ${ways.map(describeAccess).join(', or ')}.\n`;
}

function describeAccess([scheme, scopes]: [string, string[]]): string {
  if (scheme === 'LinkToken')
    return "the link's token in `X-Link-Token`, or being its owner or a member of its team";
  return scopes.length === 0 ? 'any key' : `scope ${scopes.map(toCode).join(', ')}`;
}

/** Returns a table of successful responses and one line of errors. */
function responsesText(responses: Operation['responses']): string {
  const { default: _, ...ofOperation } = responses; // the introduction describes these errors
  const bodies = Object.entries(ofOperation).map(([status, { description, content = {} }]) => ({
    status,
    meaning: description === 'Default Response' ? (STATUS_CODES[status] ?? '') : description,
    body: Object.entries(content).map(
      ([mediaType, { schema }]) => `${typeText(schema)} as ${toCode(mediaType)}`,
    ),
    isError: content['application/json']?.schema.title === 'Error',
  }));
  const successes = bodies.filter(({ isError }) => !isError);
  const errors = bodies.filter(({ isError }) => isError);
  const rows = successes.map(({ status, meaning, body }) => [status, meaning, body.join(', or ') || 'none']);
  const errorLine = errors.map(({ status, meaning }) => `${status} ${meaning}`).join(', ');
  return toTable(['status', 'meaning', 'body'], rows) + (errorLine && `\nErrors: ${errorLine}.\n`);
}

function collectRecords({ requestBody, responses }: Operation, records: Map<string, Schema>): void {
  for (const { content } of [requestBody ?? {}, ...Object.values(responses)]) {
    for (const { schema } of Object.values(content ?? {})) collectTitled(schema, records);
  }
}

/** Adds the records of a schema, also those within others. */
function collectTitled(schema: Schema, records: Map<string, Schema>): void {
  if (schema.title) records.set(schema.title, mergeEnums(records.get(schema.title), schema));
  const { items, anyOf = [], properties = {} } = schema;
  for (const part of [...(items ? [items] : []), ...anyOf, ...Object.values(properties)])
    collectTitled(part, records);
}

/** Returns the later schema of a record; of an enumeration, with the values of both. */
function mergeEnums(known: Schema | undefined, schema: Schema): Schema {
  if (!known?.enum || !schema.enum) return schema;
  return { ...schema, enum: [...new Set([...known.enum, ...schema.enum])].sort() };
}

function recordText(schema: Schema): string {
  if (schema.title === 'ErrorCode') return 'One of the codes of [Errors](#errors).\n';
  if (!schema.enum) return fieldTable(schema);
  return `${schema.enum.map((value) => toCode(String(value))).join(', ')}.\n`;
}

function fieldTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, schema]) => [
    toCode(name),
    typeText(schema),
    required.includes(name) ? 'always' : 'optional',
    schema.description ?? '',
  ]);
  return toTable(['field', 'type', 'present', 'meaning'], rows);
}

function typeText(schema: Schema): string {
  if (schema.title) return `[${schema.title}](#${schema.title.toLowerCase()})`;
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  if (schema.type === 'array') return `array of ${typeText(schema.items ?? {})}`;
  if (schema.enum) return schema.enum.map((value) => toCode(String(value))).join(' or ');
  const { type = 'anything', format, minimum, maximum, maxLength } = schema;
  return [
    format ? `${type} (${format})` : type,
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`of at most ${maxLength} characters`]),
    ...(schema.default === undefined ? [] : [`(default ${schema.default})`]),
  ].join(' ');
}

/** Returns the document of a service with `app.access=open`, which says what it needs all the same. */
export async function readOpenApi(): Promise<OpenApi> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-docs-'));
  try {
    const argv = [
      `--app.database.url=sqlite:${directory}/postern.db`,
      `--app.storage.path=${directory}/files`,
    ];
    const loaded = loadConfig({ argv, env: {}, readFile: () => Buffer.alloc(0) });
    if (!loaded.ok) throw new Error(loaded.errors.join('; '));
    const service = await composeService(loaded.config, createLog('silent'));
    const response = await service.app.inject({ url: '/openapi.json' });
    await service.stop();
    return response.json<OpenApi>();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  writeFileSync(new URL('api.md', import.meta.url), apiDocument(await readOpenApi()));
}
