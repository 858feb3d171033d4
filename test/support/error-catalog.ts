import { DENIALS, ERRORS, type RequestError, unexpectedErrorMessage } from '../../src/http/errors.ts';

/** Each error of a request once, with the names that the documents have for what is filled in. */
export const REQUEST_ERRORS = {
  malformedJson: ERRORS.malformedJson(),
  malformedMultipart: ERRORS.malformedMultipart(),
  malformedRequest: ERRORS.malformedRequest(),
  invalidField: ERRORS.invalidField({ field: '<field>', text: '<text>' }),
  crossSite: ERRORS.crossSite(),
  noSuchPath: ERRORS.noSuchPath(),
  methodNotAllowed: ERRORS.methodNotAllowed('<method>', '<allowed>'),
  requestTimeout: ERRORS.requestTimeout(),
  bodyTooLarge: ERRORS.bodyTooLarge('<limit>'),
  fileTooLarge: ERRORS.fileTooLarge('<limit>'),
  requestTooLarge: ERRORS.requestTooLarge('<limit>'),
  unsupportedContentType: ERRORS.unsupportedContentType('<expected>'),
  unsupportedContentEncoding: ERRORS.unsupportedContentEncoding(),
  unknownExpectation: ERRORS.unknownExpectation(),
  headersTooLarge: ERRORS.headersTooLarge(),
} satisfies Record<keyof typeof ERRORS, RequestError>;

/** Every error that an error record can tell of. */
export const ERROR_CATALOG: readonly { status: number; message: string }[] = [
  ...Object.values(DENIALS),
  ...Object.values(REQUEST_ERRORS),
  { status: 500, message: unexpectedErrorMessage('<uuid>') },
];
