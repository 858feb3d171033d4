import type { Format } from '../i18n/format.ts';
import type { Translate } from '../i18n/translate.ts';
import type { ErrorCode } from '../service/contract.ts';
import type { ErrorParams } from '../service/outcome.ts';
import { formatLifetime } from './lifetime.ts';

type Texts = { t: Translate; format: Format };
/** Returns the text of an error in the language of the page. */
type ErrorText = (texts: Texts, params: ErrorParams) => string;

/** The texts of the errors of creating and changing a link. The API's own text is shown for any other. */
const TEXTS: Partial<Record<ErrorCode, ErrorText>> = {
  TARGET_URL_MISSING: ({ t }) => t('error.targetMissing'),
  INVALID_TARGET_URL: ({ t }) => t('error.targetInvalid'),
  TARGET_URL_TOO_LONG: ({ t, format }, { max }) => t('error.targetTooLong', { max: toText(max, format) }),
  TARGET_BLOCKED: ({ t, format }, { host }) => t('error.targetBlocked', { host: toText(host, format) }),
  TARGET_IS_THIS_SERVICE: ({ t }) => t('error.targetSelf'),
  FILE_MISSING: ({ t }) => t('error.fileMissing'),
  FILE_EMPTY: ({ t }) => t('error.fileEmpty'),
  FILE_HELD_BACK: ({ t }) => t('error.heldBack'),
  FILE_TOO_LARGE: ({ t, format }, { max }) => t('error.fileTooLarge', { max: toText(max, format) }),
  REQUEST_TOO_LARGE: ({ t, format }, { max }) => t('error.fileTooLarge', { max: toText(max, format) }),
  NO_SUCH_UPLOAD: ({ t }) => t('error.uploadGone'),
  INVALID_FILE_REQUEST: ({ t }) => t('error.notText'),
  MESSAGE_MISSING: ({ t }) => t('error.notText'),
  INVALID_LIST: ({ t, format }, { max }) => t('error.viewsTooLarge', { max: toText(max, format) }),
  LIMIT_OUT_OF_RANGE: ({ t }) => t('error.integer'),
  INVALID_RECIPIENT_KEY: ({ t }) => t('error.notText'),
  INVALID_TEXT: ({ t }) => t('error.textInvalid'),
  INVALID_DIGEST: ({ t }) => t('error.uploadChanged'),
  DIGEST_MISMATCH: ({ t }) => t('error.uploadChanged'),
  NOT_ENCRYPTED: ({ t }) => t('error.uploadChanged'),
  NOT_A_PICTURE: ({ t }) => t('error.notPicture'),
  SEVERAL_TARGETS: ({ t }) => t('error.duplicate'),
  INVALID_DATE_TIME: ({ t }) => t('error.dateInvalid'),
  NOT_A_FUTURE_DATE: ({ t }) => t('error.datePast'),
  EXPIRY_TOO_LATE: ({ t, format }, { max }) =>
    t('error.dateTooLate', { max: formatLifetime(String(max), format) }),
  NOT_AN_INTEGER: ({ t }) => t('error.integer'),
  MAX_VIEWS_TOO_SMALL: ({ t }) => t('error.viewsTooSmall'),
  MAX_VIEWS_TOO_LARGE: ({ t, format }, { max }) => t('error.viewsTooLarge', { max: toText(max, format) }),
  PASSWORD_MISSING: ({ t }) => t('error.passwordMissing'),
  PASSWORD_NOT_A_STRING: ({ t }) => t('error.notText'),
  PASSWORD_BLANK: ({ t }) => t('error.passwordBlank'),
  PASSWORD_NOT_WELL_FORMED: ({ t }) => t('error.passwordCharacters'),
  PASSWORD_HAS_CONTROL_CHARACTERS: ({ t }) => t('error.passwordCharacters'),
  PASSWORD_HAS_OUTER_WHITE_SPACE: ({ t }) => t('error.passwordSpaces'),
  PASSWORD_TOO_LONG: ({ t }) => t('error.passwordTooLong'),
  STARTS_AFTER_EXPIRY: ({ t }) => t('error.startsTooLate'),
  UNKNOWN_LINK_HOST: ({ t }) => t('error.hostUnknown'),
  CUSTOM_CODES_OFF: ({ t }) => t('error.codesOff'),
  INVALID_CUSTOM_CODE: ({ t }) => t('error.codeInvalid'),
  CUSTOM_CODE_RESERVED: ({ t }) => t('error.codeReserved'),
  CUSTOM_CODE_TAKEN: ({ t }) => t('error.codeTaken'),
  TEXT_TOO_LONG: ({ t, format }, { max }) => t('error.textTooLong', { max: toText(max, format) }),
  TEXT_HAS_CONTROL_CHARACTERS: ({ t }) => t('error.textCharacters'),
  NOT_A_TEXT: ({ t }) => t('error.notText'),
  UNKNOWN_TEAM: ({ t }) => t('error.unknownTeam'),
  UNKNOWN_PERSON: ({ t }) => t('error.unknownPerson'),
  FILE_INSTEAD_OF_TEXT: ({ t }) => t('error.notText'),
  INVALID_TAGS: ({ t }) => t('error.textCharacters'),
  TOO_MANY_TAGS: ({ t, format }, { max }) => t('error.tooManyTags', { max: toText(max, format) }),
  TAG_TOO_LONG: ({ t, format }, { max }) => t('error.tagTooLong', { max: toText(max, format) }),
  INVALID_NOTIFY_URL: ({ t }) => t('error.notifyUrlInvalid'),
  NOTIFY_URL_UNAVAILABLE: ({ t }) => t('error.notifyUnavailable'),
  NOTIFY_URL_NEEDS_SIGN_IN: ({ t }) => t('error.notifySignIn'),
  NOTIFY_URL_NOT_ALLOWED: ({ t }) => t('error.notifyUrlNotAllowed'),
  INVALID_NOTIFY_EMAIL: ({ t }) => t('error.notifyEmailInvalid'),
  NOTIFY_EMAIL_UNAVAILABLE: ({ t }) => t('error.notifyUnavailable'),
  NOTIFY_EMAIL_NEEDS_SIGN_IN: ({ t }) => t('error.notifySignIn'),
  NOTIFY_EMAIL_NOT_ALLOWED: ({ t }) => t('error.notifyEmailNotAllowed'),
  NOT_TRUE_OR_FALSE: ({ t }) => t('error.notFlag'),
  DUPLICATE_FIELD: ({ t }) => t('error.duplicate'),
  TERM_BLANK: ({ t }) => t('error.notText'),
  TERM_CANNOT_BE_CHANGED: ({ t }) => t('error.unchangeable'),
  LINK_HAS_ENDED: ({ t }) => t('error.ended'),
  LINK_HAS_NO_FILE: ({ t }) => t('error.noFile'),
  LINK_IS_REVOKED: ({ t }) => t('error.revoked'),
  VERSION_MISMATCH: ({ t }) => t('error.changedMeanwhile'),
  STORAGE_FULL: ({ t }) => t('error.storageFull'),
  RATE_LIMITED: ({ t }) => t('error.rateLimited'),
  OVERLOADED: ({ t }) => t('error.overloaded'),
  DATABASE_UNAVAILABLE: ({ t }) => t('error.unavailable'),
  STORAGE_UNAVAILABLE: ({ t }) => t('error.unavailable'),
};

/** Returns the text of an error code, or undefined for a code that the page does not know. */
export function errorText(code: string | null, params: ErrorParams, texts: Texts): string | undefined {
  const [, text] = Object.entries(TEXTS).find(([known]) => known === code) ?? [];
  return text?.(texts, params);
}

function toText(value: string | number | undefined, format: Format): string {
  return typeof value === 'number' ? format.number(value) : (value ?? '');
}
