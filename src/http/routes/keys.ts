import { type Static, Type } from 'typebox';
import { formatInstant, toInstant } from '../../core/model/instant.ts';
import { accept } from '../../core/model/parsed.ts';
import { effectiveScopes, type FoundKey, keyStateAt } from '../../core/model/people/api-key.ts';
import { KEY_RULES } from '../../core/rules/people-bodies.ts';
import { readFields, withoutEmpty } from '../../core/rules/read-fields.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { ADMIN } from '../route-access.ts';
import { DateTime, nullable, text, titled } from '../schemas.ts';
import { Scopes } from './people.ts';

const KEYS = { ...ADMIN, tag: 'API keys', needs: 'sign-in' } as const;
const Owner = nullable(Type.String(), {
  description: 'The person whose key it is; null for the key of a service',
});
export type KeyRecord = Static<typeof KeyRecord>;
const KeyRecord = titled('ApiKey', {
  name: Type.String(),
  scopes: Scopes,
  effectiveScopes: {
    ...Scopes,
    description: 'Those of the key that its owner has now',
  },
  owner: Owner,
  createdAt: DateTime,
  expiresAt: nullable(DateTime),
  lastUsedAt: nullable(DateTime),
  state: Type.Enum(['ACTIVE', 'EXPIRED', 'REVOKED']),
});

export type CreatedApiKey = Static<typeof CreatedApiKey>;
const CreatedApiKey = titled('CreatedApiKey', {
  key: text('The key itself. It is shown only now'),
  record: KeyRecord,
});
const NewApiKey = titled('NewApiKey', {
  name: text('Unique, also among revoked keys'),
  scopes: Scopes,
  expiresAt: Type.Optional(nullable(DateTime)),
  owner: Type.Optional(Owner),
});

/** The endpoints of API keys. */
export const keyEndpoints = ({ useCases: { manage }, clock }: HttpDependencies): Endpoint[] => [
  endpoint('GET /api/keys', 'Your API keys; all with the scope admin', {
    ...{ ...KEYS, sends: titled('ApiKeys', { items: Type.Array(KeyRecord) }) },
    run: async ({ request }) => accept(await manage.keys.listKeys(request.caller)),
    show: (keys) => ({ items: keys.map((key) => toRecord(key, clock())) }),
  }),
  endpoint('POST /api/keys', 'Create an API key', {
    ...KEYS,
    description:
      'Of your own, with scopes that you have. The key of another person or of a service needs the scope admin, and so does ' +
      'every request with a key, which gives only scopes that it has.',
    takes: { schema: NewApiKey, read: (sent, now) => readFields(KEY_RULES, withoutEmpty(sent), now) },
    ...{ sends: CreatedApiKey, status: 201, refuses: ['needs-admin', 'cannot-grant', 'name-taken'] },
    run: ({ body, request }) => manage.keys.createKey(body, request.caller),
    show: ({ secret, key }) => ({ key: secret, record: toRecord(key, clock()) }),
    logs: (_, { key }) => ({ change: 'key_created', name: key.name, members: key.scopes }),
  }),
  endpoint('DELETE /api/keys/:name', 'Revoke an API key', {
    ...KEYS,
    description: 'Your own; any with the scope admin. Instances may accept it for some more seconds.',
    refuses: ['key-not-found'],
    run: ({ path, request }) => manage.keys.revokeKey(path.name, request.caller),
    logs: ({ path }, isRevoked) => (isRevoked ? { change: 'key_revoked', name: path.name } : undefined),
  }),
];

const STATES = { active: 'ACTIVE', expired: 'EXPIRED', revoked: 'REVOKED' } as const;

function toRecord(key: FoundKey, now: number): KeyRecord {
  const { name, scopes, owner, createdAt, expiresAt, lastUsedAt } = key;
  return {
    ...{ name, scopes, effectiveScopes: effectiveScopes(key), owner },
    createdAt: formatInstant(createdAt),
    expiresAt: toInstant(expiresAt),
    lastUsedAt: toInstant(lastUsedAt),
    state: STATES[keyStateAt(key, now)],
  };
}
