import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { formatInstant } from '../../core/model/instant.ts';
import { SCOPES } from '../../core/model/people/caller.ts';
import {
  PERSON_STATES,
  type PersonRefusal,
  personStateOf,
} from '../../core/model/people/decide-person-change.ts';
import { LINK_SCOPES, mayGrant, withLinks } from '../../core/model/people/may-grant.ts';
import {
  newPasswordLink,
  newPerson,
  type Person,
  scopeSourcesOf,
  scopesOf,
} from '../../core/model/people/person.ts';
import { toPersonName } from '../../core/model/people/person-name.ts';
import { NEW_PERSON_RULES, PERSON_CHANGE_RULES } from '../../core/rules/people-rules.ts';
import { readFields, readSentFields, withoutEmpty } from '../../core/rules/read-fields.ts';
import { reportAccessChange } from '../../observability/observe.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, invalidField, type RequestError, requireValid } from '../errors.ts';
import {
  Count,
  DateTime,
  errorResponses,
  listOf,
  nullable,
  optionalText,
  text,
  titled,
  Url,
} from '../schemas.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';
import { toInstant } from './describe-link.ts';

const TAGS = ['People'];
export const NO_STORE = { 'cache-control': 'no-store' };
export const Scopes = Type.Array(Type.Enum([...SCOPES]));
export const Names = Type.Array(Type.String());
export const ScopeSources = listOf('ScopeSource', {
  scope: Type.Enum([...SCOPES]),
  from: Type.Enum(['ADMINISTRATOR', 'GROUP'], {
    description:
      'ADMINISTRATOR: an administrator gave it; GROUP: a group at the provider of OpenID Connect does',
  }),
  group: nullable(Type.String(), { description: 'The name of the group; `*` stands for everybody there' }),
});
const Email = nullable(Type.String({ format: 'email' }));
const Emergency = Type.Boolean({ description: 'True: may use a password also with app.oidc.only' });

export type PersonRecord = Static<typeof PersonRecord>;
const PersonRecord = titled('Person', {
  name: Type.String(),
  email: Email,
  isEmailVerified: Type.Boolean(),
  scopes: Scopes,
  scopeSources: ScopeSources,
  teams: Names,
  isEmergency: Emergency,
  signsInWith: Type.Array(Type.Enum(['PASSWORD', 'PROVIDER'])),
  state: Type.Enum([...PERSON_STATES], {
    description: 'INVITED: has neither set a password nor signed in with OpenID Connect',
  }),
  createdAt: DateTime,
  lastSignInAt: nullable(DateTime),
  linkCount: Count,
});
export type PasswordLinkRecord = Static<typeof PasswordLinkRecord>;
const PasswordLinkRecord = titled('PasswordLink', {
  url: { ...Url, description: 'The address of a page that sets the password once. It is shown only now' },
  expiresAt: DateTime,
});
export type AddedPerson = Static<typeof AddedPerson>;
const AddedPerson = titled('AddedPerson', { person: PersonRecord, passwordLink: PasswordLinkRecord });

const ADMIN = { access: { needs: 'admin', alsoWhenOpen: true, port: 'both' } } as const;
const NAME = Type.Object({ name: Type.String() });
const CHANGING = [400, 401, 403, 409, 413, 415, 500, 503];

const LIST = {
  tags: TAGS,
  summary: 'All people',
  response: {
    200: titled('PersonList', { items: Type.Array(PersonRecord) }),
    ...errorResponses(401, 403, 500, 503),
  },
};
const LIST_NAMES = {
  tags: TAGS,
  summary: 'The names of active people, to choose the owner of a link',
  response: { 200: titled('PeopleNames', { items: Names }), ...errorResponses(401, 403, 500, 503) },
};
const ADD = {
  tags: TAGS,
  summary: 'Add a person',
  description: 'Send the address to the person, who sets a password there: once, within 24 hours.',
  body: titled('NewPerson', {
    name: text(
      'Unique, also among deactivated people and owners of links; letters of one script, in lower case',
    ),
    email: Type.Optional(Email),
    scopes: Scopes,
    teams: Type.Optional(Names),
    isEmergency: Type.Optional(Emergency),
    ownsLinks: Type.Optional(
      Type.Boolean({
        description: 'True: the links that a user of the reverse proxy owns by this name are the person’s',
      }),
    ),
  }),
  response: {
    201: AddedPerson,
    ...errorResponses(...CHANGING),
  },
};
const CHANGE = {
  tags: TAGS,
  summary: 'Change, deactivate or reactivate a person',
  description:
    'An absent member stays. A deactivation ends all sessions and keys of the person, and passes the links on, in one ' +
    'transaction. The last active person with the scope admin keeps it.',
  params: NAME,
  body: titled('PersonPatch', {
    scopes: Type.Optional(Scopes),
    email: Type.Optional(Email),
    teams: Type.Optional(Names),
    isEmergency: Type.Optional(Emergency),
    isActive: Type.Optional(Type.Boolean()),
    linksTo: optionalText(
      'The active person who gets the links; needed with `isActive: false` if there are some',
    ),
  }),
  response: { 200: PersonRecord, ...errorResponses(...CHANGING, 404) },
};
const INVITE = {
  tags: TAGS,
  summary: 'Make a link with which a person sets a password',
  description:
    'It replaces the one before. The present password stays valid until the person has set another.',
  params: NAME,
  response: { 200: PasswordLinkRecord, ...errorResponses(401, 403, 404, 500, 503) },
};

type OfName = { Params: { name: string } };

/** GET and POST /api/people, PATCH /api/people/{name}, POST /api/people/{name}/password-link, GET /api/people/names */
export function peopleRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  acceptJson(app, deps, 'application/json');
  const { people, baseUrl, clock, log, newChange } = deps;
  const toRecords = prepareToRecords(deps);
  const onRequest = refuseContentEncoding;

  app.get('/api/people', { schema: LIST, config: ADMIN }, async (_, reply) =>
    reply.headers(NO_STORE).send({ items: await toRecords(await people.listPeople()) }),
  );
  const naming = { access: { ...ADMIN.access, needs: 'create' } } as const;
  app.get('/api/people/names', { schema: LIST_NAMES, config: naming }, async (_, reply) => {
    const active = (await people.listPeople()).filter(({ deactivatedAt }) => deactivatedAt === null);
    return reply.headers(NO_STORE).send({ items: active.map(({ name }) => name).sort() });
  });

  app.post<JsonRequest>('/api/people', { schema: ADD, config: ADMIN, onRequest }, async (request, reply) => {
    const sent = withoutEmpty(takeBody(request));
    const { teams, ownsLinks, ...given } = requireValid(readFields(NEW_PERSON_RULES, sent, undefined));
    const givesLinks = teams.length > 0 || ownsLinks;
    requireGrant(request, givesLinks ? [...given.scopes, ...LINK_SCOPES] : given.scopes);
    const { url, ...link } = newPasswordLink(baseUrl, clock());
    const times = { createdAt: clock(), isEmailVerified: given.email !== null };
    const person = newPerson({ ...given, ...times, link });
    const result = await people.addPerson(person, { teams, ownsLinks });
    if (result === 'unknown-team') throw REFUSALS['unknown-team']();
    if (result !== 'added') throw ERRORS.nameTaken();
    reportAccessChange(log, request, { change: 'person_added', name: person.name, members: given.scopes });
    const passwordLink = { url, expiresAt: formatInstant(link.expiresAt) };
    const [record] = await toRecords([person]);
    return reply.headers(NO_STORE).code(201).send({ person: record, passwordLink });
  });

  const changing = { schema: CHANGE, config: ADMIN, onRequest };
  app.patch<OfName & JsonRequest>('/api/people/:name', changing, async (request, reply) => {
    const name = toPersonName(request.params.name);
    const wanted = requireValid(readSentFields(PERSON_CHANGE_RULES, takeBody(request), undefined));
    const before = await people.findPerson(name);
    if (!before) throw ERRORS.noSuchPerson();
    const opensAccount = wanted.email !== undefined || wanted.isActive === true;
    const given = wanted.scopes?.filter((scope) => !before.scopes.includes(scope)) ?? [];
    const joined = new Set(wanted.teams).difference(new Set(await people.findTeamsOf(name)));
    const givesLinks = wanted.linksTo !== undefined || joined.size > 0;
    requireGrant(request, withLinks(opensAccount ? [...given, ...scopesOf(before)] : given));
    requireGrant(request, givesLinks ? LINK_SCOPES : []);
    const result = await people.changePerson(name, wanted, newChange(request.author));
    if (result !== 'changed') throw REFUSALS[result]();
    const change = wanted.isActive === false ? 'person_deactivated' : 'person_changed';
    reportAccessChange(log, request, { change, name, members: Object.keys(wanted) });
    const person = (await people.findPerson(name)) ?? before;
    const [record] = await toRecords([person]);
    return reply.headers(NO_STORE).send(record);
  });

  const inviting = { schema: INVITE, config: ADMIN };
  app.post<OfName>('/api/people/:name/password-link', inviting, async (request, reply) => {
    const person = await people.findPerson(toPersonName(request.params.name));
    if (!person) throw ERRORS.noSuchPerson();
    requireGrant(request, withLinks(scopesOf(person)));
    const { url, ...link } = newPasswordLink(baseUrl, clock());
    if (!(await people.setPasswordLink(person.name, link))) throw ERRORS.noSuchPerson();
    reportAccessChange(log, request, { change: 'person_invited', name: person.name });
    return reply.headers(NO_STORE).send({ url, expiresAt: formatInstant(link.expiresAt) });
  });
}

/** @throws RequestError when the caller may not give these scopes, nor what needs them */
export function requireGrant({ caller }: FastifyRequest, scopes: Parameters<typeof mayGrant>[1]): void {
  if (caller.kind === 'ANONYMOUS' || !mayGrant(caller, scopes)) throw ERRORS.cannotGrant();
}

const REFUSALS = {
  'not-found': ERRORS.noSuchPerson,
  'last-administrator': ERRORS.lastAdministrator,
  'links-need-owner': () =>
    invalidField({
      ...{ field: 'linksTo', code: 'LINKS_NEED_OWNER' },
      text: 'the person owns links; send the name of an active person who gets them',
    }),
  'unknown-new-owner': () => unknownName('linksTo', 'UNKNOWN_PERSON'),
  'unknown-team': () => unknownName('teams', 'UNKNOWN_TEAM'),
} satisfies Record<PersonRefusal, () => RequestError>;

/** Returns the error for the name of a person or a team that does not exist. */
export function unknownName(field: string, code: 'UNKNOWN_PERSON' | 'UNKNOWN_TEAM'): RequestError {
  const text =
    code === 'UNKNOWN_TEAM' ? 'must have the names of teams' : 'must be the name of an active person';
  return invalidField({ field, code, text });
}

function prepareToRecords({ teams, ...deps }: HttpDependencies) {
  return async (people: readonly Person[]): Promise<PersonRecord[]> => {
    const [all, held] = [await teams.listTeams(), await teams.countHeldLinks()];
    const linkCounts = new Map(held.people);
    return people.map((person) => {
      const { name, email, isEmailVerified, isEmergency, createdAt, lastSignInAt } = person;
      return {
        ...{ name, email, isEmailVerified, isEmergency, scopes: scopesOf(person) },
        scopeSources: scopeSourcesOf(person),
        teams: all.filter(({ members }) => members.includes(name)).map((team) => team.name),
        signsInWith: [
          ...(person.passwordHash !== null && (isEmergency || !deps.isEmergencyOnly)
            ? ['PASSWORD' as const]
            : []),
          ...(person.identity !== null ? ['PROVIDER' as const] : []),
        ],
        state: personStateOf(person),
        createdAt: formatInstant(createdAt),
        lastSignInAt: toInstant(lastSignInAt),
        linkCount: linkCounts.get(name) ?? 0,
      };
    });
  };
}
