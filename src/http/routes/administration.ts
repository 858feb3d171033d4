import { type Static, Type } from 'typebox';
import { formatOwner } from '../../core/model/owner.ts';
import { accept } from '../../core/model/parsed.ts';
import { type AskedErasure, parseErasure } from '../../core/rules/erasure-rules.ts';
import { instantOf } from '../../core/rules/expiry-time.ts';
import { withoutEmpty } from '../../core/rules/read-fields.ts';
import type { Erasable, ErasureStore } from '../../core/use-cases/change/erase.ts';
import { abortSignalOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { Count, DateTime, optionalText, titled } from '../schemas.ts';
import { ADMIN } from './people.ts';

const ADMINISTRATION = { ...ADMIN, tag: 'Administration' } as const;

const NewErasure = titled('Erasure', {
  ipAddress: optionalText('The entries of this client address, attempts and changes'),
  shortCode: optionalText('The entries of a link, and its terms for people'),
  recipient: optionalText('The same of all links with this recipient'),
  isDryRun: Type.Optional(Type.Boolean({ description: 'True: only counts what it would erase' })),
});
export type ErasureResult = Static<typeof ErasureResult>;
const ErasureResult = titled('ErasureResult', {
  entries: { ...Count, description: 'The entries whose personal fields were erased' },
  links: { ...Count, description: 'The links whose terms for people were erased' },
  hours: {
    ...Count,
    description: 'The hours whose statistics of addresses were updated, also of an earlier erasure',
  },
});
const CompleteBackup = titled('CompleteBackup', {
  startedAt: { ...DateTime, description: 'When the backup was begun' },
});
const parseStartedAt = instantOf('startedAt');

/** The endpoints of erasures and backups. */
export const administrationEndpoints = (deps: HttpDependencies): Endpoint[] => [
  endpoint('POST /api/erasures', 'Erase the personal data of an address, a link or a recipient', {
    ...ADMINISTRATION,
    description:
      'Send exactly one of the three. It cannot be undone. Results, times, statistics and the proof of histories stay. An erasure ' +
      'whose client leaves stops; send it again.',
    takes: { schema: NewErasure, read: (sent) => parseErasure(withoutEmpty(sent)) },
    sends: ErasureResult,
    async run({ body: { isDryRun, what }, request, reply }) {
      const left = abortSignalOf(reply.raw);
      const how = { author: formatOwner(request.author), isDryRun, isStopped: () => left.aborted };
      return accept(await deps.erase(await toErasable(what, deps), how));
    },
    show: ({ entries, terms, hours }) => ({ entries, links: terms, hours }),
  }),
  endpoint('POST /api/backups', 'Record a complete backup, for health and alerts', {
    ...ADMINISTRATION,
    takes: { schema: CompleteBackup, read: (sent) => parseStartedAt(sent['startedAt']) },
    run: async ({ body: startedAt }) => accept(await deps.recordBackup(startedAt)),
  }),
];

async function toErasable(
  what: AskedErasure,
  { findRecipientLinks }: Pick<ErasureStore, 'findRecipientLinks'>,
): Promise<Erasable> {
  if ('ipAddress' in what) return { kind: 'IP', ...what };
  if ('shortCode' in what) return { kind: 'LINK', shortCodes: [what.shortCode] };
  return { kind: 'RECIPIENT', shortCodes: await findRecipientLinks(what.recipient) };
}
