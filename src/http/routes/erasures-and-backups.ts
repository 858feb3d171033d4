import { type Static, Type } from 'typebox';
import type { EpochMs } from '../../core/model/link.ts';
import { formatOwner } from '../../core/model/owner.ts';
import { accept, type Parsed, refuse } from '../../core/model/parsed.ts';
import { hasScope } from '../../core/model/people/decide-access.ts';
import { refused } from '../../core/model/refusal.ts';
import type { Erasable, ErasureStore } from '../../core/ports/erasures.ts';
import { type AskedErasure, parseErasure } from '../../core/rules/erasure-rules.ts';
import { instantOf } from '../../core/rules/expiry-time.ts';
import { withoutEmpty } from '../../core/rules/read-fields.ts';
import { abortSignalOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { ADMIN } from '../route-access.ts';
import { Count, DateTime, optionalText, titled } from '../schemas.ts';

const ADMINISTRATION = { ...ADMIN, tag: 'Administration' } as const;

const NewErasure = titled('Erasure', {
  ipAddress: optionalText('The entries of this client address, attempts and changes'),
  shortCode: optionalText(
    'The entries of a link, and its terms for people; with `verifiedRecipients`, it is revoked',
  ),
  recipient: optionalText('The same of links with, mailed to or verified for this recipient'),
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
function parseStartedAt(value: unknown, now: EpochMs): Parsed<EpochMs> {
  const parsed = instantOf('startedAt')(value);
  return parsed.ok && parsed.value > now
    ? refuse('startedAt', 'INVALID_DATE_TIME', 'must not be in the future')
    : parsed;
}

/** The endpoints of erasures and backups. */
export const administrationEndpoints = (deps: HttpDependencies): Endpoint[] => [
  endpoint('POST /api/erasures', 'Erase the personal data of an address, a link or a recipient', {
    ...ADMINISTRATION,
    description:
      'Send exactly one of the three. Needs the scope manage, too. It cannot be undone. Results, times, counts of attempts and the proof of ' +
      'histories stay; statistics lose addresses, browsers and referring hosts. An erasure whose client leaves stops; send it again.',
    takes: { schema: NewErasure, read: (sent) => parseErasure(withoutEmpty(sent)) },
    ...{ sends: ErasureResult, refuses: ['needs-manage'] },
    async run({ body: { isDryRun, what }, request, reply }) {
      if (!hasScope(request.caller, 'manage')) return refused('needs-manage');
      reply.raw.on('timeout', () => undefined); // it may take minutes without a byte sent
      const left = abortSignalOf(reply.raw);
      const how = { author: formatOwner(request.author), isDryRun, isStopped: () => left.aborted };
      return accept(await deps.useCases.erase(await toErasable(what, deps.stores.erasures), how));
    },
    show: ({ entries, terms, hours }) => ({ entries, links: terms, hours }),
  }),
  endpoint('POST /api/backups', 'Record a complete backup, for health and alerts', {
    ...ADMINISTRATION,
    takes: { schema: CompleteBackup, read: (sent, now) => parseStartedAt(sent['startedAt'], now) },
    run: async ({ body: startedAt }) => accept(await deps.stores.recordBackup(startedAt)),
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
