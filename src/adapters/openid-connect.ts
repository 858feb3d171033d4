import { hash } from 'node:crypto';
import type { Configuration } from 'openid-client';
import type { Provider, ProviderSettings } from '../core/ports/provider.ts';
import { toClaims } from '../core/use-cases/people/enter-person.ts';

const TIMEOUT_SECONDS = 10;

/**
 * Prepares sign-ins at a provider. Its metadata is read at the first sign-in, so the service starts without it.
 *
 * @param redirectUri the address of this service to which the provider sends the browser
 */
export function prepareProvider(settings: ProviderSettings, redirectUri: string): Provider {
  let known: Promise<Configuration> | undefined;

  async function discover(): Promise<Configuration> {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await import('openid-client');
    const issuer = new URL(settings.issuer);
    // Without it, the library relies on TLS alone: it verifies no signature of an ID token.
    const execute = [enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(allowInsecureRequests); // only loopback, see the property
    const options = { execute, timeout: TIMEOUT_SECONDS };
    return discovery(issuer, settings.clientId, settings.clientSecret ?? undefined, undefined, options);
  }
  function configure(): Promise<Configuration> {
    known ??= discover().catch((error: unknown) => {
      known = undefined; // the next sign-in tries again
      throw error;
    });
    return known;
  }

  return {
    async begin(secret) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
      const { state, nonce, verifier } = derive(secret);
      const challenge = {
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      };
      const parameters = { redirect_uri: redirectUri, scope: settings.scopes, state, nonce, ...challenge };
      return buildAuthorizationUrl(await configure(), parameters);
    },
    async finish(secret, query) {
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
      const configuration = await configure();
      const { state, nonce, verifier } = derive(secret);
      const url = new URL(`${redirectUri}?${query}`);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier };
      const tokens = await authorizationCodeGrant(configuration, url, { ...checks, idTokenExpected: true });
      const idToken = tokens.claims();
      if (!idToken) throw new Error('The provider sent no ID token');
      const isWhole = settings.groupsClaim in idToken && 'preferred_username' in idToken;
      const more =
        isWhole || !configuration.serverMetadata().userinfo_endpoint
          ? {}
          : await fetchUserInfo(configuration, tokens.access_token, idToken.sub);
      return toClaims({ ...more, ...idToken }, settings);
    },
  };
}

/** Derives what one sign-in sends from its secret, so that nothing is stored. The secret cannot be computed from its hash. */
function derive(secret: string) {
  const of = (purpose: string) => hash('sha256', `postern ${purpose} ${secret}`, 'base64url');
  return { state: of('state'), nonce: of('nonce'), verifier: of('verifier') };
}
