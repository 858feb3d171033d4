import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { accept } from '../../core/model/parsed.ts';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import { scopesOf } from '../../core/model/people/person.ts';
import { MINUTE_MS } from '../../core/model/time-units.ts';
import { enterPerson } from '../../core/use-cases/people/enter-person.ts';
import { guessKeyOf } from '../../core/use-cases/people/sign-in.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, rawEndpoint } from '../endpoint.ts';
import { prepareCookie, prepareSessionCookie } from '../session-cookie.ts';
import { prepareBeginSession } from './sessions.ts';

export const RETURN_PATH = '/api/sign-in/return';
const SIGN_IN = { tag: 'Sign-in', isHidden: true, needs: 'nothing', sends: {} } as const;
/** The time for a sign-in at the provider. */
const MAX_SIGN_IN_MS = 10 * MINUTE_MS;
const SECRET_BYTES = 32;
const STATE = /^(?<secret>[\w-]{43})\.(?<to>[a-z]*)\.(?<stays>[01])$/;

/** The pages to which a sign-in leads. Only names: an address could lead elsewhere. */
const PATHS: Readonly<Record<string, string>> & { account: string } = {
  create: '/',
  links: '/links',
  dashboard: '/dashboard',
  docs: '/docs',
  account: '/account',
  people: '/people',
};

const BeginQuery = Type.Object({ to: Type.Optional(Type.String()), stay: Type.Optional(Type.String()) });
const readBegin = ({ to, stay }: Record<string, unknown>) =>
  accept({ to: Object.keys(PATHS).find((name) => name === to) ?? 'create', stays: stay === 'true' });

/** The reasons why a sign-in at the provider failed, for the page that shows them. */
type Problem = 'failed' | 'expired' | 'groups' | 'deactivated' | 'limited' | 'tls';

type Entered = NonNullable<Awaited<ReturnType<typeof enterPerson>>>;

/** Returns the page that a person sees after a sign-in. */
function pathAfter({ person, isRenamed }: Entered, to = ''): string {
  if (isRenamed) return `${PATHS.account}?renamed`;
  return PATHS[scopesOf(person).length === 0 ? 'account' : to] ?? '/';
}

/** The endpoints of a sign-in at a provider of OpenID Connect and of the return from there, where one is set. */
export function providerSignInEndpoints(deps: HttpDependencies): Endpoint[] {
  const { baseUrl, access } = deps.config;
  const { provider, limits } = deps.useCases;
  const { people } = deps.stores;
  const isNameShared = access.userHeader !== null;
  if (!provider) return [];
  const cookie = prepareCookie('postern-sign-in', baseUrl);
  const ownCookie = prepareSessionCookie(baseUrl);
  const beginSession = prepareBeginSession(deps);

  const redirect = (reply: FastifyReply, location: string, cookies: string[]) =>
    reply
      .headers({ 'set-cookie': cookies, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(location);
  const explain = (reply: FastifyReply, problem: Problem) =>
    redirect(reply, `${baseUrl}/sign-in?problem=${problem}`, [cookie.clear()]);
  /** The library's errors quote responses, which have codes and tokens. */
  const report = (error: unknown) =>
    deps.observe.reportJobError(
      'sign_in_at_provider',
      new Error(error instanceof Error ? error.message : 'unknown error'),
    );

  /** Returns the person of a response of the provider. Failures are limited by client: each asks the provider. */
  async function readPerson({ raw, author }: FastifyRequest, secret: string): Promise<Entered | Problem> {
    let found: Entered | Problem = 'failed';
    const guess = { shortCode: guessKeyOf('provider'), address: author.ipAddress };
    const result = await limits.providerSignIns.guess(guess, async () => {
      const query = new URLSearchParams(raw.url?.replace(/^[^?]*/, ''));
      const claims = await provider?.finish(secret, query).catch(report);
      if (!claims) return false;
      found =
        claims === 'too-many-groups'
          ? 'groups'
          : ((await enterPerson(people, claims, { now: deps.clock(), isNameShared })) ?? 'deactivated');
      return true;
    });
    return result.kind === 'LIMITED' ? 'limited' : found;
  }

  return [
    rawEndpoint('GET /api/sign-in', 'Sign in at the provider', {
      ...SIGN_IN,
      query: { schema: BeginQuery, read: readBegin },
      async respond({ query: { to, stays: asksToStay }, request: { raw }, reply }) {
        if (!cookie.isKept(raw)) return explain(reply, 'tls');
        const secret = randomBytes(SECRET_BYTES).toString('base64url');
        const url = await provider.begin(secret).catch(report);
        if (!url) return explain(reply, 'failed');
        const former = await people.findSession(hashSecret(ownCookie.read(raw) ?? ''));
        const stays = asksToStay || former?.staysSignedIn;
        const state = `${secret}.${to}.${stays ? 1 : 0}`;
        return redirect(reply, url.href, [cookie.write(state, MAX_SIGN_IN_MS)]);
      },
    }),
    rawEndpoint(`GET ${RETURN_PATH}`, 'Return from the provider', {
      ...SIGN_IN,
      async respond({ request, reply }) {
        const { secret, to, stays } = STATE.exec(cookie.read(request.raw) ?? '')?.groups ?? {};
        if (secret === undefined) return explain(reply, 'expired');
        const found = await readPerson(request, secret);
        if (typeof found === 'string') return explain(reply, found);
        const how = { staysSignedIn: stays === '1', isFromProvider: true };
        const session = await beginSession(request.raw, found.person, how);
        return redirect(reply, `${baseUrl}${pathAfter(found, to)}`, [cookie.clear(), session]);
      },
    }),
  ];
}
