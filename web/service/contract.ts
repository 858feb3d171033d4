import type { Static } from 'typebox';
import type * as schemas from '../../src/http/schemas.ts';

export type { Scope } from '../../src/access/scopes.ts';
export type { AccessResult } from '../../src/links/verdict.ts';

// The types of the API, derived from the schemas of its routes. These are type-only imports: the bundle
// contains no schema.

export type CreatedLink = Static<typeof schemas.CreatedLink>;
/** A link just created, with its token and the secret of its webhooks, which no later response repeats. */
export type Created = { link: CreatedLink; token: string | null; webhookSecret: string | null };
export type LinkDescription = Static<typeof schemas.LinkDescription>;
export type LinkStatus = LinkDescription['status'];
export type LinkType = LinkDescription['type'];
export type PeriodUnit = NonNullable<Static<typeof schemas.PeriodsQuery>['unit']>;

export type Settings = Static<typeof schemas.Settings>;
/** A page that only one port serves where the service has two. */
export type ServedPage = Settings['pages'][number];
export type Caller = NonNullable<Settings['access']['caller']>;

export type Health = Static<typeof schemas.HealthDocument>;
export type HealthStatus = Health['status'];

/** The restrictions of a new link, as the API takes them. */
export type Restrictions = Omit<Static<typeof schemas.RedirectRequest>, 'targetUrl' | 'maxViews'> & {
  /** Text that is not a number is sent as typed: the API returns an error that explains it. */
  maxViews?: number | string;
};
