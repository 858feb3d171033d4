import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import type { Cleanup } from './cleanup.ts';
import { recordSecret } from './log-secrets.ts';

export const CLIENT = { id: 'postern', secret: 'secret-of-the-client-at-its-provider' };
const SCOPES = 'openid profile email groups';

/** A real provider of OpenID Connect, on loopback. */
export type IdentityProvider = {
  issuer: string;
  /** The claims of each person by subject. */
  accounts: Map<string, Record<string, unknown>>;
  /** The subject of the person at the browser, who signs in at once; null for one who refuses. */
  user: string | null;
  /** The requests so far, as method and path. */
  requests: string[];
  /** Changes the ID token of each sign-in, if set. */
  changeIdToken?: (token: string) => string;
};

/**
 * Starts a provider.
 *
 * @param options.redirectUri where it may send browsers
 * @param options.claimsInIdToken by default, claims are in the response of userinfo alone
 */
export async function startIdentityProvider(
  t: Cleanup,
  options: { redirectUri: string; claimsInIdToken?: boolean },
): Promise<IdentityProvider> {
  recordSecret(CLIENT.secret);
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts: IdentityProvider['accounts'] = new Map();
  const running: IdentityProvider = { issuer, accounts, user: 'ada', requests: [] };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [options.redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
    cookies: { keys: ['key of cookies'] },
    adapter: createMemoryAdapter(0),
    conformIdTokenClaims: !options.claimsInIdToken,
    scopes: SCOPES.split(' '),
    claims: {
      profile: ['preferred_username', 'name'],
      email: ['email', 'email_verified'],
      groups: ['groups', '_claim_names'],
    },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...accounts.get(sub), sub }),
    }),
  });
  provider.use(async (context, next) => {
    await next();
    const { path, body } = context;
    if (path !== '/token' || !running.changeIdToken || !body || !Object.hasOwn(body, 'id_token')) return;
    const tokens = body as { id_token: string }; // it was looked for
    context.body = { ...tokens, id_token: running.changeIdToken(tokens.id_token) };
  });
  const handle = provider.callback();

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (running.user === null) {
      return provider.interactionFinished(request, response, { error: 'access_denied' });
    }
    if (prompt.name === 'login') {
      return provider.interactionFinished(request, response, { login: { accountId: running.user } });
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: params.client_id });
    grant.addOIDCScope(SCOPES);
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', issuer);
    running.requests.push(`${request.method} ${pathname}`);
    void (pathname === '/interaction' ? interact(request, response) : handle(request, response));
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return running;
}
