import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { parseOwner } from '../../core/model/owner.ts';
import { accept } from '../../core/model/parsed.ts';
import { type Caller, SCOPES, type SignedIn } from '../../core/model/people/caller.ts';
import { scopeSourcesOf } from '../../core/model/people/person.ts';
import { DatabaseUnavailableError } from '../../core/model/unavailable.ts';
import type { PersonStore } from '../../core/ports/people.ts';
import { mailPolicyOf, mayMailLinks, notifyPolicyOf } from '../../core/use-cases/notify/settings.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { isServedHere, PAGE_NAMES, PAGE_PORTS, type PageName } from '../route-access.ts';
import { nullable, OwnerRecord, optionalFlag, text, titled } from '../schemas.ts';
import { prepareSessionCookie } from '../session-cookie.ts';
import { DisplayName, ScopeSources } from './people.ts';
import { CHUNK_DESCRIPTION } from './uploads.ts';

const SignedInCaller = Type.Object({
  kind: Type.Enum(['KEY', 'USER', 'COMMAND']),
  name: text('The name of the key or of the user'),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  owner: OwnerRecord,
  displayName: Type.Optional(DisplayName),
  teams: Type.Array(Type.String(), { description: 'The names of the teams of the person' }),
  scopeSources: { ...ScopeSources, description: 'Why a person who has signed in has the scopes' },
  email: Type.Optional(
    nullable(Type.String({ format: 'email' }), { description: 'The mail address of that person' }),
  ),
  hasSession: optionalFlag('True for a person who has signed in with a cookie'),
});

const SettingsRecord = titled('Settings', {
  access: Type.Object({
    mode: Type.Enum(['open', 'keys'], { description: '`keys`: most requests need credentials' }),
    caller: nullable(SignedInCaller, { description: 'Null for an anonymous request' }),
    hasPeople: Type.Boolean({ description: 'Whether people were added' }),
    checksAtProvider: optionalFlag(
      'True if the person of the cookie must go through the provider again: the session is refused until then',
    ),
    hasProvider: Type.Boolean({ description: 'Whether people can sign in with OpenID Connect' }),
  }),
  links: Type.Object(
    {
      defaultTtl: nullable(Type.String(), {
        description: 'Lifetime of a link that is created without `expiresAt`',
      }),
      maxTtl: nullable(Type.String()),
      maxViews: nullable(Type.Integer()),
      passwordRequired: Type.Boolean(),
      hosts: Type.Array(Type.String(), {
        description: 'The host names under which a link can be shown, first that of app.base-url',
      }),
      customCodes: Type.Boolean({ description: 'Whether a client may choose the short code of its link' }),
    },
    { description: 'The limits of new links; lifetimes are ISO 8601 durations, null sets no limit' },
  ),
  notify: Type.Object(
    {
      email: Type.Boolean(),
      ownEmail: Type.Optional(Type.String()),
      url: Type.Boolean(),
      recipient: Type.Optional(Type.Boolean()),
      verifiedRecipients: Type.Optional(Type.Boolean()),
      invitations: Type.Optional(Type.Boolean()),
    },
    {
      description:
        'Whether the caller may create a link with a `notifyEmail`, and with a `notifyUrl`; `ownEmail`: the verified address ' +
        'of the person, which is allowed in any case; `recipient`: whether the caller may mail a link to its recipient; ' +
        '`verifiedRecipients`: whether a link of the caller may name those who prove their address; ' +
        '`invitations`: whether the caller may mail password links to people',
    },
  ),
  pages: Type.Array(Type.Enum([...PAGE_NAMES]), {
    description: 'The pages that this port serves; with `app.management.port`, each port has its own',
  }),
  maxFileBytes: Type.Integer({ minimum: 1, description: 'The largest file that can be uploaded' }),
  upload: Type.Object(
    {
      chunkBytes: Type.Integer({ minimum: 1, description: CHUNK_DESCRIPTION }),
      maxFiles: Type.Integer({ minimum: 1, description: 'The most files of one link' }),
      scanRequired: Type.Boolean({
        description: 'Whether a file opens only after a scan, so that none can be encrypted',
      }),
    },
    { description: 'The bounds of uploads that resume' },
  ),
});

export type Settings = Static<typeof SettingsRecord>;

/** The endpoint of the settings. */
export function settingsEndpoints(deps: HttpDependencies): Endpoint[] {
  const { access } = deps.config;
  const { policy: linkPolicy } = deps.config.links;
  const { maxFileBytes, chunkBytes, maxFiles, scan } = deps.config.uploads;
  const { managementPort } = deps.config.server;
  const { people } = deps.stores;
  let hasPeople = false; // they are never deleted
  const pagesOf = (request: IncomingMessage): PageName[] =>
    PAGE_NAMES.filter((name) => isServedHere(request, PAGE_PORTS[name], managementPort));

  async function read({ caller, raw }: FastifyRequest): Promise<Settings> {
    hasPeople ||= await knowsPeople(people);
    return {
      access: {
        mode: access.mode,
        caller: caller.kind === 'ANONYMOUS' ? null : await toShown(caller, people),
        hasPeople,
        hasProvider: deps.useCases.provider !== undefined,
        ...(await checksAtProvider(caller, raw, deps)),
      },
      notify: notifyOptionsOf(caller, deps),
      pages: pagesOf(raw),
      maxFileBytes,
      upload: { chunkBytes, maxFiles, scanRequired: scan.isRequired },
      links: {
        ...linkPolicy,
        hosts: [new URL(deps.config.baseUrl).hostname, ...deps.config.hosts.keys()],
        defaultTtl: shortest([deps.config.links.defaultTtl, linkPolicy.maxTtl], deps.clock()),
        maxTtl: linkPolicy.maxTtl?.toString() ?? null,
      },
    };
  }
  return [
    endpoint('GET /api/settings', 'Settings that clients depend on, and who the request comes from', {
      ...{ tag: 'Operation', needs: 'optional' },
      description: '`caller` shows what a key may do, and who owns what it creates.',
      sends: SettingsRecord,
      run: async ({ request }) => accept(await read(request)),
    }),
  ];
}

async function toShown(
  { kind, name, scopes, owner, teams, session }: SignedIn,
  people: Pick<PersonStore, 'findPerson'>,
): Promise<NonNullable<Settings['access']['caller']>> {
  const person = session && (await people.findPerson(name));
  return {
    ...{ kind, name, scopes: [...scopes], owner: parseOwner(owner), teams: [...teams] },
    scopeSources: person ? scopeSourcesOf(person) : [],
    ...(person && { displayName: person.displayName, email: person.email }),
    ...(session && { hasSession: true }),
  };
}

/** Returns whether a browser without a caller has a session that the provider must confirm. */
async function checksAtProvider(
  caller: Caller,
  request: IncomingMessage,
  { useCases: { provider, findSessionCaller }, config: { baseUrl } }: HttpDependencies,
): Promise<{ checksAtProvider?: true }> {
  const secret = prepareSessionCookie(baseUrl).read(request);
  if (!provider || secret === undefined || caller.kind !== 'ANONYMOUS') return {};
  return (await findSessionCaller(secret)) === 'CHECK_DUE' ? { checksAtProvider: true } : {};
}

/** Returns which notifications a link of this caller may have. */
function notifyOptionsOf(caller: Caller, { config }: HttpDependencies): Settings['notify'] {
  const isAdministrator = caller.kind !== 'ANONYMOUS' && caller.scopes.includes('admin');
  const isAuthorized = caller.kind !== 'ANONYMOUS' && caller.scopes.includes('create');
  const policy = mailPolicyOf(config.mail, isAuthorized, caller);
  const { recipients, isAllowed, own = null } = policy;
  return {
    email: own !== null || (recipients.length > 0 && isAllowed),
    ...(own !== null && { ownEmail: own }),
    url: notifyPolicyOf(config.webhooks, isAuthorized).refusal === null,
    ...(mayMailLinks(config.mail, caller) && { recipient: true }),
    ...(policy.sendsMail && isAllowed && { verifiedRecipients: true }),
    ...(policy.sendsMail && isAdministrator && { invitations: true }),
  };
}

/** Returns the lifetime that ends first if it begins now; null if there is none. */
function shortest(lifetimes: (Temporal.Duration | null)[], now: number): string | null {
  const relativeTo = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC');
  const [first] = lifetimes
    .filter((lifetime) => lifetime !== null)
    .sort((a, b) => Temporal.Duration.compare(a, b, { relativeTo }));
  return first?.toString() ?? null;
}

/** Returns whether there are people. During an outage of the database, the pages need the other settings all the same. */
async function knowsPeople(people: Pick<PersonStore, 'listPeople'>): Promise<boolean> {
  try {
    return (await people.listPeople()).length > 0;
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return false;
    throw error;
  }
}
