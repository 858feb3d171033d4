import { type Static, Type } from 'typebox';
import { formatInstant, toInstant } from '../../core/model/instant.ts';
import { accept } from '../../core/model/parsed.ts';
import { SCOPES } from '../../core/model/people/caller.ts';
import { PERSON_STATES, personStateOf } from '../../core/model/people/decide-person-change.ts';
import { scopeSourcesOf, scopesOf } from '../../core/model/people/person.ts';
import { NEW_PERSON_RULES, PERSON_CHANGE_RULES, withDisplayName } from '../../core/rules/people-bodies.ts';
import { readFields, readSentFields, textOf, withoutEmpty } from '../../core/rules/read-fields.ts';
import type { PasswordPage, ShownPerson } from '../../core/use-cases/people/manage-people.ts';
import { abortSignalOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { prepareLimitChanges } from '../limit-requests.ts';
import { readLanguage } from '../pages/visitor.ts';
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
export const DisplayName = text(
  'The name as pages and mails show it: as an administrator or the person wrote it',
);
const Emergency = Type.Boolean({ description: 'True: may use a password also with app.oidc.only' });

export type PersonRecord = Static<typeof PersonRecord>;
const PersonRecord = titled('Person', {
  name: Type.String(),
  displayName: DisplayName,
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
export const LinkSecret = titled('LinkSecret', {
  token: Type.String({ description: 'What follows # in its address' }),
});
export type AddedPerson = Static<typeof AddedPerson>;
const AddedPerson = titled('AddedPerson', { person: PersonRecord, passwordLink: PasswordLinkRecord });
const NewPerson = titled('NewPerson', {
  name: text(
    'Letters of one script; shown as it is sent, and compared in lower case. Unique, also among deactivated people and ' +
      'owners of links',
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
  displayName: optionalText('The name as it is shown; in lower case, it is no name of another person'),
  scopes: Type.Optional(Scopes),
  email: Type.Optional(Email),
  teams: Type.Optional(Names),
  isEmergency: Type.Optional(Emergency),
  isActive: Type.Optional(Type.Boolean()),
  linksTo: optionalText(
    'The active person who gets the links; needed with `isActive: false` if there are some',
  ),
});

const PeopleNames = titled('PeopleNames', {
  items: listOf('PersonName', { name: Type.String(), displayName: DisplayName }),
});

/** The endpoints of people. */
export function peopleEndpoints(deps: HttpDependencies): Endpoint[] {
  const { useCases, config } = deps;
  const { people } = useCases.manage;
  const toRecord = prepareToRecord(config.signIn.isEmergencyOnly);
  return [
    endpoint('GET /api/people', 'All people', {
      ...{ ...PEOPLE, sends: titled('PersonList', { items: Type.Array(PersonRecord) }) },
      run: async () => accept(await people.listPeople()),
      show: (all) => ({ items: all.map(toRecord) }),
    }),
    endpoint('GET /api/people/names', 'The names of active people, to choose the owner of a link', {
      ...{ ...PEOPLE, needs: 'create', sends: PeopleNames },
      run: async () => accept({ items: await people.listNames() }),
    }),
    endpoint('POST /api/people', 'Add a person', {
      ...PEOPLE,
      description: 'Send the address to the person, who sets a password there: once, within 24 hours.',
      takes: {
        schema: NewPerson,
        read: (sent) => readFields(NEW_PERSON_RULES, withDisplayName(withoutEmpty(sent)), undefined),
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
      ...{
        sends: PersonRecord,
        refuses: ['person-not-found', 'name-taken', 'last-administrator', 'cannot-grant'],
      },
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
    mailInvitation(deps),
  ];
}

/** The endpoint that mails an invitation. */
function mailInvitation(deps: HttpDependencies): Endpoint {
  const { useCases, brand } = deps;
  return endpoint('POST /api/people/:name/password-link/mail', 'Mail a password link to its person', {
    ...PEOPLE,
    description:
      'Mails the link that was made last to the address of the person, in the language of Accept-Language. Responds when the ' +
      'mail server has taken the mail. The link stays as it is, so it can be sent in another way, too.',
    takes: {
      schema: LinkSecret,
      read: (sent) => readFields({ token: textOf('token') }, sent, undefined),
    },
    before: [prepareLimitChanges(deps, 'mails')],
    refuses: ['person-not-found', 'cannot-grant', 'mails-no-invitations', 'password-link-ended'],
    fails: [429, 502],
    async run({ path: { name }, body: { token }, request, reply }) {
      const language = readLanguage(request.headers['accept-language']);
      const given = { name, token: token ?? '', service: brand.name, language };
      const outcome = await useCases.mailInvitation(given, request, abortSignalOf(reply.raw));
      if (outcome.ok && outcome.value.delivery.kind !== 'DELIVERED')
        throw ERRORS.mailNotSent(outcome.value.delivery.error);
      return outcome;
    },
    logs: (_, { name }) => ({ change: 'person_invitation_mailed', name }),
  });
}

const toLinkRecord = ({ url, expiresAt }: PasswordPage): PasswordLinkRecord => ({
  ...{ url, expiresAt: formatInstant(expiresAt) },
});

function prepareToRecord(isEmergencyOnly: boolean) {
  return (person: ShownPerson): PersonRecord => {
    const { name, displayName, email, isEmailVerified, isEmergency, teams, linkCount } = person;
    const hasPassword = person.passwordHash !== null && (isEmergency || !isEmergencyOnly);
    return {
      ...{ name, displayName, email, isEmailVerified, isEmergency, teams, linkCount },
      scopes: scopesOf(person),
      scopeSources: scopeSourcesOf(person),
      signsInWith: [
        ...(hasPassword ? ['PASSWORD' as const] : []),
        ...(person.identity !== null ? ['PROVIDER' as const] : []),
      ],
      state: personStateOf(person),
      createdAt: formatInstant(person.createdAt),
      lastSignInAt: toInstant(person.lastSignInAt),
    };
  };
}
