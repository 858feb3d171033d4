import { Type } from 'typebox';
import { LINK_STATUSES } from '../links/link.ts';
import { ACCESS_RESULTS } from '../links/verdict.ts';

// The records of the specification: types of the routes, serialisation and OpenAPI. src/links/rules validates
// what a client sends, with the texts and in the order of the specification.

const Count = Type.Integer({ minimum: 0 });
const ShortCode = Type.String({ description: '8 alphanumeric characters, case-sensitive' });

export const ErrorRecord = Type.Object(
  {
    timestamp: Type.String({ format: 'date-time' }),
    status: Type.Integer(),
    error: Type.String({ description: 'The reason phrase of the status' }),
    message: Type.String({ description: 'The error, for a person' }),
    path: Type.String(),
  },
  { title: 'Error' },
);

/** The restrictions of a new link, which every way of creating one takes. */
const RESTRICTIONS = {
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'ISO 8601 with a timezone offset, in the future; without it the link does not expire',
    }),
  ),
  maxViews: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'How many times the link can be opened; without it there is no limit',
    }),
  ),
  password: Type.Optional(
    Type.String({
      description: 'Required in the header X-Link-Password to open the link; stored only as a hash',
    }),
  ),
  confirm: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Shows browsers a confirmation page first, so that mail scanners and previews spend no view',
    }),
  ),
};

const TARGET_URL = { format: 'uri', maxLength: 8192, description: 'http:// or https://, kept verbatim' };
export const RedirectRequest = Type.Object(
  { targetUrl: Type.String(TARGET_URL), ...RESTRICTIONS },
  { title: 'RedirectRequest' },
);
export const UploadForm = Type.Object(
  { file: Type.String({ format: 'binary' }), ...RESTRICTIONS },
  { title: 'UploadForm' },
);

export const VisitForm = Type.Object(
  {
    password: Type.Optional(Type.String({ description: 'For protected links' })),
    ask: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Dry run: returns `{"type":…}` if the link would open. A refusal is audited as usual',
      }),
    ),
  },
  { title: 'VisitForm' },
);

export const CreatedLink = Type.Object(
  {
    shortCode: ShortCode,
    accessUrl: Type.String({ format: 'uri' }),
    expiresAt: Type.Union([Type.String(), Type.Null()], {
      description: 'As it was sent; null without an expiry',
    }),
    maxViews: Type.Union([Type.Integer(), Type.Null()]),
    confirm: Type.Optional(Type.Boolean({ description: 'Present only if it was sent' })),
  },
  { title: 'Link' },
);

export const LinkDescription = Type.Object(
  {
    shortCode: ShortCode,
    accessUrl: Type.String({ format: 'uri' }),
    type: Type.Enum(['REDIRECT', 'DOWNLOAD']),
    status: Type.Enum([...LINK_STATUSES], {
      description: 'Current status; EXPIRED as soon as the time or the views are used up',
    }),
    expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'In UTC (after the year 9999 with the offset -23:59); null without an expiry',
    }),
    maxViews: Type.Union([Type.Integer(), Type.Null()]),
    viewCount: Count,
    passwordProtected: Type.Boolean(),
    confirm: Type.Boolean(),
    createdAt: Type.String({ format: 'date-time' }),
    file: Type.Union([Type.Object({ name: Type.String(), sizeBytes: Count }), Type.Null()], {
      description: 'Null for a link to a URL, and for a protected link',
    }),
  },
  { title: 'LinkDescription' },
);

export const ShortCodeParams = Type.Object({ shortCode: ShortCode });

export const ResolveHeaders = Type.Object({
  'X-Link-Password': Type.Optional(Type.String({ description: 'For protected links' })),
  Accept: Type.Optional(
    Type.String({ description: '`application/json` returns the target as JSON instead of a redirect' }),
  ),
  'X-Correlation-Id': Type.Optional(
    Type.String({ description: 'Returned and logged with the request; generated if missing' }),
  ),
});

export const RedirectResolution = Type.Object(
  { type: Type.Literal('REDIRECT'), targetUrl: Type.String({ format: 'uri' }) },
  { title: 'Resolution' },
);

export const AccessSummary = Type.Object(
  {
    total: Count,
    success: Count,
    failed: Count,
    expired: Count,
    uniqueOrigins: Count,
    accessEfficiencyRatio: Type.Number({ description: 'Successful attempts in percent of all' }),
    expirationAttritionRate: Type.Number({ description: 'Expired attempts in percent of all' }),
  },
  { title: 'AccessSummary' },
);

export const LinkStatusCounts = Type.Object(
  { active: Count, expired: Count, revoked: Count },
  { title: 'LinkStatusCounts' },
);
export const TopLinks = Type.Array(
  Type.Object({ shortCode: ShortCode, accessCount: Count }, { title: 'TopLink' }),
);
export const SecurityExceptions = Type.Array(
  Type.Object({ shortCode: ShortCode, count: Count }, { title: 'SecurityException' }),
);
export const HourlyBuckets = Type.Array(
  Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), count: Count }, { title: 'HourlyBucket' }),
);
export const DailyBuckets = Type.Array(
  Type.Object({ date: Type.String({ format: 'date' }), count: Count }, { title: 'DailyBucket' }),
);
export const Periods = Type.Array(
  Type.Object(
    { start: Type.String({ format: 'date-time' }), total: Count, success: Count, failed: Count },
    { title: 'Period' },
  ),
);
export const ResultCounts = Type.Array(
  Type.Object({ result: Type.Enum([...ACCESS_RESULTS, 'PREVIEW']), count: Count }, { title: 'ResultCount' }),
);

const HealthStatus = Type.Enum(['UP', 'DOWN', 'OUT_OF_SERVICE']);
export const HealthDocument = Type.Object(
  {
    status: HealthStatus,
    components: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({ status: HealthStatus, details: Type.Record(Type.String(), Type.Unknown()) }),
      ),
    ),
  },
  { title: 'Health' },
);

export const RangeQuery = Type.Object({
  start: Type.Optional(
    Type.String({ description: 'Start of the range (included), ISO 8601 with an offset' }),
  ),
  end: Type.Optional(Type.String({ description: 'End of the range (excluded), ISO 8601 with an offset' })),
});
export const DateRangeQuery = Type.Object({
  start: Type.Optional(
    Type.String({ description: 'Start of the range (included), an instant or a UTC date' }),
  ),
  end: Type.Optional(Type.String({ description: 'End of the range (excluded), an instant or a UTC date' })),
});
export const PeriodsQuery = Type.Object({
  ...DateRangeQuery.properties,
  unit: Type.Optional(Type.Enum(['hour', 'day'], { default: 'day', description: 'Length of each period' })),
});
export const ResultsQuery = Type.Object({
  ...RangeQuery.properties,
  previews: Type.Optional(Type.Boolean({ default: false, description: 'Lists PREVIEW as well' })),
});
export const LimitQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 5 })),
});

/** Returns the `response` schemas of an endpoint's errors. */
export function errorResponses<Status extends number>(...statuses: Status[]) {
  return Object.fromEntries(statuses.map((status) => [status, ErrorRecord]));
}
