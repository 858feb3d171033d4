import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatInstant } from '../../core/model/instant.ts';
import { formatOwner, parseOwner } from '../../core/model/owner.ts';
import {
  type ApiKey,
  effectiveScopes,
  type FoundKey,
  keyStateAt,
  newApiKey,
} from '../../core/model/people/api-key.ts';
import type { Scope } from '../../core/model/people/caller.ts';
import { hasScope } from '../../core/model/people/decide-access.ts';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import { withLinks } from '../../core/model/people/may-grant.ts';
import { scopesOf } from '../../core/model/people/person.ts';
import { parseExpiresAt } from '../../core/rules/expiry-time.ts';
import { KEY_RULES, parseKeyOwner } from '../../core/rules/people-rules.ts';
import { readFields, withoutEmpty } from '../../core/rules/read-fields.ts';
import { reportAccessChange } from '../../observability/observe.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, invalidField, requireValid } from '../errors.ts';
import { DateTime, errorResponses, nullable, text, titled } from '../schemas.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';
import { toInstant } from './describe-link.ts';
import { NO_STORE, requireGrant, Scopes, unknownName } from './people.ts';

const TAGS = ['API keys'];
const SIGNED_IN = { access: { needs: 'sign-in', alsoWhenOpen: true, port: 'both' } } as const;
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

const LIST = {
  tags: TAGS,
  summary: 'Your API keys; all with the scope admin',
  response: { 200: titled('ApiKeys', { items: Type.Array(KeyRecord) }), ...errorResponses(401, 500, 503) },
};
const CREATE = {
  tags: TAGS,
  summary: 'Create an API key',
  description:
    'Of your own, with scopes that you have. The key of another person or of a service needs the scope admin, and so does ' +
    'every request with a key, which gives only scopes that it has.',
  body: titled('NewApiKey', {
    name: text('Unique, also among revoked keys'),
    scopes: Scopes,
    expiresAt: Type.Optional(nullable(DateTime)),
    owner: Type.Optional(Owner),
  }),
  response: {
    201: CreatedApiKey,
    ...errorResponses(400, 401, 403, 409, 413, 415, 500, 503),
  },
};
const REVOKE = {
  tags: TAGS,
  summary: 'Revoke an API key',
  description: 'Your own; any with the scope admin. Within five seconds no instance accepts it.',
  params: Type.Object({ name: Type.String() }),
  response: { 204: Type.Null(), ...errorResponses(401, 403, 404, 500, 503) },
};

/** GET and POST /api/keys, DELETE /api/keys/{name} */
export function keyRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  acceptJson(app, deps, 'application/json');
  const { keys, clock, log } = deps;

  app.get('/api/keys', { schema: LIST, config: SIGNED_IN }, async (request, reply) => {
    const shown = (await keys.listKeys()).filter((key) => mayRevoke(request, key));
    return reply.headers(NO_STORE).send({ items: shown.map((key) => toRecord(key, clock())) });
  });

  const creating = { schema: CREATE, config: SIGNED_IN, onRequest: refuseContentEncoding };
  app.post<JsonRequest>('/api/keys', creating, async (request, reply) => {
    const body = withoutEmpty(takeBody(request));
    const { name, scopes } = requireValid(readFields(KEY_RULES, body, undefined));
    const owner = chooseOwner(request, requireValid(parseKeyOwner(body['owner'])));
    const owned = owner === null ? null : await findOwned(request, owner, scopes);
    requireGrant(request, scopes);
    const secret = newApiKey();
    const times = { createdAt: clock(), expiresAt: readEnd(body['expiresAt'], clock()), lastUsedAt: null };
    const key: ApiKey = { name, hash: hashSecret(secret), scopes, owner, ...times, revokedAt: null };
    if ((await keys.addKey(key)) === 'name-taken') throw ERRORS.nameTaken();
    reportAccessChange(log, request, { change: 'key_created', name, members: scopes });
    const record = toRecord({ ...key, owned }, clock());
    return reply.headers(NO_STORE).code(201).send({ key: secret, record });
  });

  /** Returns what the owner of a new key may do. @throws RequestError where the key, or its creator, may do less */
  async function findOwned(request: FastifyRequest, name: string, scopes: readonly Scope[]) {
    const person = await deps.people.findPerson(name);
    if (person?.deactivatedAt !== null) throw unknownName('owner', 'UNKNOWN_PERSON');
    const allowed = scopesOf(person);
    const beyond = scopes.filter((scope) => !allowed.includes(scope));
    if (beyond.length > 0)
      throw invalidField({
        ...{ field: 'scopes', code: 'SCOPES_BEYOND_OWNER' },
        text: `the owner of the key lacks ${beyond.join(', ')}`,
      });
    if (!isOwn(request, name)) requireGrant(request, withLinks(allowed));
    return { scopes: allowed, teams: [] };
  }

  const revoking = { schema: REVOKE, config: SIGNED_IN };
  app.delete<{ Params: { name: string } }>('/api/keys/:name', revoking, async (request, reply) => {
    const { name } = request.params;
    const key = (await keys.listKeys()).find((each) => each.name === name);
    if (!key || !mayRevoke(request, key)) throw ERRORS.noSuchKey();
    const result = await keys.revokeKey(name, clock());
    if (result === 'revoked') reportAccessChange(log, request, { change: 'key_revoked', name });
    return reply.code(204).send();
  });
}

const isOwn = ({ caller }: FastifyRequest, owner: string): boolean =>
  caller.kind !== 'ANONYMOUS' && caller.owner === formatOwner({ kind: 'USER', name: owner });

/** Returns whether a key belongs to a caller, or the caller manages all. The key of a service belongs to itself. */
function mayRevoke({ caller }: FastifyRequest, { name, owner }: FoundKey): boolean {
  if (caller.kind === 'ANONYMOUS') return false;
  const holder = owner === null ? { kind: 'KEY' as const, name } : { kind: 'USER' as const, name: owner };
  return hasScope(caller, 'admin') || caller.owner === formatOwner(holder);
}

/** Returns the owner of a new key, by default the person who creates it. @throws RequestError for one of others without `admin` */
function chooseOwner(request: FastifyRequest, wanted: string | null | undefined): string | null {
  const { caller } = request;
  const { kind, name } = parseOwner(caller.kind === 'ANONYMOUS' ? 'ANONYMOUS' : caller.owner);
  const owner = wanted === undefined ? (kind === 'USER' ? name : null) : wanted;
  const isOfOthers = owner === null || !isOwn(request, owner) || caller.kind === 'KEY';
  if (isOfOthers && !hasScope(caller, 'admin')) throw ERRORS.insufficientScope('admin');
  return owner;
}

const readEnd = (value: unknown, now: number): number | null =>
  value === undefined || value === null ? null : requireValid(parseExpiresAt(value, now));

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
