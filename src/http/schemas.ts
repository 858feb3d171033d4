import { Type } from 'typebox';
import { LINK_STATUSES } from '../links/link.ts';
import { ACCESS_RESULTS } from '../links/verdict.ts';

// The records of the specification, once: types for the routes, serialisation, and OpenAPI. What a client
// sends is checked by src/links/rules, whose texts and order the specification sets.

const Count = Type.Integer({ minimum: 0 });
const ShortCode = Type.String({ description: '8 alphanumeric characters, case-sensitive' });

export const ErrorRecord = Type.Object(
  {
    timestamp: Type.String({ format: 'date-time' }),
    status: Type.Integer(),
    error: Type.String({ description: 'The reason phrase of the status' }),
    message: Type.String({ description: 'What is wrong, for a person' }),
    path: Type.String(),
  },
  { title: 'Error' },
);

const ExpiresAt = Type.String({
  format: 'date-time',
  description: 'ISO 8601 with a timezone offset, in the future; absent means no time limit',
});
const MaxViews = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'How many times the link can be opened; absent means without limit',
});
const Password = Type.String({
  description: 'Asked for in the header X-Link-Password when the link is opened; kept only as a hash',
});
const Confirm = Type.Boolean({
  default: false,
  description:
    'Whether a browser is shown what the link is about, with a button that opens it; so mail scanners and previews spend no view',
});

export const RedirectRequest = Type.Object(
  {
    targetUrl: Type.String({
      format: 'uri',
      maxLength: 8192,
      description: 'http:// or https://, kept verbatim',
    }),
    expiresAt: Type.Optional(ExpiresAt),
    maxViews: Type.Optional(MaxViews),
    password: Type.Optional(Password),
    confirm: Type.Optional(Confirm),
  },
  { title: 'RedirectRequest' },
);

export const UploadForm = Type.Object(
  {
    file: Type.String({ format: 'binary' }),
    expiresAt: Type.Optional(ExpiresAt),
    maxViews: Type.Optional(MaxViews),
    password: Type.Optional(Password),
    confirm: Type.Optional(Confirm),
  },
  { title: 'UploadForm' },
);

export const VisitForm = Type.Object(
  {
    password: Type.Optional(Type.String({ description: 'For protected links' })),
    ask: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Only tells whether the link would be opened, as `{"type":…}`; what is refused is refused and recorded as ever',
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
      description: 'As it was sent; null without a time limit',
    }),
    maxViews: Type.Union([Type.Integer(), Type.Null()]),
    confirm: Type.Optional(Type.Boolean({ description: 'Only where it was sent' })),
  },
  { title: 'Link' },
);

export const LinkDescription = Type.Object(
  {
    shortCode: ShortCode,
    accessUrl: Type.String({ format: 'uri' }),
    type: Type.Enum(['REDIRECT', 'DOWNLOAD']),
    status: Type.Enum([...LINK_STATUSES], {
      description: 'As it is now: EXPIRED as soon as its time or its views are over',
    }),
    expiresAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'In UTC; null without a time limit',
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
    Type.String({ description: '`application/json` asks for the target as JSON instead of a redirect' }),
  ),
  'X-Correlation-Id': Type.Optional(
    Type.String({ description: 'Returned and logged with the request; made up where it is missing' }),
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
    accessEfficiencyRatio: Type.Number({ description: 'success in percent of total' }),
    expirationAttritionRate: Type.Number({ description: 'expired in percent of total' }),
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
  start: Type.Optional(Type.String({ description: 'First instant that counts, ISO 8601 with an offset' })),
  end: Type.Optional(Type.String({ description: 'First instant that counts no more' })),
});
export const DateRangeQuery = Type.Object({
  start: Type.Optional(Type.String({ description: 'First date (UTC) or instant that counts' })),
  end: Type.Optional(Type.String({ description: 'First date (UTC) or instant that counts no more' })),
});
export const PeriodsQuery = Type.Object({
  ...DateRangeQuery.properties,
  unit: Type.Optional(Type.Enum(['hour', 'day'], { default: 'day', description: 'How long each period is' })),
});
export const ResultsQuery = Type.Object({
  ...RangeQuery.properties,
  previews: Type.Optional(Type.Boolean({ default: false, description: 'Whether PREVIEW is listed too' })),
});
export const LimitQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 5 })),
});

/** The error answers of an endpoint, for its `response` schemas. */
export function errorResponses<Status extends number>(...statuses: Status[]) {
  return Object.fromEntries(statuses.map((status) => [status, ErrorRecord]));
}
