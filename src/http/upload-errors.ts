import { MAX_IDLE_MS } from '../core/use-cases/files/resume-upload.ts';
import { error, errorOf } from './request-error.ts';

/** The version of the protocol of uploads that resume. */
export const TUS_VERSION = '1.0.0';

/** The errors of uploads that resume. */
export const UPLOAD_ERRORS = {
  malformedUpload: errorOf(400, 'MALFORMED_UPLOAD', (rule: string) => ({
    message: `Malformed upload: ${rule}; see tus 1.0`,
  })),
  noSuchUpload: error(
    404,
    'NO_SUCH_UPLOAD',
    'There is no such upload: it ended, was not continued for a day, or is of another client; upload the file again',
  ),
  uploadOffsetMismatch: error(
    409,
    'UPLOAD_OFFSET_MISMATCH',
    'Another number of bytes has arrived; read Upload-Offset with HEAD, and continue from there',
  ),
  requestOccupied: error(
    409,
    'REQUEST_OCCUPIED',
    'Other uploads hold all that this file request can still take; try again after the seconds in Retry-After, when those ' +
      'that stopped make room',
    { retryAfterMs: MAX_IDLE_MS },
  ),
  uploadIncomplete: error(
    409,
    'UPLOAD_INCOMPLETE',
    'Bytes of the upload are missing; send the rest to its address, and create the link then',
  ),
  tusVersionRequired: error(
    412,
    'TUS_VERSION_REQUIRED',
    'Send Tus-Resumable: 1.0.0, the only version of the protocol that this service has',
    { headers: ['tus-version', TUS_VERSION] },
  ),
  digestMismatch: error(
    422,
    'DIGEST_MISMATCH',
    'sha256: the file that arrived has another SHA-256, so it was changed on its way or before; upload it again',
    { field: 'sha256' },
  ),
  uploadLocked: error(
    423,
    'UPLOAD_LOCKED',
    'Another request still adds bytes to this upload; try again after the seconds in Retry-After',
    { retryAfterMs: 1_000 },
  ),
};
