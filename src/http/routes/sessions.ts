import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Type } from 'typebox';
import { hashSecret } from '../../access/api-key.ts';
import { type Person, parseNewPassword } from '../../access/person.ts';
import { beginSession, LONGEST_SESSION_MS, type Session } from '../../access/session.ts';
import { guessKeyOf, mayUsePassword, type SignInResult } from '../../access/sign-in.ts';
import { formatInstant } from '../../links/rules/expiry-time.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { prepareRefuse, requesterOf } from '../limit-requests.ts';
import { ignoreBody } from '../read-body.ts';
import {
  DateTime,
  errorResponses,
  listOf,
  nullable,
  optionalFlag,
  optionalText,
  titled,
} from '../schemas.ts';
import { prepareSessionCookie } from '../session-cookie.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';

const TAG = { tags: ['Sign-in'] };
const DONE = { 204: Type.Null() };
const OWN = { access: { needs: 'sign-in', alsoWhenOpen: true, port: 'both' } } as const;
/** The name by which a session ends itself. */
const CURRENT = 'current';

const SIGN_IN = {
  ...TAG,
  summary: 'Sign in with name and password',
  description: 'Sets the cookie of a new session. Only pages need it: programs send an API key.',
  body: titled('SignIn', {
    name: Type.String(),
    password: Type.String(),
    staySignedIn: optionalFlag(
      'Keeps the person signed in for 30 days after the last use, instead of 8 hours',
    ),
  }),
  response: { ...DONE, ...errorResponses(400, 401, 403, 413, 415, 429, 500, 503) },
};

const SET_PASSWORD = {
  ...TAG,
  summary: 'Set your password',
  description:
    'With the present password, or with the secret of a link that sets it once. Ends all other sessions.',
  body: titled('NewPassword', {
    newPassword: Type.String({ minLength: 12 }),
    password: optionalText('The present password'),
    token: optionalText('The secret of the link: what follows # in its address'),
  }),
  response: { ...DONE, ...errorResponses(400, 401, 403, 410, 413, 415, 429, 500, 503) },
};

const LIST = {
  ...TAG,
  summary: 'Your sessions',
  response: {
    200: titled('Sessions', {
      items: listOf('Session', {
        id: Type.String(),
        isCurrent: Type.Boolean({ description: 'True for the session of this request' }),
        createdAt: DateTime,
        lastUsedAt: DateTime,
        expiresAt: DateTime,
        userAgent: nullable(Type.String()),
      }),
    }),
    ...errorResponses(401, 500, 503),
  },
};

const END_OTHERS = {
  ...TAG,
  summary: 'End all your other sessions',
  response: { ...DONE, ...errorResponses(401, 403, 500, 503) },
};

const END = {
  ...TAG,
  summary: 'End one of your sessions',
  params: Type.Object({ id: Type.String({ description: '`current` signs out' }) }),
  response: { ...DONE, ...errorResponses(401, 403, 404, 500, 503) },
};

/** POST /api/sessions, PUT /api/password */
export function signInRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  acceptJson(app, deps, 'application/json');
  const { people, limits, signIn, hashPassword, clock, isEmergencyOnly } = deps;
  const refuseGuess = prepareRefuse(deps, 'wrong_passwords');
  const begin = prepareBeginSession(deps);
  const startSession = async (
    { raw }: FastifyRequest,
    reply: FastifyReply,
    person: Person,
    staysSignedIn: boolean,
  ): Promise<FastifyReply> => {
    const header = await begin(raw, person, staysSignedIn);
    return reply.headers({ 'set-cookie': header, 'cache-control': 'no-store' }).code(204).send();
  };
  const onRequest = [refuseContentEncoding, prepareRefuseUnkept(deps)];

  /** Returns the person of a right password. @throws RequestError */
  function requireRight(request: FastifyRequest, result: SignInResult) {
    if (result.kind === 'LIMITED') refuseGuess(request.raw, result.retryAfterMs);
    if (result.kind !== 'SIGNED_IN') throw ERRORS.wrongNameOrPassword();
    return result.person;
  }

  app.post<JsonRequest>(
    '/api/sessions',
    { schema: SIGN_IN, config: { access: { needs: 'nothing', port: 'both' } }, onRequest },
    async (request, reply) => {
      const { name, password, staySignedIn } = takeBody(request);
      const given = { name: String(name ?? ''), password: String(password ?? '') };
      const person = requireRight(request, await signIn(given, requesterOf(request, reply)));
      return startSession(request, reply, person, staySignedIn === true);
    },
  );

  /** Sets the password with the secret of a link. Wrong secrets are limited by client. */
  async function applyLink(request: FastifyRequest, reply: FastifyReply, token: string, password: string) {
    const guess = { shortCode: guessKeyOf(''), address: request.author.ipAddress };
    const passwordHash = await hashPassword(password, request.author, clientStateOf(reply.raw));
    let person: Person | undefined;
    const result = await limits.visits.guess(guess, async () => {
      person = await people.usePasswordLink(hashSecret(token), passwordHash, clock());
      return person !== undefined;
    });
    if (result.kind === 'LIMITED') refuseGuess(request.raw, result.retryAfterMs);
    if (!person) throw ERRORS.passwordLinkEnded();
    return person;
  }

  app.put<JsonRequest>(
    '/api/password',
    { schema: SET_PASSWORD, config: { access: { needs: 'optional', port: 'both' } }, onRequest },
    async (request, reply) => {
      const { token, password, newPassword } = takeBody(request);
      const wanted = requireValid(parseNewPassword('newPassword', newPassword));
      if (token !== undefined) {
        const person = await applyLink(request, reply, String(token), wanted);
        if (!mayUsePassword(person, isEmergencyOnly)) return reply.code(204).send();
        return startSession(request, reply, person, false);
      }
      const { caller } = request;
      const session =
        caller.kind === 'USER' && caller.session && (await people.findSession(caller.session.hash));
      if (!session) throw request.refuseAccess();
      const given = { name: session.name, password: String(password ?? '') };
      const person = requireRight(request, await signIn(given, requesterOf(request, reply)));
      const passwordHash = await hashPassword(wanted, request.author, clientStateOf(reply.raw));
      if (!(await people.changePassword(person.id, person.passwordHash, passwordHash)))
        throw ERRORS.wrongNameOrPassword();
      return startSession(request, reply, person, session.staysSignedIn);
    },
  );
}

/** GET and DELETE /api/sessions, DELETE /api/sessions/{id} */
export function sessionRoutes(app: FastifyInstance, { people, baseUrl, clock }: HttpDependencies): void {
  ignoreBody(app);
  const cookie = prepareSessionCookie(baseUrl);
  const sessionOf = ({ caller }: FastifyRequest) => (caller.kind === 'USER' ? caller.session : undefined);

  app.get('/api/sessions', { schema: LIST, config: OWN }, async (request, reply) => {
    const own = sessionOf(request);
    const sessions = own ? await people.listSessions(own.personId) : [];
    const items = sessions.filter(({ expiresAt }) => expiresAt > clock());
    return reply
      .header('cache-control', 'no-store')
      .send({ items: items.map((session) => toItem(session, own?.hash)) });
  });

  app.delete('/api/sessions', { schema: END_OTHERS, config: OWN }, async (request, reply) => {
    const own = sessionOf(request);
    if (own) await people.endOtherSessions(own.personId, own.hash);
    return reply.code(204).send();
  });

  app.delete<{ Params: { id: string } }>(
    '/api/sessions/:id',
    { schema: END, config: OWN },
    async (request, reply) => {
      const own = sessionOf(request);
      const { id } = request.params;
      const hash = id === CURRENT ? own?.hash : id;
      if (!own || hash === undefined || !(await people.endSession(own.personId, hash)))
        throw ERRORS.noSuchSession();
      if (hash === own.hash) reply.header('set-cookie', cookie.clear());
      return reply.code(204).send();
    },
  );
}

/** Prepares refusing a browser that would not keep the cookie, before a password is read or a link is used up. */
function prepareRefuseUnkept({ baseUrl }: HttpDependencies): onRequestHookHandler {
  const { isKept } = prepareSessionCookie(baseUrl);
  return ({ raw }, _, done) => done(isKept(raw) ? undefined : ERRORS.signInNeedsTls());
}

/**
 * Prepares signing a person in, which returns the `Set-Cookie`. The secret is new, and the session that the browser had
 * ends: none can be fixed.
 */
export function prepareBeginSession({ people, baseUrl, clock }: HttpDependencies) {
  const cookie = prepareSessionCookie(baseUrl);
  return async (request: IncomingMessage, { id }: Pick<Person, 'id'>, staysSignedIn: boolean) => {
    const userAgent = request.headers['user-agent'] ?? null;
    const { session, secret } = beginSession({ personId: id, staysSignedIn, userAgent }, clock());
    const former = cookie.read(request);
    const known = former === undefined ? undefined : await people.findSession(hashSecret(former));
    await people.addSession(session);
    if (known) await people.endSession(known.personId, known.hash);
    return cookie.write(secret, staysSignedIn ? LONGEST_SESSION_MS : undefined);
  };
}

/** Returns the shown record. The hash of a secret is a name that opens nothing. */
function toItem(session: Session, current: string | undefined) {
  const { hash, createdAt, lastUsedAt, expiresAt, userAgent } = session;
  return {
    id: hash,
    isCurrent: hash === current,
    createdAt: formatInstant(createdAt),
    lastUsedAt: formatInstant(lastUsedAt),
    expiresAt: formatInstant(expiresAt),
    userAgent,
  };
}
