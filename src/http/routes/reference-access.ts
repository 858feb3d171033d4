import type { AccessMode } from '../../access/decide-access.ts';
import type { RouteAccess } from '../route-access.ts';

/** The ways of signing in, as the OpenAPI document names them. */
export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key. The names in an operation are the scopes that the key needs. Where the token of a link is accepted, ' +
      'the key that created the link needs none.',
  },
  LinkToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Link-Token',
    description: 'The token that the creation of the link returned, in place of an API key',
  },
} as const;

/** One way of having access: scopes by scheme. An empty one stands for access without credentials. */
export type SecurityRequirement = Partial<Record<keyof typeof SECURITY_SCHEMES, string[]>>;

/** Returns the ways of having access to a route, or undefined for a route that ignores credentials. */
export function securityOf(
  { needs, ofLink, alsoWhenOpen }: RouteAccess,
  mode: AccessMode,
): SecurityRequirement[] | undefined {
  if (needs === 'nothing') return undefined;
  const isScope = needs !== 'optional' && needs !== 'sign-in';
  return [
    ...((mode === 'open' && !alsoWhenOpen) || needs === 'optional' ? [{}] : []),
    { ApiKey: isScope ? [needs] : [] },
    ...(ofLink ? [{ LinkToken: [] }] : []),
  ];
}
