import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import { scopesOf } from '../../core/model/people/person.ts';
import { MINUTE_MS } from '../../core/model/time-units.ts';
import { enterPerson } from '../../core/use-cases/people/enter-person.ts';
import { guessKeyOf } from '../../core/use-cases/people/sign-in.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { prepareCookie, prepareSessionCookie } from '../session-cookie.ts';
import { prepareBeginSession } from './sessions.ts';

export const RETURN_PATH = '/api/sign-in/return';
const CONFIG = { access: { needs: 'nothing', port: 'both' } } as const;
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

/** Why a sign-in at the provider failed, for the page that says so. */
type Problem = 'failed' | 'expired' | 'groups' | 'deactivated' | 'limited' | 'tls';

type Entered = NonNullable<Awaited<ReturnType<typeof enterPerson>>>;

/** GET /api/sign-in and its return, where a provider of OpenID Connect is set */
export function providerSignInRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  const { provider, people, baseUrl, clock, limits, reportJobError } = deps;
  const isNameShared = deps.access.userHeader !== null;
  if (!provider) return;
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
    reportJobError(
      'sign_in_at_provider',
      new Error(error instanceof Error ? error.message : 'unknown error'),
    );

  app.get<{ Querystring: Record<string, unknown> }>(
    '/api/sign-in',
    { schema: { hide: true }, config: CONFIG },
    async ({ query, raw }, reply) => {
      if (!cookie.isKept(raw)) return explain(reply, 'tls');
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const to = Object.keys(PATHS).find((name) => name === query['to']) ?? 'create';
      const url = await provider.begin(secret).catch(report);
      if (!url) return explain(reply, 'failed');
      const former = await people.findSession(hashSecret(ownCookie.read(raw) ?? ''));
      const stays = query['stay'] === 'true' || former?.staysSignedIn;
      const state = `${secret}.${to}.${stays ? 1 : 0}`;
      return redirect(reply, url.href, [cookie.write(state, MAX_SIGN_IN_MS)]);
    },
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
          : ((await enterPerson(people, claims, { now: clock(), isNameShared })) ?? 'deactivated');
      return true;
    });
    return result.kind === 'LIMITED' ? 'limited' : found;
  }

  app.get(RETURN_PATH, { schema: { hide: true }, config: CONFIG }, async (request, reply) => {
    const { secret, to, stays } = STATE.exec(cookie.read(request.raw) ?? '')?.groups ?? {};
    if (secret === undefined) return explain(reply, 'expired');
    const found = await readPerson(request, secret);
    if (typeof found === 'string') return explain(reply, found);
    const { person, isRenamed } = found;
    const path = isRenamed
      ? `${PATHS.account}?renamed`
      : (PATHS[scopesOf(person).length === 0 ? 'account' : (to ?? '')] ?? '/');
    const session = await beginSession(request.raw, person, {
      staysSignedIn: stays === '1',
      isFromProvider: true,
    });
    return redirect(reply, `${baseUrl}${path}`, [cookie.clear(), session]);
  });
}
