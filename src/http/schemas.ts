import { Type } from 'typebox';
import { LINK_STATUSES, LINK_TYPES, SCAN_RESULTS, SHOWN_STATES } from '../core/model/link.ts';
import { MAX_LOCATION_BYTES } from '../core/model/location.ts';
import { OWNER_KINDS } from '../core/model/owner.ts';
import { CUSTOM_CODE } from '../core/model/short-code.ts';
import { LABEL_BOUNDS } from '../core/rules/labels.ts';
import { FileRequest, NewFileRequest } from './file-request-schemas.ts';
import { FileSha256, ShownFile } from './file-schemas.ts';
import {
  Count,
  DateTime,
  nullable,
  optionalFlag,
  optionalText,
  text,
  titled,
  Url,
} from './schema-builders.ts';

// The records of links, and what the schemas of several routes share: types of the routes, and OpenAPI. src/core/rules
// validates what a client sends, with the texts and in the order of the specification.

export * from './error-schemas.ts';
export * from './schema-builders.ts';

export const ShortCode = text(
  '8 alphanumeric characters, a customCode of 3 to 20, or an imported code of up to 100; case-sensitive. A slash in it is percent-encoded',
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
  password: optionalText(
    'Required in the header X-Link-Password to open the link; stored only as a hash; empty means no protection',
  ),
  confirm: optionalFlag(
    'Shows browsers a confirmation page first, so that mail scanners and previews spend no view',
  ),
  notifyUrl: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: 2048,
      description:
        'Gets what happens to the link as webhooks; needs webhooks of the service, and an API key or a signed-in user, ' +
        'unless app.webhooks.per-link is everyone',
    }),
  ),
  notifyEmail: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 254,
      description:
        'Gets a mail when the link is opened, at most one a minute, in the language of Accept-Language; the administrator ' +
        'allows addresses. Needs an API key or a signed-in user, unless app.mail.per-link is everyone',
    }),
  ),
  startsAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'From when on the link opens: ISO 8601 with a timezone offset, before expiresAt',
    }),
  ),
  fallbackUrl: Type.Optional(
    Type.String({
      format: 'uri',
      maxLength: MAX_LOCATION_BYTES,
      description:
        'Where visitors are sent when the link has expired or is used up, unless they accept JSON. The attempt is ' +
        'recorded as EXPIRED or VIEW_LIMIT_REACHED. A revoked link leads nowhere',
    }),
  ),
  host: optionalText(
    'The host name of `accessUrl`, one of `links.hosts` in the settings; without it that of app.base-url. The link opens under each',
  ),
  customCode: Type.Optional(
    Type.String({
      pattern: CUSTOM_CODE.source, // of Unicode characters, as JSON Schema has them
      description:
        'The short code, instead of a random one. Others can guess it: protect what is confidential with a password',
    }),
  ),
};

const bounded = (maxLength: number, description: string) => Type.String({ maxLength, description });
/** For the people who manage a link. Visitors never see it. */
const LABELS = {
  label: bounded(LABEL_BOUNDS.label, 'A name for the link'),
  note: bounded(LABEL_BOUNDS.note, 'Anything to remember about the link; may have several lines'),
  tags: Type.Array(Type.String({ maxLength: LABEL_BOUNDS.tag }), {
    maxItems: LABEL_BOUNDS.tags,
    description: 'Words by which links are found; without commas',
  }),
  recipient: bounded(LABEL_BOUNDS.recipient, 'The person to whom the link is given'),
  team: bounded(128, 'The team that the link is shared with: one of yours, or any with the scope `manage`'),
};

const TARGET_URL = {
  format: 'uri',
  maxLength: MAX_LOCATION_BYTES,
  description: 'http:// or https://, kept verbatim. `Location` has it in ASCII, in at most 8,192 bytes',
};
const FORWARDS = {
  forwardPath: optionalFlag(
    'Appends what follows the short code in the visited address to the path of the target',
  ),
  forwardQuery: optionalFlag(
    'Adds the query of the visited address to that of the target, whose own parameters stay',
  ),
};
export const RedirectRequest = titled('RedirectRequest', {
  targetUrl: Type.String(TARGET_URL),
  ...FORWARDS,
  ...RESTRICTIONS,
  ...Type.Partial(Type.Object(LABELS)).properties,
});
/** The body of `POST /api/links`. It has one target. */
export const LinkRequest = titled('LinkRequest', {
  ...RedirectRequest.properties,
  targetUrl: Type.Optional(Type.String(TARGET_URL)),
  maxViews: Type.Optional(
    nullable(RESTRICTIONS.maxViews, { description: 'How often the link opens, see `text`' }),
  ),
  text: Type.Optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Literal(true)], {
      description:
        'A text or a secret, which is shown to visitors, instead of `targetUrl`: at most 1 MB. Without `maxViews`, the link ' +
        'opens once; null sets no limit. Browsers always get a confirmation page first, unknown programs too unless they accept ' +
        '`text/plain` or `application/json`. With `uploadId`, true: the upload is such a text',
    }),
  ),
  uploadId: optionalText('An upload, instead of `targetUrl`; see POST /api/uploads'),
  fileName: optionalText('The name of the upload, instead of the one with which it began'),
  sha256: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      description: 'The SHA-256 that the upload must have; with another one: 422',
    }),
  ),
  encrypted: optionalFlag('The upload was encrypted with age before'),
  viewable: optionalFlag('Shows the upload to browsers: only a PNG, JPEG, GIF, WebP or AVIF picture'),
  request: Type.Optional(NewFileRequest),
});
const NULLABLE_TERMS = Object.fromEntries(
  Object.entries({
    expiresAt: RESTRICTIONS.expiresAt,
    maxViews: RESTRICTIONS.maxViews,
    password: Type.String({
      minLength: 1,
      description: 'Required in the header X-Link-Password from now on; null removes the protection',
    }),
    startsAt: RESTRICTIONS.startsAt,
    ...LABELS,
    notifyUrl: RESTRICTIONS.notifyUrl,
    notifyEmail: RESTRICTIONS.notifyEmail,
    fallbackUrl: RESTRICTIONS.fallbackUrl,
    host: text('The host name of `accessUrl`; null for that of app.base-url'),
  }).map(([name, schema]) => [name, Type.Optional(nullable(schema))]),
);
export const LinkPatch = titled('LinkPatch', {
  targetUrl: Type.Optional(Type.String({ ...TARGET_URL, description: 'Only of a link to a URL' })),
  confirm: Type.Optional(RESTRICTIONS.confirm),
  paused: Type.Optional(Type.Boolean({ description: 'A paused link cannot be opened' })),
  ...FORWARDS,
  owner: optionalText(
    'The name of the active person who gets the link; by its owner alone, or with the scope `manage`',
  ),
  request: Type.Optional(Type.Partial(FileRequest, { description: 'Only of a file request' })),
  ...NULLABLE_TERMS,
});
/** The header of a request for what a client has already, and the response where nothing has changed since. */
export const IfNoneMatch = { 'If-None-Match': optionalText('The ETag of the response that the client has') };
export const NotModified = Type.Null({ description: 'Nothing has changed since then' });
export const ChangeHeaders = Type.Object({
  'If-Match': optionalText('The ETag of the link as the client knows it; with another version: 412'),
});
const FILE_FLAGS = {
  encrypted: optionalFlag(
    'The file was encrypted in the format of age. Its name is not stored, and browsers decrypt it',
  ),
  viewable: optionalFlag(
    'Shows the file to browsers, on a page of its own: only a PNG, JPEG, GIF, WebP or AVIF picture',
  ),
};
export const UploadForm = titled('UploadForm', {
  file: Type.String({ format: 'binary' }),
  ...FILE_FLAGS,
  ...RESTRICTIONS,
  ...Type.Partial(Type.Object({ ...LABELS, tags: text('Separated by commas') })).properties,
});

/** The short code of a link that is changed. */
export const NewShortCode = titled('NewShortCode', { customCode: RESTRICTIONS.customCode });

/** The form that replaces the file of a link. */
export const FileForm = titled('FileForm', {
  file: Type.String({ format: 'binary' }),
  ...FILE_FLAGS,
  uploadId: optionalText('Of JSON: an upload, instead of the file'),
  fileName: optionalText('Of JSON: the name of the upload, instead of the one with which it began'),
  sha256: optionalText('Of JSON: the SHA-256 that the upload must have; with another one: 422'),
});

export const CreatedLink = titled('Link', {
  shortCode: ShortCode,
  accessUrl: Url,
  expiresAt: nullable(Type.String(), { description: 'As it was sent; null without an expiry' }),
  maxViews: nullable(Type.Integer()),
  confirm: Type.Optional(Type.Boolean({ description: 'Present only if it was sent' })),
  scan: Type.Optional(
    Type.Enum([...SCAN_RESULTS], {
      description:
        'The result of a scan for malware, if app.upload.scan is set. INFECTED: the link is paused, and cannot be resumed before its file is replaced',
    }),
  ),
});

export const Token = text('The token of this link, which is stored only as a hash');
/** Of a response that may be a repeated one. */
export const FirstToken = text(
  'The token of this link; a repeated response to a client without credentials lacks it',
);
export const FIRST_FINGERPRINT = 'The fingerprint of the history, whose only entry is the creation';
export const WEBHOOK_SECRET =
  'With a notifyUrl: the secret that verifies its webhooks, whsec_ and base64; absent where the token is';

export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,255}$',
      description:
        'Any text that no other request has, such as a UUID. A repeat within 24 hours creates nothing, and gets the ' +
        'first response with `Idempotency-Replayed: true`, without the token of the link and the secret of its webhooks. ' +
        'Without an API key or a signed-in user, a repeat may have another password or text, which changes nothing: ' +
        'clients behind one address are not distinguished',
    }),
  ),
});

export const IGNORED_FIELDS = 'The names of unknown fields, percent-encoded, with commas between';

/** The response to a creation: the record, and the token in a header. */
export const LinkCreated = {
  ...CreatedLink,
  description:
    'The link. Its own token is in the header X-Link-Token, in this response only, and the fingerprint of its ' +
    'creation in X-Link-Fingerprint',
  headers: {
    'X-Ignored-Fields': { type: 'string', description: IGNORED_FIELDS },
    'X-Link-Token': FirstToken,
    'X-Link-Fingerprint': { type: 'string', description: FIRST_FINGERPRINT },
    'X-Link-File-SHA256': FileSha256,
    'X-Link-Webhook-Secret': { type: 'string', description: WEBHOOK_SECRET },
    'Idempotency-Replayed': { type: 'string', description: '`true` if an earlier request created the link' },
  },
};

/** `name` is null where the owner has none, or it was erased. */
export const OwnerRecord = titled('Owner', {
  kind: Type.Enum([...OWNER_KINDS]),
  name: nullable(Type.String(), { description: 'Of the person, the key or the command' }),
});

export const LinkType = Type.Enum([...LINK_TYPES], {
  description: 'To what the link leads: a URL, a file, or a form that asks visitors for files',
});

export const LinkDescription = titled('LinkDescription', {
  shortCode: ShortCode,
  accessUrl: Url,
  type: LinkType,
  status: Type.Enum([...LINK_STATUSES], {
    description: 'Current status; EXPIRED as soon as the time or the views are used up',
  }),
  state: Type.Enum([...SHOWN_STATES], {
    description: 'The status in detail. SCHEDULED: opens at startsAt. USED_UP: has no views left',
  }),
  startsAt: nullable(DateTime, { description: 'From when on the link opens; null: from its creation on' }),
  expiresAt: nullable(DateTime, {
    description: 'In UTC (after the year 9999 with the offset -23:59); null without an expiry',
  }),
  maxViews: nullable(Type.Integer()),
  viewCount: Count,
  passwordProtected: Type.Boolean(),
  confirm: Type.Boolean(),
  createdAt: DateTime,
  file: nullable(ShownFile, {
    description:
      'Null for a link without a file. A text, and the file of a protected link, are only for those who may change the link',
  }),
  request: Type.Optional(
    nullable(FileRequest, {
      description:
        'Only of a file request. That of a protected one is only for those who may change the link',
    }),
  ),
  requestCode: optionalText(
    'The short code of the file request with which the file arrived, only for those who may read the history',
  ),
  entryCount: Type.Optional({
    ...Count,
    description: 'The number of entries of the history, only for those who may read it',
  }),
  fingerprint: optionalText('The fingerprint of the history, only for those who may read it'),
  targetUrl: Type.Optional(
    nullable(Url, { description: 'Only for those who may change the link; null for a link to a file' }),
  ),
  notifyUrl: Type.Optional(nullable(Url, { description: 'Only for those who may change the link' })),
  notifyEmail: Type.Optional(
    nullable(Type.String(), { description: 'Only for those who may change the link' }),
  ),
  fallbackUrl: Type.Optional(nullable(Url, { description: 'Only for those who may change the link' })),
  forwardPath: Type.Optional(Type.Boolean({ description: 'Only for those who may change the link' })),
  forwardQuery: Type.Optional(Type.Boolean({ description: 'Only for those who may change the link' })),
  lastOpenedAt: Type.Optional(nullable(DateTime, { description: 'Only for those who may read the history' })),
  ...Type.Partial(
    Type.Object({
      label: nullable(LABELS.label),
      note: nullable(LABELS.note),
      tags: LABELS.tags,
      recipient: nullable(LABELS.recipient),
      owner: OwnerRecord,
      team: nullable(Type.String(), { description: 'The team that the link is shared with' }),
    }),
  ).properties,
});

export const ShortCodeParams = Type.Object({ shortCode: ShortCode });

export const DateRangeQuery = Type.Object({
  start: optionalText('Start of the range (included), an instant or a UTC date'),
  end: optionalText('End of the range (excluded), an instant or a UTC date'),
});
export const LimitQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 5 })),
});
