import { randomUUID } from 'node:crypto';
import { HOLDER_TEXTS } from '../core/model/owner.ts';
import { ClientClosedError, OverloadedError, UnavailableError } from '../core/model/unavailable.ts';
import {
  ShortCodeTakenError,
  UnknownTeamError,
  UploadGoneError,
} from '../core/use-cases/create/create-link.ts';
import { UnfitFileError } from '../core/use-cases/files/examine-file.ts';
import { QuotaExceededError, TooLittleSpaceError } from '../core/use-cases/files/upload-space.ts';
import { countQueueError } from '../observability/observe.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS, invalidField, RequestError, unavailable } from './errors.ts';

/** Returns the error record of an error that is the client's, or passes; undefined for any other. */
export function findKnown(error: unknown): RequestError | undefined {
  if (error instanceof RequestError) return error;
  if (error instanceof UnknownTeamError)
    return invalidField({ field: 'team', code: 'UNKNOWN_TEAM', text: HOLDER_TEXTS.UNKNOWN_TEAM });
  if (error instanceof UnfitFileError) return invalidField(error.error);
  if (error instanceof TooLittleSpaceError) return ERRORS.storageFull();
  if (error instanceof QuotaExceededError) return ERRORS.quotaExceeded();
  if (error instanceof ShortCodeTakenError) return ERRORS.customCodeTaken();
  if (error instanceof UploadGoneError) return ERRORS.noSuchUpload();
  if (error instanceof OverloadedError) return ERRORS.overloaded();
  if (error instanceof UnavailableError) return unavailable(error);
  return error instanceof ClientClosedError ? ERRORS.malformedRequest() : undefined;
}

/**
 * Prepares finding the error record of an error that ended a request, a visit too. Errors of queues are counted, and a
 * server error is logged with a reference.
 *
 * @param findOther finds the error record of an error of the framework
 */
export function prepareToRequestError<Request extends { id: string }>(
  { log, metrics, noteRefusal }: Pick<HttpDependencies['observe'], 'log' | 'metrics' | 'noteRefusal'>,
  findOther: (error: Error, request: Request) => RequestError | undefined = () => undefined,
) {
  const unexpected = new WeakMap<Request, Map<unknown, RequestError>>(); // its items can fail with one error
  const refused = new WeakSet<Request>();

  return (error: unknown, request: Request): RequestError => {
    countQueueError(error, metrics);
    if (error instanceof UnavailableError && !refused.has(request)) {
      refused.add(request);
      noteRefusal(error);
    }
    const known = findKnown(error) ?? (error instanceof Error ? findOther(error, request) : undefined);
    if (known) return known;
    return unexpected
      .getOrInsertComputed(request, () => new Map())
      .getOrInsertComputed(error, () => {
        // "A fresh UUID is generated per error, put in the message and written with the stack trace to the log."
        const reference = randomUUID();
        log.write('error', 'unexpected_error', { correlationId: request.id, reference, err: error });
        return ERRORS.unexpected(reference);
      });
  };
}
