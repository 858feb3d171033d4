import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  SKIP_REASONS,
  type SkipReason,
  SOURCE_FLAGS,
  SOURCE_REFUSALS,
  SOURCE_TEXTS,
} from '../../core/model/import-record.ts';
import { accept } from '../../core/model/parsed.ts';
import { hasScope } from '../../core/model/people/decide-access.ts';
import { refused } from '../../core/model/refusal.ts';
import { IMPORT_RULES, parseImportRecords } from '../../core/rules/import-rules.ts';
import { readFields } from '../../core/rules/read-fields.ts';
import { parseBulkList } from '../bulk-schemas.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { requireValid } from '../errors.ts';
import { requesterOf } from '../limit-requests.ts';
import { ADMIN } from '../route-access.ts';
import { Count, listOf, nullable, text, titled } from '../schemas.ts';
import { acceptBulk, readBulk } from './bulk-links.ts';

const Text = Type.Optional(nullable(Type.String()));
const Texts = Type.Optional(Type.Array(Type.String()));
const Flag = Type.Optional(Type.Boolean());

const Request = titled('LinkImport', {
  from: text('The product that the links come from, such as `shlink`'),
  timeZone: Type.Optional(text('Of times without an offset; UTC by default')),
  withRefusal: Type.Optional(
    Type.Enum(['pause', 'skip'], {
      description: 'What becomes of links that their source refuses to visitors',
    }),
  ),
  allowsBlocked: Type.Optional(Type.Boolean({ description: 'True: targets on blocked hosts, too' })),
  isDryRun: Type.Optional(Type.Boolean({ description: 'True: only determines the results' })),
  items: listOf('ImportedLink', {
    ...Object.fromEntries(SOURCE_TEXTS.map((name) => [name, Text])),
    ...Object.fromEntries(SOURCE_FLAGS.map((name) => [name, Flag])),
    tags: Texts,
    refusals: Type.Optional(Type.Array(Type.Enum([...SOURCE_REFUSALS]))),
    losses: Texts,
  }),
});
const Results = titled('ImportResults', {
  results: listOf('ImportResult', {
    result: Type.Enum(['IMPORTED', 'ALREADY_THERE', 'SKIPPED'], {
      description: 'ALREADY_THERE: a link with the short code leads to the same URL',
    }),
    targetUrl: Type.Optional(Type.String()),
    isPaused: Type.Optional(Type.Boolean()),
    views: Type.Optional(Count),
    remarks: Type.Optional(
      listOf('ImportRemark', { what: Type.String(), detail: Type.Optional(Type.String()) }),
    ),
    reason: Type.Optional(Type.Enum(Object.keys(SKIP_REASONS) as SkipReason[])),
    detail: Type.Optional(Type.String()),
  }),
});

/** The endpoint that imports links. */
export const importLinksEndpoints = (deps: HttpDependencies): Endpoint[] => [
  endpoint(
    'POST /api/links/import',
    'Import links of another service, with their short codes, creation times and views',
    {
      ...{ ...ADMIN, tag: 'Administration' },
      description:
        'Times and numbers are texts, as the source has them; the result says what could not be kept. The body has at most 4 MB and ' +
        '1,000 items. A repeat imports only what is missing. Needs the scopes create and manage, too.',
      takes: { schema: Request, receive: acceptBulk },
      sends: Results,
      refuses: ['needs-create', 'needs-manage'],
      async run({ request, reply }) {
        reply.raw.on('timeout', () => undefined); // hashing many passwords may take minutes without a byte sent
        const lacking = (['create', 'manage'] as const).find((scope) => !hasScope(request.caller, scope));
        if (lacking !== undefined) return refused(`needs-${lacking}`);
        return deps.useCases.bulkQueue.run(requesterOf(request, reply), async () =>
          accept({ results: await importAll(await readBulk(request), request, deps) }),
        );
      },
    },
  ),
];

function importAll(body: Record<string, unknown>, { author }: FastifyRequest, deps: HttpDependencies) {
  const { baseUrl, hosts, shortPath } = deps.config;
  const { blockedHosts } = deps.useCases;
  const { allowsBlocked, ...options } = requireValid(readFields(IMPORT_RULES, body, undefined));
  const records = requireValid(parseImportRecords(requireValid(parseBulkList('items', body['items']))));
  const targets = { baseUrl, hosts, blockedHosts: allowsBlocked ? () => new Set<string>() : blockedHosts };
  return deps.useCases.importLinks({ ...options, records, targets, shortPath }, author);
}
