import type * as api from '../../client/api-types.ts';

export type {
  Link as CreatedLink,
  LinkDescription,
  Settings,
} from '../../client/api-types.ts';

// The types of the API, from the typed client. These are type-only imports: the bundle contains no client.

export type Scope = NonNullable<api.Settings['access']['caller']>['scopes'][number];
export type AccessResult = Exclude<api.ResultCount['result'], 'PREVIEW' | 'PREVIEW_INVALID_PASSWORD'>;

/** A link just created, with its token and the secret of its webhooks, which no later response repeats. */
export type Created = {
  link: api.Link;
  token: string | null;
  webhookSecret: string | null;
  /** The fingerprint of the first entry of its history. */
  fingerprint: string | null;
};
export type LinkStatus = api.LinkDescription['status'];
export type LinkType = api.LinkDescription['type'];
type PeriodsQuery = api.paths['/api/stats/access/over-time']['get']['parameters']['query'];
export type PeriodUnit = NonNullable<NonNullable<PeriodsQuery>['unit']>;

/** A page that only one port serves where the service has two. */
export type ServedPage = api.Settings['pages'][number];
export type Caller = NonNullable<api.Settings['access']['caller']>;

export type Health = api.Health;
export type HealthStatus = Health['status'];

/** The restrictions of a new link, as the API takes them. */
export type Restrictions = Omit<api.RedirectRequest, 'targetUrl' | 'maxViews'> & {
  /** Text that is not a number is sent as typed: the API returns an error that explains it. */
  maxViews?: number | string;
};
