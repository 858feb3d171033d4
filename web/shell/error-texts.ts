import type { ProxyErrorCode } from '../../client/proxy-response.ts';
import type { Format } from '../i18n/format.ts';
import type { MessageKey, Translate } from '../i18n/translate.ts';
import type { ErrorCode } from '../service/contract.ts';
import type { Outcome, Refusal } from '../service/outcome.ts';
import { formatLifetime } from './lifetime.ts';

/** The errors that only programs cause, or a defect. */
type OtherCode =
  | 'CODES_UNAVAILABLE'
  | 'CROSS_SITE_FORM'
  | 'CROSS_SITE_REQUEST'
  | 'ENTRIES_DETACHED'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INVALID_ADDRESS'
  | 'INVALID_CURSOR'
  | 'INVALID_ERASURE'
  | 'INVALID_FORMAT'
  | 'INVALID_IDEMPOTENCY_KEY'
  | 'INVALID_IMPORT'
  | 'INVALID_ORDER'
  | 'INVALID_OWNER_KIND'
  | 'INVALID_PASSWORD'
  | 'INVALID_RECIPIENT'
  | 'INVALID_RESULT'
  | 'INVALID_SORT'
  | 'INVALID_STATE'
  | 'INVALID_TIME_ZONE'
  | 'INVALID_TYPE'
  | 'INVALID_UNIT'
  | 'LEASE_ENDED'
  | 'LEASE_MISMATCH'
  | 'LEASE_NOT_HERE'
  | 'LEASE_REQUIRED'
  | 'LEASE_USED_UP'
  | 'MAILS_NO_LINKS'
  | 'MALFORMED_HOST'
  | 'MALFORMED_JSON'
  | 'MALFORMED_MULTIPART'
  | 'MALFORMED_REQUEST'
  | 'MALFORMED_UPLOAD'
  | 'METHOD_NOT_ALLOWED'
  | 'MISDIRECTED_REQUEST'
  | 'NOT_STARTED'
  | 'NO_CHECKPOINT'
  | 'NOT_A_FILE_REQUEST'
  | 'NO_SUCH_ENDPOINT'
  | 'PASSWORD_REQUIRED'
  | 'PAUSED'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RECIPIENT_REQUIRED'
  | 'SESSION_NEEDS_OWN_PAGE'
  | 'SEVERAL_CREDENTIALS'
  | 'SIGNS_NO_CHECKPOINTS'
  | 'TUS_VERSION_REQUIRED'
  | 'UNEXPECTED_ERROR'
  | 'UNEXPECTED_STATE'
  | 'UNKNOWN_FIELD'
  | 'UNSUPPORTED_CONTENT_ENCODING'
  | 'UNSUPPORTED_CONTENT_TYPE'
  | 'UNUSABLE_USER_NAME';

/** The texts of the errors that a user can cause or meet. */
export const ERROR_TEXTS = {
  API_KEY_OR_LINK_TOKEN_REQUIRED: 'error.signedOut',
  API_KEY_REQUIRED: 'error.signedOut',
  BODY_TOO_LARGE: 'error.bodyTooLarge',
  CANNOT_GRANT_SCOPES: 'people.cannotGrant',
  CUSTOM_CODES_OFF: 'error.codesOff',
  CUSTOM_CODE_RESERVED: 'error.codeReserved',
  CUSTOM_CODE_TAKEN: 'error.codeTaken',
  DATABASE_UNAVAILABLE: 'error.unavailable',
  DIGEST_MISMATCH: 'error.uploadChanged',
  DUPLICATE_FIELD: 'error.duplicate',
  ENCRYPTION_REQUIRED: 'error.encryptionRequired',
  END_BEFORE_START: 'error.startsTooLate',
  EXPIRED: 'error.ended',
  EXPIRY_TOO_LATE: 'error.dateTooLate',
  FILE_EMPTY: 'error.fileEmpty',
  FILE_HELD_BACK: 'error.heldBack',
  FILE_INSTEAD_OF_TEXT: 'error.notText',
  FILE_MISSING: 'error.fileMissing',
  FILE_NOT_FOUND: 'error.linkGone',
  FILE_TOO_LARGE: 'error.fileTooLarge',
  FOREIGN_LINK_TOKEN: 'linkAccess.wrongToken',
  HEADERS_TOO_LARGE: 'error.bodyTooLarge',
  IDEMPOTENT_REQUEST_RUNNING: 'error.overloaded',
  INSUFFICIENT_SCOPE: 'error.notAllowed',
  INVALID_API_KEY: 'error.signedOut',
  INVALID_CUSTOM_CODE: 'error.codeInvalid',
  INVALID_DATE_TIME: 'error.dateInvalid',
  INVALID_DIGEST: 'error.uploadChanged',
  INVALID_EMAIL: 'people.emailInvalid',
  INVALID_FILE_NUMBERS: 'error.changedMeanwhile',
  INVALID_FILE_REQUEST: 'error.notText',
  INVALID_LIST: 'error.viewsTooLarge',
  INVALID_NAME: 'people.nameInvalid',
  INVALID_NOTIFY_EMAIL: 'people.emailInvalid',
  INVALID_NOTIFY_URL: 'error.notifyUrlInvalid',
  INVALID_RECIPIENTS: 'error.recipientsInvalid',
  INVALID_RECIPIENT_KEY: 'error.notText',
  INVALID_SCOPES: 'apiKeys.noScopes',
  INVALID_TAGS: 'error.textCharacters',
  INVALID_TARGET_URL: 'error.targetInvalid',
  INVALID_TEXT: 'error.textInvalid',
  LAST_ADMINISTRATOR: 'people.lastAdministrator',
  LIMIT_OUT_OF_RANGE: 'error.integer',
  LINKS_NEED_OWNER: 'people.outdated',
  LINK_HAS_ENDED: 'error.ended',
  LINK_HAS_NO_FILE: 'error.noFile',
  LINK_IS_REVOKED: 'error.revoked',
  MAILS_NO_INVITATIONS: 'people.notMailed',
  MAIL_NOT_SENT: 'people.notMailed',
  MAX_VIEWS_TOO_LARGE: 'error.viewsTooLarge',
  MAX_VIEWS_TOO_SMALL: 'error.viewsTooSmall',
  MESSAGE_MISSING: 'error.notText',
  NAME_TAKEN: 'people.nameTaken',
  NEEDLESS_LINK_TOKEN: 'linkAccess.wrongToken',
  NOTIFICATIONS_NOT_SET_UP: 'error.notifyUnavailable',
  NOTIFY_EMAIL_NEEDS_SIGN_IN: 'error.notifySignIn',
  NOTIFY_EMAIL_NOT_ALLOWED: 'error.notifyEmailNotAllowed',
  NOTIFY_EMAIL_UNAVAILABLE: 'error.notifyUnavailable',
  NOTIFY_URL_NEEDS_SIGN_IN: 'error.notifySignIn',
  NOTIFY_URL_NOT_ALLOWED: 'error.notifyUrlNotAllowed',
  NOTIFY_URL_UNAVAILABLE: 'error.notifyUnavailable',
  NOT_AN_INTEGER: 'error.integer',
  NOT_A_FUTURE_DATE: 'error.datePast',
  NOT_A_TEXT: 'error.notText',
  NOT_ENCRYPTED: 'error.uploadChanged',
  NOT_FOUND: 'error.linkGone',
  NOT_TRUE_OR_FALSE: 'error.notFlag',
  NOT_VIEWABLE: 'error.notViewable',
  NO_SUCH_KEY: 'people.outdated',
  NO_SUCH_NOTIFICATION: 'people.outdated',
  NO_SUCH_PERSON: 'people.outdated',
  NO_SUCH_SESSION: 'people.outdated',
  NO_SUCH_TEAM: 'people.outdated',
  NO_SUCH_UPLOAD: 'error.uploadGone',
  OVERLOADED: 'error.overloaded',
  PASSWORD_BLANK: 'error.passwordBlank',
  PASSWORD_HAS_CONTROL_CHARACTERS: 'error.passwordCharacters',
  PASSWORD_HAS_OUTER_WHITE_SPACE: 'error.passwordSpaces',
  PASSWORD_LINK_ENDED: 'account.linkEnded',
  PASSWORD_MISSING: 'error.passwordMissing',
  PASSWORD_NOT_A_STRING: 'error.notText',
  PASSWORD_NOT_WELL_FORMED: 'error.passwordCharacters',
  PASSWORD_TOO_LONG: 'error.passwordTooLong',
  PASSWORD_TOO_SHORT: 'account.tooShort',
  QUOTA_EXCEEDED: 'error.quotaExceeded',
  RATE_LIMITED: 'error.rateLimited',
  RECIPIENTS_NEED_SIGN_IN: 'error.signedOut',
  RECIPIENTS_UNAVAILABLE: 'error.notifyUnavailable',
  SCAN_REQUIRED: 'error.scanRequired',
  REQUEST_OCCUPIED: 'error.overloaded',
  REQUEST_TIMEOUT: 'error.unreachable',
  REQUEST_TOO_LARGE: 'error.fileTooLarge',
  REVOKED: 'error.revoked',
  SCOPES_BEYOND_OWNER: 'people.outdated',
  SEVERAL_TARGETS: 'error.duplicate',
  SIGN_IN_NEEDS_TLS: 'signIn.needsTls',
  SIGN_IN_REQUIRED: 'error.signedOut',
  STARTS_AFTER_EXPIRY: 'error.startsTooLate',
  STORAGE_FULL: 'error.storageFull',
  STORAGE_UNAVAILABLE: 'error.unavailable',
  TAG_TOO_LONG: 'error.tagTooLong',
  TARGET_BLOCKED: 'error.targetBlocked',
  TARGET_IS_THIS_SERVICE: 'error.targetSelf',
  TARGET_URL_MISSING: 'error.targetMissing',
  TARGET_URL_TOO_LONG: 'error.targetTooLong',
  TEAM_HAS_LINKS: 'people.outdated',
  TERM_BLANK: 'error.notText',
  TERM_CANNOT_BE_CHANGED: 'error.unchangeable',
  TEXT_HAS_CONTROL_CHARACTERS: 'error.textCharacters',
  TEXT_TOO_LONG: 'error.textTooLong',
  TOO_MANY_CONNECTIONS: 'error.overloaded',
  TOO_MANY_FILES: 'error.tooManyFiles',
  TOO_MANY_PARTS: 'error.bodyTooLarge',
  TOO_MANY_RECIPIENTS: 'error.viewsTooLarge',
  TOO_MANY_TAGS: 'error.tooManyTags',
  UNKNOWN_LINK_HOST: 'error.hostUnknown',
  UNKNOWN_PERSON: 'error.unknownPerson',
  UNKNOWN_TEAM: 'error.unknownTeam',
  UPLOAD_INCOMPLETE: 'error.uploadChanged',
  UPLOAD_LOCKED: 'error.overloaded',
  UPLOAD_OFFSET_MISMATCH: 'error.uploadChanged',
  VERSION_MISMATCH: 'error.changedMeanwhile',
  VIEW_LIMIT_REACHED: 'error.ended',
  WRONG_NAME_OR_PASSWORD: 'signIn.wrongPassword',
  PROXY_TOO_LARGE: 'proxy.tooLarge',
  PROXY_NO_RESPONSE: 'proxy.response',
  PROXY_RESPONSE: 'proxy.response',
} as const satisfies Record<Exclude<ErrorCode, OtherCode> | ProxyErrorCode, MessageKey>;

type Texts = { t: Translate; format: Format };

/** Returns why a request failed, in the language of the page. */
export function failureText(outcome: Exclude<Outcome<never>, { kind: 'DONE' }>, texts: Texts): string {
  return outcome.kind === 'REFUSED' ? errorText(outcome, texts) : texts.t('error.unreachable');
}

/** Returns what an error says in the language of the page. */
export function errorText({ code, params, text }: Refusal, { t, format }: Texts): string {
  if (code === null) return text; // such as "HTTP 500", of something that is not the service
  const [, key = 'error.unexpected' as const] =
    Object.entries(ERROR_TEXTS).find(([known]) => known === code) ?? [];
  const given = Object.entries(params).map(([name, value]): [string, string] => [
    name,
    toText(value, format),
  ]);
  const values = {
    proxy: here.location?.host ?? '',
    permission: t('may.admin'),
    ...Object.fromEntries<string>(given.filter(([, text]) => text !== '')),
  };
  return (t as TranslateAny)(key, values);
}

const here = globalThis as { location?: { host: string } }; // only a page has one

/** The compiler does not know which of the texts it is. A test shows that errors have the values of their texts. */
type TranslateAny = (key: MessageKey, values: Record<string, string>) => string;

function toText(value: string | number, format: Format): string {
  return typeof value === 'number' ? format.number(value) : formatLifetime(value, format) || value;
}
