import type {
  AttemptEntry,
  Link,
  LinkDescription,
  paths,
  RedirectRequest,
  Settings,
} from '../../client/api-types.ts';

// The types of the API are those of the typed client. All are type-only: the bundle contains no client.
export type * from '../../client/api-types.ts';

export type Caller = NonNullable<Settings['access']['caller']>;
export type Scope = Caller['scopes'][number];
/** A page that only one port serves where the service has two. */
export type ServedPage = Settings['pages'][number];

export type LinkStatus = LinkDescription['status'];
/** The status in detail. */
export type LinkState = LinkDescription['state'];
export type LinkType = LinkDescription['type'];

export type AuditResult = AttemptEntry['result'];
export type AccessResult = Exclude<AuditResult, 'PREVIEW' | 'PREVIEW_INVALID_PASSWORD'>;

type PeriodsQuery = paths['/api/stats/access/over-time']['get']['parameters']['query'];
export type PeriodUnit = NonNullable<NonNullable<PeriodsQuery>['unit']>;

/** The terms of a link as a form has them: text that is not a number is sent as typed, and the API explains the error. */
export type AsTyped<Terms extends { maxViews?: number | null }> = Omit<Terms, 'maxViews'> & {
  maxViews?: Terms['maxViews'] | string;
};
/** The restrictions of a new link. */
export type Restrictions = AsTyped<Omit<RedirectRequest, 'targetUrl'>>;

/** A link just created, with its token and the secret of its webhooks, which no later response repeats. */
export type Created = {
  link: Link;
  token: string | null;
  webhookSecret: string | null;
  /** The fingerprint of the first entry of its history. */
  fingerprint: string | null;
};
