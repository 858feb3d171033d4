import type { ErrorCode } from '../src/http/errors.ts';
import { ERROR_CATALOG } from '../test/support/error-catalog.ts';
import { toCode, toTable } from './markdown.ts';

// The errors in docs/api.md: their status, code and message are those of the service.

/** What a message does not say: when the error occurs, what it spent, or who can mend it. */
const NOTES: Partial<Record<ErrorCode, string>> = {
  MALFORMED_JSON: 'The body is not JSON, not UTF-8, not an object, or missing',
  MALFORMED_MULTIPART: 'The form is not readable, or was cut off',
  MALFORMED_REQUEST: 'The request is not HTTP, or contradicts its own length',
  SEVERAL_CREDENTIALS: 'The service and a proxy may read different ones',
  UNUSABLE_USER_NAME: "Let the proxy replace the client's header",
  ENCRYPTION_REQUIRED: 'Encrypt a tar archive with `age -r <recipientKey>`',
  API_KEY_REQUIRED: 'Also with `app.access=open`',
  API_KEY_OR_LINK_TOKEN_REQUIRED: 'Also with `app.access=open`',
  INVALID_API_KEY: 'Also with `app.access=open`. Let a proxy remove bearer tokens of its own',
  PASSWORD_REQUIRED: '`X-Link-Password` is missing or blank',
  INVALID_PASSWORD: 'A lost password cannot be recovered; give the link another with PATCH',
  RECIPIENT_REQUIRED: 'No view is spent. The response is the same for an address that the link does not name',
  INVALID_RECIPIENT: 'No view is spent. After 5 wrong codes or 10 minutes a code has ended',
  CODES_UNAVAILABLE: 'No view is spent. The health of the service has the error of the mail server',
  WRONG_NAME_OR_PASSWORD: '`postern people reset NAME` makes a link that sets another password',
  CROSS_SITE_FORM: 'Nothing is spent; the audit has `PREVIEW`. Behind a proxy, set `app.base-url`',
  SESSION_NEEDS_OWN_PAGE: 'Also for origins that `app.cors.allowed-origins` lists',
  FOREIGN_LINK_TOKEN: 'Or no link has the short code',
  NEEDLESS_LINK_TOKEN: 'With `app.access=open`',
  PAUSED: 'The people who manage the link resume it',
  NOT_FOUND: 'Check upper and lower case',
  FILE_NOT_FOUND:
    'No view is spent. `postern verify --read-files` lists what the administrator has to restore',
  REQUEST_TIMEOUT:
    'Headers may take a minute, JSON and the form of a page up to 30 seconds, an upload a day, but not less than ' +
    '`app.limits.min-rate`. A silent connection is closed after about a minute without a response',
  UPLOAD_OFFSET_MISMATCH:
    'A response was lost, another request added bytes, or object storage lost the last ones. Nothing was added',
  NAME_TAKEN: '`postern people add --owns-links` adds the owner of links',
  REVOKED: 'This is final',
  EXPIRED: 'Move `expiresAt`, or create a new link',
  VIEW_LIMIT_REACHED: 'Raise `maxViews`, or create a new link',
  UNEXPECTED_STATE: 'The clock was wrong for a while, or the database was edited. Create a new link',
  LEASE_ENDED: 'See `app.files.lease`',
  LEASE_NOT_HERE: 'The response is the same for a download that does not exist',
  LEASE_USED_UP:
    'It may send three times the size of its file, or ten times that of one that is shown; small parts cost more',
  BODY_TOO_LARGE:
    'JSON has at most 1 MB besides its `text` (many links 4 MB, the list of files of an upload 1.5 MB), a form that opens a link 32 KB',
  FILE_TOO_LARGE: 'Of a form, the message may go on with the address for larger files',
  REQUEST_TOO_LARGE: 'The message may go on as that of `FILE_TOO_LARGE`',
  RANGE_NOT_SATISFIABLE: 'The download is complete, or the local file is another one: compare its SHA-256',
  MISDIRECTED_REQUEST: 'So DNS rebinding fails. Links, health and metrics open under any name',
  IDEMPOTENCY_KEY_REUSED: 'Within 24 hours. Also after a change of `app.secret`',
  UPLOAD_LOCKED: 'A line broke without notice, or an instance was killed less than 5 seconds ago',
  LEASE_REQUIRED: "`curl -C -` says `HTTP server doesn't seem to support byte ranges`",
  RATE_LIMITED:
    'Wrong passwords, unknown links, codes for recipients, creations, uploads, changes, mails with links and Idempotency-Keys have limits',
  HEADERS_TOO_LARGE: 'They have more than 32 KiB',
  UNEXPECTED_ERROR: 'A defect, or a storage that failed. The reference is in the log',
  TOO_MANY_CONNECTIONS: 'See `app.limits.connections-per-client`; list a proxy in `app.trusted-proxies`',
  OVERLOADED: 'No view is spent',
  DATABASE_UNAVAILABLE: 'No view is spent, unless the connection broke during the commit',
  STORAGE_UNAVAILABLE: 'No view is spent, and no link was created',
  QUOTA_EXCEEDED: 'See `app.storage.quota` and `app.storage.quota-per-owner`',
  STORAGE_FULL: 'Less than `app.storage.min-free` would be left, or the storage has no room',
};

/**
 * Errors of fields: code and message, and where a short request shows it, an example, which a test sends: a JSON body that
 * creates a link, fields of an upload as curl sends them, or a path.
 */
export const FIELD_ERRORS = String.raw`
UNKNOWN_FIELD | maxview: unknown; did you mean maxViews | {"targetUrl":"https://example.com","maxview":3}
FILE_INSTEAD_OF_TEXT | password: must be a text field, not a file | -F file=@a -F password=@a
TARGET_URL_MISSING | targetUrl: must not be blank | {}
INVALID_TARGET_URL | targetUrl: must be a valid URL | {"targetUrl":"ftp://example.com"}
TARGET_URL_TOO_LONG | targetUrl: must be a valid URL of at most 8192 bytes in percent-encoding
TARGET_BLOCKED | targetUrl: must not lead to evil.example, which this service blocks
TARGET_IS_THIS_SERVICE | targetUrl: must not lead to this service | {"targetUrl":"http://localhost:8080/l/eSWNHQJv"}
FILE_MISSING | file: must not be null | -F maxViews=1
FILE_MISSING | uploadId: must be the id of an upload
FILE_EMPTY | file: must not be empty | -F file=@empty
INVALID_FILE_NUMBERS | keep: must be numbers of files of the link, each once, such as 1,3; a text or an encrypted file cannot be kept
NOT_VIEWABLE | viewable: is for one file that browsers show: a PDF, a picture (PNG, JPEG, GIF, WebP or AVIF), audio (MP3, M4A, WAV, FLAC or Ogg) or video (MP4, WebM or Ogg); leave it out, so that the file is downloaded | -F file=@a -F viewable=true
NOT_ENCRYPTED | encrypted: is for one file in the format of age alone; encrypt it before you send it, or leave encrypted out | -F file=@a -F encrypted=true
SCAN_REQUIRED | encrypted: cannot be used here, because every file must be scanned for malware; send the file without encryption
SCAN_REQUIRED | recipientKey: cannot be used here, because every file must be scanned for malware; send the file without encryption
INVALID_TEXT | text: must be a text of at most 1 MB in UTF-8, not empty and without NUL characters | {"text":""}
SEVERAL_TARGETS | uploadId: cannot be sent together with targetUrl; send one of them | {"uploadId":"a","targetUrl":"https://example.com"}
SEVERAL_TARGETS | request: cannot be sent together with targetUrl; send one of them | {"targetUrl":"https://example.com","request":{"message":"Contracts"}}
SEVERAL_TARGETS | text: cannot be sent together with targetUrl; send one of them | {"text":"a","targetUrl":"https://example.com"}
DUPLICATE_FIELD | maxViews: must be given only once | -F file=@a -F maxViews=1 -F maxViews=2
INVALID_DATE_TIME | expiresAt: must be an ISO 8601 date-time with a timezone offset | {"targetUrl":"https://example.com","expiresAt":"2099-01-01T00:00:00"}
NOT_A_FUTURE_DATE | expiresAt: must be a future date | {"targetUrl":"https://example.com","expiresAt":"2020-01-01T00:00:00Z"}
EXPIRY_TOO_LATE | expiresAt: must be at most P7D from now
NOT_AN_INTEGER | maxViews: must be an integer | {"targetUrl":"https://example.com","maxViews":1.5}
MAX_VIEWS_TOO_SMALL | maxViews: must be greater than 0 | {"targetUrl":"https://example.com","maxViews":0}
MAX_VIEWS_TOO_LARGE | maxViews: must be at most 2147483647 | -F file=@a -F maxViews=2147483648
MAX_VIEWS_TOO_LARGE | maxViews: must be at most 5
PASSWORD_BLANK | password: must not be blank | {"targetUrl":"https://example.com","password":" "}
PASSWORD_NOT_A_STRING | password: must be a string | {"targetUrl":"https://example.com","password":1234}
PASSWORD_NOT_WELL_FORMED | password: must be well-formed Unicode text | {"targetUrl":"https://example.com","password":"\ud800"}
PASSWORD_HAS_CONTROL_CHARACTERS | password: must not contain control characters | {"targetUrl":"https://example.com","password":"a\tb"}
PASSWORD_HAS_OUTER_WHITE_SPACE | password: must not start or end with white space | {"targetUrl":"https://example.com","password":" secret"}
PASSWORD_TOO_SHORT | newPassword: must be at least 12 characters
PASSWORD_TOO_LONG | password: must be at most 8192 bytes in UTF-8
PASSWORD_MISSING | password: is required by this service
NOT_TRUE_OR_FALSE | confirm: must be true or false | {"targetUrl":"https://example.com","confirm":"yes"}
INVALID_NOTIFY_URL | notifyUrl: must be a valid URL of at most 2048 characters | {"targetUrl":"https://example.com","notifyUrl":"hooks.example"}
NOTIFY_URL_UNAVAILABLE | notifyUrl: is not available, because links of this service have no webhooks; the administrator sets app.webhooks.secret and app.webhooks.per-link | {"targetUrl":"https://example.com","notifyUrl":"https://hooks.example"}
NOTIFY_URL_NEEDS_SIGN_IN | notifyUrl: needs an API key with the scope create, or a signed-in user
NOTIFY_URL_NOT_ALLOWED | notifyUrl: must not contain a user name or a password
NOTIFY_URL_NOT_ALLOWED | notifyUrl: must begin with https://
NOTIFY_URL_NOT_ALLOWED | notifyUrl: must use one of the ports of app.webhooks.ports: 443
NOTIFY_URL_NOT_ALLOWED | notifyUrl: leads to an address that is not public; app.webhooks.allowed-networks can allow it
INVALID_NOTIFY_EMAIL | notifyEmail: must be a mail address, such as user@example.com | {"targetUrl":"https://example.com","notifyEmail":"user"}
NOTIFY_EMAIL_UNAVAILABLE | notifyEmail: is not available, because no address may get mail of this service; the administrator sets app.mail.url and app.mail.recipients
NOTIFY_EMAIL_NEEDS_SIGN_IN | notifyEmail: needs an API key with the scope create, or a signed-in user
NOTIFY_EMAIL_NOT_ALLOWED | notifyEmail: must be your own verified address, or an address that app.mail.recipients allows
INVALID_RECIPIENTS | verifiedRecipients: must be an array of mail addresses, such as user@example.com | {"targetUrl":"https://example.com","verifiedRecipients":["user"]}
TOO_MANY_RECIPIENTS | verifiedRecipients: must be at most 50
RECIPIENTS_UNAVAILABLE | verifiedRecipients: is not available, because this service sends no mail; the administrator sets app.mail.url and app.mail.from | {"targetUrl":"https://example.com","verifiedRecipients":["user@example.com"]}
RECIPIENTS_NEED_SIGN_IN | verifiedRecipients: needs an API key with the scope create, or a signed-in user
INVALID_DATE_TIME | startsAt: must be an ISO 8601 date-time with a timezone offset | {"targetUrl":"https://example.com","startsAt":"tomorrow"}
STARTS_AFTER_EXPIRY | startsAt: must be before the link expires | {"targetUrl":"https://example.com","startsAt":"2099-01-02T00:00:00Z","expiresAt":"2099-01-01T00:00:00Z"}
CUSTOM_CODES_OFF | customCode: is not allowed by this service; leave it out
UNKNOWN_LINK_HOST | host: must be localhost | {"targetUrl":"https://example.com","host":"go.example"}
INVALID_CUSTOM_CODE | customCode: must be 3 to 20 letters, digits, -, _, ~ or . in up to 5 segments separated by /, each of which begins and ends with a letter or a digit | {"targetUrl":"https://example.com","customCode":"a b"}
CUSTOM_CODE_RESERVED | customCode: must not be a reserved word; choose another | {"targetUrl":"https://example.com","customCode":"admin"}
NOT_A_TEXT | label: must be a text | {"targetUrl":"https://example.com","label":1}
TEXT_TOO_LONG | label: must be at most 200 characters
TEXT_HAS_CONTROL_CHARACTERS | note: must not contain control characters | {"targetUrl":"https://example.com","note":"a\u0000"}
INVALID_TAGS | tags: must be an array of texts | {"targetUrl":"https://example.com","tags":"a,b"}
TOO_MANY_TAGS | tags: must be at most 20
TAG_TOO_LONG | tags: must be of at most 50 characters each
INVALID_TAGS | tags: must not contain commas or control characters | {"targetUrl":"https://example.com","tags":["a,b"]}
TERM_BLANK | label: must not be blank; null removes a term
TERM_CANNOT_BE_CHANGED | shortCode: cannot be changed
TERM_CANNOT_BE_CHANGED | targetUrl: cannot be changed, because this kind of link has none
UNKNOWN_TEAM | team: must be one of your teams | {"targetUrl":"https://example.com","team":"press"}
UNKNOWN_TEAM | team: must be the name of a team
UNKNOWN_PERSON | owner: must be the name of an active person
INVALID_FILE_REQUEST | request: must be an object with a message | {"request":"Contracts"}
MESSAGE_MISSING | message: must not be blank | {"request":{"message":" "}}
INVALID_RECIPIENT_KEY | recipientKey: must be a recipient of age, age1 and 58 characters, as age-keygen prints it | {"request":{"message":"Contracts","recipientKey":"age1"}}
LIMIT_OUT_OF_RANGE | maxFiles: must be between 1 and 1000 | {"request":{"message":"Contracts","maxFiles":0}}
NOT_AN_INTEGER | limit: must be an integer | /api/stats/links/top?limit=many
LIMIT_OUT_OF_RANGE | limit: must be between 1 and 1000 | /api/stats/links/top?limit=0
DUPLICATE_FIELD | limit: must be given only once | /api/stats/links/top?limit=1&limit=2
INVALID_DATE_TIME | start: must be an ISO 8601 date-time with a timezone offset | /api/stats/access/hourly?start=2026-01-01
INVALID_DATE_TIME | start: must be an ISO 8601 date-time with a timezone offset, or a date | /api/stats/access/daily?start=yesterday
END_BEFORE_START | end: must not be before start | /api/stats/access/daily?start=2026-02-01&end=2026-01-01
INVALID_FORMAT | format: must be svg or png | /api/links/eSWNHQJv/qr?format=gif
LIMIT_OUT_OF_RANGE | size: must be between 128 and 2048 | /api/links/eSWNHQJv/qr?size=1
INVALID_UNIT | unit: must be hour or day | /api/stats/access/over-time?unit=week
INVALID_TIME_ZONE | zone: must be a time zone, such as Europe/Berlin | /api/stats/access/hourly?zone=Mars
NOT_TRUE_OR_FALSE | previews: must be true or false | /api/stats/access/by-result?previews=1
INVALID_LIST | items: must be a list of 1 to 1000
INVALID_LIST | files: must be a list of 1 to 10000
INVALID_LIST | files: must be objects with a fileName and a sizeBytes
INVALID_DIGEST | sha256: must be 64 hexadecimal digits | {"uploadId":"x","sha256":"x"}
INVALID_LIST | items: must be a list of objects
INVALID_LIST | shortCodes: must be a list of texts
INVALID_RESULT | result: must be some of SUCCESS, NOT_FOUND, REVOKED, EXPIRED, VIEW_LIMIT_REACHED, PASSWORD_REQUIRED, INVALID_PASSWORD, UNEXPECTED_STATE, RATE_LIMITED, PAUSED, NOT_STARTED, RECIPIENT_REQUIRED, INVALID_RECIPIENT, PREVIEW, PREVIEW_INVALID_PASSWORD, with commas between | /api/audit?result=OPENED
INVALID_ADDRESS | address: must be an IP address | /api/audit?address=localhost
INVALID_CURSOR | cursor: must be the next of the page before | /api/audit?cursor=0
TEXT_TOO_LONG | search: must be at most 10 words | /api/links?search=a+b+c+d+e+f+g+h+i+j+k
INVALID_STATE | state: must be some of ACTIVE, SCHEDULED, PAUSED, EXPIRED, USED_UP, REVOKED, with commas between | /api/links?state=OPEN
INVALID_TYPE | type: must be REDIRECT or DOWNLOAD or REQUEST | /api/links?type=FILE
INVALID_OWNER_KIND | ownerKind: must be KEY or USER or ANONYMOUS or COMMAND | /api/links?ownerKind=ROBOT
INVALID_SORT | sort: must be created or views or opened | /api/links?sort=name
INVALID_ORDER | order: must be desc or asc | /api/links?order=up
INVALID_CURSOR | cursor: must be the next of the page before, with the same sort | /api/links?cursor=1
INVALID_NAME | name: must be 1 to 64 visible characters, without a space at either end or two in a row
INVALID_NAME | name: must have more than dots
INVALID_NAME | name: must have only letters of one script, digits, ASCII punctuation and single spaces
INVALID_SCOPES | scopes: must be an array of create, read, manage, metrics, admin
INVALID_SCOPES | scopes: must have at least one of create, read, manage, metrics, admin
INVALID_IMPORT | from: must be the name of a product in lower-case letters, such as shlink
INVALID_IMPORT | withRefusal: must be pause or skip
INVALID_IMPORT | items[0]: must be an object
INVALID_IMPORT | items[0].tags: must be an array of texts
INVALID_TIME_ZONE | timeZone: must be the name of a time zone, such as Europe/Berlin, or an offset, such as +02:00
INVALID_ERASURE | ipAddress: send one of ipAddress, shortCode and recipient
INVALID_EMAIL | email: must be a mail address, such as ada@example.com
UNKNOWN_TEAM | teams: must have the names of teams
UNKNOWN_TEAM | teams: must be an array of names
UNKNOWN_PERSON | linksTo: must be the name of an active person
SCOPES_BEYOND_OWNER | scopes: the owner of the key lacks manage
LINKS_NEED_OWNER | linksTo: the person owns links; send the name of an active person who gets them
`
  .trim()
  .split('\n')
  .map((row) => {
    const [code = '', message = '', example] = row.split(' | ');
    return { code, message, example };
  });

const INTRODUCTION = `## Errors

Compare \`code\`, which never changes; \`message\` is for people. If one field or parameter is wrong, \`field\` names it, and
\`params\` may have values of the message. A browser that opens a link, or a path that does not exist outside \`/api/\`, usually
gets a page of the same status in its language. \`<…>\` is a placeholder.

If a body is refused, the service may close the connection after the response. Before, it reads and discards what the client
still sends, for at most 30 s, 5 s without a byte, or 1 GiB, so that the client gets the response.
`;

/** Returns the errors in Markdown: those of requests in the order of their statuses, then those of fields. */
export function errorsText(): string {
  const errors = ERROR_CATALOG.filter(({ message }) => !message.startsWith('<')).toSorted(
    (a, b) => a.status - b.status,
  );
  const rows = errors.map(({ status, code, message }) => {
    const note = NOTES[code as ErrorCode]; // as the catalog names it
    return [String(status), toCode(code), note ? `${toCode(message)}. ${note}` : toCode(message)];
  });
  const fields = FIELD_ERRORS.map(({ code, message }) => [toCode(code), toCode(message)]);
  return [
    INTRODUCTION,
    toTable(['status', 'code', 'message'], rows),
    '### Field errors\n\nEach has the status 400. Only the first one is reported.\n',
    toTable(['code', 'message'], fields),
  ].join('\n');
}
