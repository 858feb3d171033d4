import { type Static, Type } from 'typebox';
import { formatInstant, toInstant } from '../../core/model/instant.ts';
import { accept } from '../../core/model/parsed.ts';
import { SCOPES } from '../../core/model/people/caller.ts';
import { PERSON_STATES, personStateOf } from '../../core/model/people/decide-person-change.ts';
import { scopeSourcesOf, scopesOf } from '../../core/model/people/person.ts';
import { NEW_PERSON_RULES, PERSON_CHANGE_RULES } from '../../core/rules/people-bodies.ts';
import { readFields, readSentFields, withoutEmpty } from '../../core/rules/read-fields.ts';
import type { PasswordPage, ShownPerson } from '../../core/use-cases/people/manage-people.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { ADMIN } from '../route-access.ts';
import { Count, DateTime, listOf, nullable, optionalText, text, titled, Url } from '../schemas.ts';

const PEOPLE = { ...ADMIN, tag: 'People' } as const;
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
const NewPerson = titled('NewPerson', {
  name: text(
    'Unique, also among deactivated people and owners of links; letters of one script, in lower case',
  ),
  email: Type.Optional(Email),
  scopes: Scopes,
  teams: Type.Optional(Names),
  isEmergency: Type.Optional(Emergency),
  ownsLinks: Type.Optional(
    Type.Boolean({
      description: 'True: the person gets the links that a user of the reverse proxy owns by this name',
    }),
  ),
});
const PersonPatch = titled('PersonPatch', {
  scopes: Type.Optional(Scopes),
  email: Type.Optional(Email),
  teams: Type.Optional(Names),
  isEmergency: Type.Optional(Emergency),
  isActive: Type.Optional(Type.Boolean()),
  linksTo: optionalText(
    'The active person who gets the links; needed with `isActive: false` if there are some',
  ),
});

/** The endpoints of people. */
export function peopleEndpoints({ useCases, config }: HttpDependencies): Endpoint[] {
  const { people } = useCases.manage;
  const toRecord = prepareToRecord(config.signIn.isEmergencyOnly);
  return [
    endpoint('GET /api/people', 'All people', {
      ...{ ...PEOPLE, sends: titled('PersonList', { items: Type.Array(PersonRecord) }) },
      run: async () => accept(await people.listPeople()),
      show: (all) => ({ items: all.map(toRecord) }),
    }),
    endpoint('GET /api/people/names', 'The names of active people, to choose the owner of a link', {
      ...{ ...PEOPLE, needs: 'create', sends: titled('PeopleNames', { items: Names }) },
      run: async () => accept({ items: await people.listNames() }),
    }),
    endpoint('POST /api/people', 'Add a person', {
      ...PEOPLE,
      description: 'Send the address to the person, who sets a password there: once, within 24 hours.',
      takes: {
        schema: NewPerson,
        read: (sent) => readFields(NEW_PERSON_RULES, withoutEmpty(sent), undefined),
      },
      ...{ sends: AddedPerson, status: 201, refuses: ['name-taken', 'cannot-grant'] },
      run: ({ body, request }) => people.addPerson(body, request),
      show: ({ person, link }) => ({ person: toRecord(person), passwordLink: toLinkRecord(link) }),
      logs: (_, { person }) => ({ change: 'person_added', name: person.name, members: person.scopes }),
    }),
    endpoint('PATCH /api/people/:name', 'Change, deactivate or reactivate a person', {
      ...PEOPLE,
      description:
        'An absent member stays. A deactivation ends all sessions and keys of the person, and passes the links on, in one ' +
        'transaction. The last active person with the scope admin keeps it.',
      takes: { schema: PersonPatch, read: (sent) => readSentFields(PERSON_CHANGE_RULES, sent, undefined) },
      ...{ sends: PersonRecord, refuses: ['person-not-found', 'last-administrator', 'cannot-grant'] },
      run: ({ path, body, request }) => people.changePerson(path.name, body, request),
      show: toRecord,
      logs: ({ body }, { name }) => ({
        change: body.isActive === false ? 'person_deactivated' : 'person_changed',
        ...{ name, members: Object.keys(body) },
      }),
    }),
    endpoint('POST /api/people/:name/password-link', 'Make a link with which a person sets a password', {
      ...PEOPLE,
      description:
        'It replaces the one before. The present password stays valid until the person has set another.',
      ...{ sends: PasswordLinkRecord, refuses: ['person-not-found', 'cannot-grant'] },
      run: ({ path, request }) => people.makePasswordLink(path.name, request.caller),
      show: toLinkRecord,
      logs: (_, { name }) => ({ change: 'person_invited', name }),
    }),
  ];
}

const toLinkRecord = ({ url, expiresAt }: PasswordPage): PasswordLinkRecord => ({
  ...{ url, expiresAt: formatInstant(expiresAt) },
});

function prepareToRecord(isEmergencyOnly: boolean) {
  return (person: ShownPerson): PersonRecord => {
    const { name, email, isEmailVerified, isEmergency, teams, createdAt, lastSignInAt, linkCount } = person;
    const hasPassword = person.passwordHash !== null && (isEmergency || !isEmergencyOnly);
    return {
      ...{ name, email, isEmailVerified, isEmergency, teams, linkCount },
      scopes: scopesOf(person),
      scopeSources: scopeSourcesOf(person),
      signsInWith: [
        ...(hasPassword ? ['PASSWORD' as const] : []),
        ...(person.identity !== null ? ['PROVIDER' as const] : []),
      ],
      state: personStateOf(person),
      createdAt: formatInstant(createdAt),
      lastSignInAt: toInstant(lastSignInAt),
    };
  };
}
