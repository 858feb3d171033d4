import { DENIALS, ERRORS, type ErrorStatus, type RequestError } from '../../src/http/errors.ts';

/** Each error once, with the placeholders of the documents. */
export const REQUEST_ERRORS = {
  malformedJson: ERRORS.malformedJson(),
  malformedMultipart: ERRORS.malformedMultipart(),
  malformedRequest: ERRORS.malformedRequest(),
  malformedHost: ERRORS.malformedHost(),
  severalCredentials: ERRORS.severalCredentials(),
  invalidField: ERRORS.invalidField({ field: '<field>', code: 'INVALID_TARGET_URL', text: '<text>' }),
  unusableUserName: ERRORS.unusableUserName('<header>'),
  signInRequired: ERRORS.signInRequired(),
  keyRequired: ERRORS.keyRequired('<scope>'),
  keyOrLinkTokenRequired: ERRORS.keyOrLinkTokenRequired('<scope>'),
  invalidKey: ERRORS.invalidKey(),
  insufficientScope: ERRORS.insufficientScope('<scope>'),
  foreignLinkToken: ERRORS.foreignLinkToken(),
  needlessLinkToken: ERRORS.needlessLinkToken(),
  crossSiteRequest: ERRORS.crossSiteRequest(),
  misdirectedRequest: ERRORS.misdirectedRequest('<host>'),
  crossSite: ERRORS.crossSite(),
  sendsNoNotifications: ERRORS.sendsNoNotifications(),
  noSuchNotification: ERRORS.noSuchNotification(),
  noSuchPath: ERRORS.noSuchPath(),
  methodNotAllowed: ERRORS.methodNotAllowed('<method>', '<allowed>'),
  requestTimeout: ERRORS.requestTimeout(),
  bodyTooLarge: ERRORS.bodyTooLarge('<limit>'),
  fileTooLarge: ERRORS.fileTooLarge('<limit>'),
  requestTooLarge: ERRORS.requestTooLarge('<limit>'),
  unsupportedContentType: ERRORS.unsupportedContentType('<expected>'),
  unsupportedContentEncoding: ERRORS.unsupportedContentEncoding(),
  unknownExpectation: ERRORS.unknownExpectation(),
  rateLimited: ERRORS.rateLimited(1_000),
  headersTooLarge: ERRORS.headersTooLarge(),
  storageFull: ERRORS.storageFull(),
  tooManyConnections: ERRORS.tooManyConnections(),
  tooManyStreams: ERRORS.tooManyStreams(),
  unexpected: ERRORS.unexpected('<uuid>'),
  overloaded: ERRORS.overloaded(),
  customCodeTaken: ERRORS.customCodeTaken(),
  linkIsRevoked: ERRORS.linkIsRevoked(),
  versionMismatch: ERRORS.versionMismatch(),
} satisfies Record<keyof typeof ERRORS, RequestError>;

/** Every status, code and message of an error record. */
export const ERROR_CATALOG: readonly ErrorStatus[] = [
  ...Object.values(DENIALS),
  ...Object.values(REQUEST_ERRORS),
];
