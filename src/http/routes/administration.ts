import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatOwner } from '../../core/model/owner.ts';
import { ERASURE_RULES, parseAskedErasure } from '../../core/rules/erasure-rules.ts';
import { instantOf } from '../../core/rules/expiry-time.ts';
import { readFields, withoutEmpty } from '../../core/rules/read-fields.ts';
import type { Erasable } from '../../core/use-cases/change/erase.ts';
import { abortSignalOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import { Count, DateTime, errorResponses, optionalText, titled } from '../schemas.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';

const TAGS = ['Administration'];
const ADMIN = { access: { needs: 'admin', alsoWhenOpen: true, port: 'both' } } as const;
const ERRORS = errorResponses(400, 401, 403, 413, 415, 500, 503);

export type ErasureResult = Static<typeof ErasureResult>;
const ErasureResult = titled('ErasureResult', {
  entries: { ...Count, description: 'The entries whose personal fields were erased' },
  links: { ...Count, description: 'The links whose terms for people were erased' },
  hours: {
    ...Count,
    description: 'The hours whose statistics of addresses were updated, also of an earlier erasure',
  },
});
const ERASE = {
  tags: TAGS,
  summary: 'Erase the personal data of an address, a link or a recipient',
  description:
    'Send exactly one of the three. It cannot be undone. Results, times, statistics and the proof of histories stay. An erasure ' +
    'whose client leaves stops; send it again.',
  body: titled('Erasure', {
    ipAddress: optionalText('The entries of this client address, attempts and changes'),
    shortCode: optionalText('The entries of a link, and its terms for people'),
    recipient: optionalText('The same of all links with this recipient'),
    isDryRun: Type.Optional(Type.Boolean({ description: 'True: only counts what it would erase' })),
  }),
  response: { 200: ErasureResult, ...ERRORS },
};
const RECORD_BACKUP = {
  tags: TAGS,
  summary: 'Record a complete backup, for health and alerts',
  body: titled('CompleteBackup', { startedAt: { ...DateTime, description: 'When the backup was begun' } }),
  response: { 204: Type.Null(), ...ERRORS },
};

const parseStartedAt = instantOf('startedAt');

/** POST /api/erasures, POST /api/backups */
export function administrationRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  acceptJson(app, deps, 'application/json');
  const { erase, findRecipientLinks, recordBackup } = deps;
  const onRequest = refuseContentEncoding;

  app.post<JsonRequest>(
    '/api/erasures',
    { schema: ERASE, config: ADMIN, onRequest },
    async (request, reply) => {
      const sent = withoutEmpty(takeBody(request));
      const { isDryRun, ...asked } = requireValid(readFields(ERASURE_RULES, sent, undefined));
      const what = requireValid(parseAskedErasure(asked));
      const erasable: Erasable =
        'ipAddress' in what
          ? { kind: 'IP', ...what }
          : 'shortCode' in what
            ? { kind: 'LINK', shortCodes: [what.shortCode] }
            : { kind: 'RECIPIENT', shortCodes: await findRecipientLinks(what.recipient) };
      const left = abortSignalOf(reply.raw);
      const { entries, terms, hours } = await erase(erasable, {
        ...{ author: formatOwner(request.author), isDryRun, isStopped: () => left.aborted },
      });
      return reply.send({ entries, links: terms, hours });
    },
  );

  const recording = { schema: RECORD_BACKUP, config: ADMIN, onRequest };
  app.post<JsonRequest>('/api/backups', recording, async (request, reply) => {
    await recordBackup(requireValid(parseStartedAt(takeBody(request)['startedAt'])));
    return reply.code(204).send();
  });
}
