import { Type } from 'typebox';
import { SCAN_RESULTS } from '../core/model/link.ts';
import { LINK_TYPES } from '../core/model/link-type.ts';
import { MAX_LOCATION_BYTES } from '../core/model/location.ts';
import { OWNER_KINDS } from '../core/model/owner.ts';
import { SHOWN_KINDS } from '../core/model/shown-type.ts';
import { TERM_DESCRIPTIONS } from '../core/model/term-descriptions.ts';
import { MAX_VIEWS } from '../core/rules/term-rules.ts';
import { FileRequest, NewFileRequest } from './file-request-schemas.ts';
import { FileSha256 } from './file-schemas.ts';
import { nullable, optionalFlag, optionalText, text, titled, Url } from './schema-builders.ts';
import { CustomCode, FORM_TERMS, PATCH_TERMS, requestTerms } from './term-schemas.ts';

// The records of links, and what the schemas of several routes share: types of the routes, and OpenAPI. src/core/rules
// validates what a client sends, with the texts and in the order of the specification.

export * from './error-schemas.ts';
export * from './schema-builders.ts';

export const ShortCode = text(
  '8 alphanumeric characters, a customCode, or an imported code of up to 100; case-sensitive. In paths, a slash is percent-encoded',
);

const TARGET_URL = {
  format: 'uri',
  maxLength: MAX_LOCATION_BYTES,
  description: 'http:// or https://, kept verbatim. `Location` has it in ASCII, in at most 8,192 bytes',
};
export const RedirectRequest = titled('RedirectRequest', {
  targetUrl: Type.String(TARGET_URL),
  ...requestTerms('REDIRECT'),
});
/** The body of `POST /api/links`. It has one target. */
export const LinkRequest = titled('LinkRequest', {
  ...RedirectRequest.properties,
  targetUrl: Type.Optional(Type.String(TARGET_URL)),
  maxViews: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: MAX_VIEWS }), {
      description: `${TERM_DESCRIPTIONS.maxViews.about}, see \`text\``,
    }),
  ),
  text: Type.Optional(
    Type.Union([Type.String({ minLength: 1 }), Type.Literal(true)], {
      description:
        'A text or a secret, which is shown to visitors, instead of `targetUrl`: at most 1 MB. Without `maxViews`, the link ' +
        'opens once; null: see `links.maxViews` of the settings. Browsers get a confirmation page first, unknown programs too ' +
        'unless they accept `text/plain` alone or `application/json`. With `uploadId`, true: the upload is such a text',
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
  viewable: optionalFlag(`Shows the upload to browsers, on a page of its own: only ${SHOWN_KINDS}`),
  request: Type.Optional(NewFileRequest),
});
export const LinkPatch = titled('LinkPatch', {
  targetUrl: Type.Optional(Type.String({ ...TARGET_URL, description: 'Only of a link to a URL' })),
  paused: Type.Optional(Type.Boolean({ description: 'A paused link cannot be opened' })),
  owner: optionalText(
    'The name of the active person who gets the link; by its owner alone, or with the scope `manage`',
  ),
  request: Type.Optional(Type.Partial(FileRequest, { description: 'Only of a file request' })),
  ...PATCH_TERMS,
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
  viewable: optionalFlag(`Shows the file to browsers, on a page of its own: only ${SHOWN_KINDS}`),
};
export const UploadForm = titled('UploadForm', {
  file: Type.String({ format: 'binary', description: 'The file; several of this name get one link' }),
  ...FILE_FLAGS,
  ...FORM_TERMS,
});

/** The short code of a link that is changed. */
export const NewShortCode = titled('NewShortCode', { customCode: CustomCode });

/** The form or the JSON that replaces the file of a link. */
export const FileForm = titled('FileForm', {
  file: Type.Optional(
    Type.String({ format: 'binary', description: 'Of a form: the file, or several of this name' }),
  ),
  ...FILE_FLAGS,
  uploadId: optionalText('Of JSON: an upload, instead of the file'),
  fileName: optionalText('Of JSON: the name of the upload, instead of the one with which it began'),
  sha256: optionalText('Of JSON: the SHA-256 that the upload must have; with another one: 422'),
  keep: optionalText('The numbers of the files that stay, before the new ones, such as `1,3`'),
});

export const CreatedLink = titled('Link', {
  shortCode: ShortCode,
  accessUrl: Url,
  expiresAt: nullable(Type.String(), {
    description: 'As it was sent, or that of the settings in UTC; null without an expiry',
  }),
  maxViews: nullable(Type.Integer()),
  confirm: Type.Optional(Type.Boolean({ description: 'Present only if it was sent' })),
  scan: Type.Optional(
    Type.Enum([...SCAN_RESULTS], {
      description:
        'The result of a scan for malware, if app.upload.scan is set. INFECTED: the link is paused, and cannot be resumed before its file is replaced; with app.scan.required, NOT_SCANNED is paused as well until a scan finds nothing',
    }),
  ),
});

export const Token = text('The token of this link, which is stored only as a hash');
/** Of a response that may be a repeated one. */
export const FirstToken = text('The token of this link; a repeated response lacks it');
export const FIRST_FINGERPRINT = 'The fingerprint of the history, whose only entry is the creation';
export const WEBHOOK_SECRET =
  'With a notifyUrl: the secret that verifies its webhooks, whsec_ and base64; absent where the token is';

export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,255}$',
      description:
        'Up to 255 visible ASCII characters that no other request has, such as a UUID. A repeat within 24 hours of a creation ' +
        'creates nothing, and gets the first response with `Idempotency-Replayed: true`, without the token of the link and ' +
        'the secret of its webhooks. Unless `app.secret` is set, and the client sends an API key or has signed in, a repeat ' +
        'may have another password or text, which changes nothing',
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
  displayName: optionalText('Of a person: the name as it is shown'),
});

export const LinkType = Type.Enum([...LINK_TYPES], {
  description: 'To what the link leads: a URL, a file, or a form that asks visitors for files',
});

export const ShortCodeParams = Type.Object({ shortCode: ShortCode });

export const DateRangeQuery = Type.Object({
  start: optionalText('Start of the range (included), an instant or a UTC date'),
  end: optionalText('End of the range (excluded), an instant or a UTC date'),
});
export const LimitQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 5 })),
});
