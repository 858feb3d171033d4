import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { formatInstant } from '../../core/model/instant.ts';
import { accept } from '../../core/model/parsed.ts';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import type { Person } from '../../core/model/people/person.ts';
import { beginSession, LONGEST_SESSION_MS, type Session } from '../../core/model/people/session.ts';
import { refused } from '../../core/model/refusal.ts';
import type { Requester } from '../../core/ports/ports.ts';
import { parseDisplayName, parseNewPassword } from '../../core/rules/people-bodies.ts';
import { readFields, textOf } from '../../core/rules/read-fields.ts';
import { parseFlag } from '../../core/rules/term-rules.ts';
import { mayUsePassword } from '../../core/use-cases/people/sign-in.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { ERRORS } from '../errors.ts';
import { prepareRefuse, requesterOf } from '../limit-requests.ts';
import { DateTime, listOf, nullable, optionalText, titled } from '../schemas.ts';
import { prepareSessionCookie } from '../session-cookie.ts';
import { DisplayName, LinkSecret } from './people.ts';

const SignIn = titled('SignIn', {
  name: Type.String(),
  password: Type.String(),
  staySignedIn: Type.Optional(
    Type.Boolean({
      description: 'For 30 days after the last use, and at most 90; else for 8 hours, and at most 7 days',
    }),
  ),
});
const NewPassword = titled('NewPassword', {
  newPassword: Type.String({ minLength: 12 }),
  password: optionalText('The present password'),
  token: optionalText('The secret of the link: what follows # in its address'),
});
const PasswordLinkOwner = titled('PasswordLinkOwner', {
  name: Type.String(),
  displayName: DisplayName,
  email: nullable(Type.String()),
});
const NewDisplayName = titled('NewDisplayName', { displayName: DisplayName });
const Sessions = titled('Sessions', {
  items: listOf('Session', {
    ...{ id: Type.String(), createdAt: DateTime, lastUsedAt: DateTime, expiresAt: DateTime },
    isCurrent: Type.Boolean({ description: 'True for the session of this request' }),
    userAgent: nullable(Type.String()),
  }),
});

const SIGN_IN_RULES = {
  name: textOf('name'),
  password: textOf('password'),
  staySignedIn: (value: unknown) => parseFlag('staySignedIn', value ?? false),
};
const PASSWORD_RULES = {
  newPassword: (value: unknown) => parseNewPassword('newPassword', value),
  token: textOf('token'),
  password: textOf('password'),
};

/** The endpoints that begin sessions. */
export function signInEndpoints(deps: HttpDependencies): Endpoint[] {
  const { checkPassword, useLink, changePassword } = preparePasswords(deps);
  const begin = prepareBeginSession(deps);
  const { isKept } = prepareSessionCookie(deps.config.baseUrl);
  /** Before a password is read or a link is used up. */
  const requireKept = async ({ raw }: FastifyRequest) => {
    if (!isKept(raw)) throw ERRORS.signInNeedsTls();
  };
  const signIn = { tag: 'Sign-in', before: [requireKept] };
  return [
    endpoint('POST /api/sessions', 'Sign in with name and password', {
      ...{ ...signIn, needs: 'nothing' },
      description: 'Sets the cookie of a new session. Only pages need it: programs send an API key.',
      takes: { schema: SignIn, read: (sent) => readFields(SIGN_IN_RULES, sent, undefined) },
      fails: [401, 429],
      async run({ body: { staySignedIn, ...given }, request, reply }) {
        const person = await checkPassword(request, requesterOf(request, reply), given);
        const how = { staysSignedIn: staySignedIn, isFromProvider: false };
        reply.header('set-cookie', await begin(request.raw, person, how));
        return accept(null);
      },
    }),
    endpoint('PUT /api/password', 'Set your password', {
      ...{ ...signIn, needs: 'optional' },
      description:
        'With the present one, or with the secret of a link that sets it once. Ends all other sessions.',
      takes: { schema: NewPassword, read: (sent) => readFields(PASSWORD_RULES, sent, undefined) },
      fails: [410, 429],
      async run({ body: { token, password, newPassword: wanted }, request, reply }) {
        const { person, staysSignedIn } =
          token === null
            ? await changePassword(request, reply, password, wanted)
            : { person: await useLink(request, reply, token, wanted), staysSignedIn: false };
        const how = { staysSignedIn, isFromProvider: false };
        if (mayUsePassword(person, deps.config.signIn.isEmergencyOnly))
          reply.header('set-cookie', await begin(request.raw, person, how));
        return accept(null);
      },
    }),
    endpoint('POST /api/password/link', 'Show whose password a link sets', {
      ...{ tag: 'Sign-in', needs: 'nothing' },
      takes: { schema: LinkSecret, read: (sent) => readFields({ token: textOf('token') }, sent, undefined) },
      sends: PasswordLinkOwner,
      fails: [410],
      async run({ body: { token } }) {
        const person = await deps.stores.people.findByPasswordLink(hashSecret(token ?? ''), deps.clock());
        if (!person) throw ERRORS.passwordLinkEnded();
        return accept(person);
      },
    }),
  ];
}

/** Returns what checks and sets passwords for a request. @throws RequestError */
function preparePasswords(deps: HttpDependencies) {
  const { clock } = deps;
  const { people } = deps.stores;
  const { hashPassword } = deps.useCases;
  const refuseGuess = prepareRefuse(deps, 'wrong_passwords');

  async function checkPassword(
    request: FastifyRequest,
    client: Requester,
    { name, password }: { name: string | null; password: string | null },
  ) {
    const result = await deps.useCases.signIn({ name: name ?? '', password: password ?? '' }, client);
    if (result.kind === 'LIMITED') refuseGuess(request.raw, result.retryAfterMs);
    if (result.kind !== 'SIGNED_IN') throw ERRORS.wrongNameOrPassword();
    return result.person;
  }

  return {
    checkPassword,
    /** Sets the password of the person with a link. Its secret cannot be guessed, so tries count for no limit. */
    async useLink(request: FastifyRequest, reply: FastifyReply, token: string, password: string) {
      const linkHash = hashSecret(token);
      if (!(await people.findByPasswordLink(linkHash, clock()))) throw ERRORS.passwordLinkEnded();
      const passwordHash = await hashPassword(password, request.author, clientStateOf(reply.raw));
      const person = await people.usePasswordLink(linkHash, passwordHash, clock());
      if (!person) throw ERRORS.passwordLinkEnded();
      return person;
    },
    /** Replaces the password of the person who sends a request. */
    async changePassword(request: FastifyRequest, reply: FastifyReply, from: string | null, to: string) {
      const session = await people.findSession(sessionOf(request)?.hash ?? '');
      if (!session) throw request.refuseAccess('SIGN_IN_REQUIRED');
      // Guesses count for the session: its client may share an address with others.
      const client = { ...requesterOf(request, reply), address: session.hash };
      const person = await checkPassword(request, client, { name: session.name, password: from });
      const passwordHash = await hashPassword(to, request.author, clientStateOf(reply.raw));
      if (!(await people.changePassword(person.id, person.passwordHash, passwordHash)))
        throw ERRORS.wrongNameOrPassword();
      return { person, staysSignedIn: session.staysSignedIn };
    },
  };
}

const OWN = { tag: 'Sign-in', needs: 'sign-in', alsoWhenOpen: true } as const;

/** The endpoints of own sessions. */
export const sessionEndpoints = ({ stores, useCases, config, clock }: HttpDependencies): Endpoint[] => [
  endpoint('GET /api/sessions', 'Your sessions', {
    ...{ ...OWN, sends: Sessions },
    async run({ request }) {
      const own = sessionOf(request);
      const sessions = own ? await stores.people.listSessions(own.personId) : [];
      const items = sessions
        .filter(({ expiresAt }) => expiresAt > clock())
        // The hash of a secret is a name that opens nothing.
        .map(({ hash: id, createdAt, lastUsedAt, expiresAt, userAgent }) => ({
          ...{ id, isCurrent: id === own?.hash, userAgent, createdAt: formatInstant(createdAt) },
          ...{ lastUsedAt: formatInstant(lastUsedAt), expiresAt: formatInstant(expiresAt) },
        }));
      return accept({ items });
    },
  }),
  endpoint('PUT /api/display-name', 'Change how your name is shown', {
    ...OWN,
    description: 'In lower case, it is no name of another person. The name to sign in stays.',
    takes: {
      schema: NewDisplayName,
      read: (sent) => readFields({ displayName: parseDisplayName }, sent, undefined),
    },
    refuses: ['person-not-found', 'name-taken'],
    async run({ body: { displayName }, request }) {
      const { caller } = request;
      if (caller.kind !== 'USER') return refused('person-not-found'); // it is a program
      return useCases.manage.people.changeDisplayName(caller.name, displayName, request);
    },
    logs: (_, { name }) => ({ change: 'person_changed', name, members: ['displayName'] }),
  }),
  endpoint('DELETE /api/sessions/:id', 'End one of your sessions', {
    ...{ ...OWN, description: 'The id `current` signs out.', refuses: ['session-not-found'] },
    async run({ path: { id }, request, reply }) {
      const own = sessionOf(request);
      const hash = id === 'current' ? own?.hash : id;
      if (!own || hash === undefined || !(await stores.people.endSession(own.personId, hash)))
        return refused('session-not-found');
      if (hash === own.hash) reply.header('set-cookie', prepareSessionCookie(config.baseUrl).clear());
      return accept(null);
    },
  }),
];

const sessionOf = ({ caller }: FastifyRequest) => ('session' in caller ? caller.session : undefined);

/**
 * Prepares signing a person in, which returns the `Set-Cookie`. The secret is new, and the session that the browser had
 * ends: none can be fixed.
 */
export function prepareBeginSession({ stores: { people }, config: { baseUrl }, clock }: HttpDependencies) {
  const cookie = prepareSessionCookie(baseUrl);
  return async (
    request: IncomingMessage,
    { id }: Pick<Person, 'id'>,
    how: Pick<Session, 'staysSignedIn' | 'isFromProvider'>,
  ) => {
    const userAgent = request.headers['user-agent'] ?? null;
    const { session, secret } = beginSession({ personId: id, ...how, userAgent }, clock());
    const former = await people.findSession(hashSecret(cookie.read(request) ?? ''));
    await people.addSession(session);
    if (former) await people.endSession(former.personId, former.hash);
    return cookie.write(secret, how.staysSignedIn ? LONGEST_SESSION_MS : undefined);
  };
}
