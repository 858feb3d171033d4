import type { FastifyRequest } from 'fastify';
import { anonymous } from '../../core/model/author.ts';
import type { StoredFile } from '../../core/model/link.ts';
import { formatOwner } from '../../core/model/owner.ts';
import { newOwnerOf } from '../../core/model/people/caller.ts';
import type { WantedFile } from '../../core/rules/uploads.ts';
import { withTraits } from '../../core/use-cases/files/examine-file.ts';
import type { UploadRefusal } from '../../core/use-cases/files/resume-upload.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, type RequestError } from '../errors.ts';

/** Returns who owns the uploads of a request, and the link that it creates. */
export const uploadOwnerOf = ({ caller }: FastifyRequest): string =>
  newOwnerOf(caller) ?? formatOwner(anonymous(null)); // also with the token of a link, which began no upload

/**
 * Returns the complete file of an upload as a link refers to it.
 *
 * @throws RequestError where the upload cannot be used, or has another SHA-256 than the request names
 */
export async function receiveUpload(
  { useCases: { resumeUploads } }: HttpDependencies,
  { uploadId, fileName, sha256, traits }: WantedFile,
  owner: string,
): Promise<StoredFile> {
  const received = await resumeUploads.receive({ fileId: uploadId, owner });
  if (received.kind !== 'RECEIVED') throw uploadErrorOf(received);
  const { file } = received;
  if (sha256 !== null && sha256 !== file.sha256) throw ERRORS.digestMismatch();
  return withTraits({ ...file, ...(fileName !== null && { fileName }) }, traits);
}

/** Returns the error of a request that cannot use an upload. */
export function uploadErrorOf({ kind }: UploadRefusal | { kind: 'INCOMPLETE' }): RequestError {
  return REFUSALS[kind]();
}

const REFUSALS = {
  GONE: ERRORS.noSuchUpload,
  LOCKED: ERRORS.uploadLocked,
  OTHER_OFFSET: ERRORS.uploadOffsetMismatch,
  OCCUPIED: ERRORS.requestOccupied,
  TOO_LITTLE_SPACE: ERRORS.storageFull,
  INCOMPLETE: ERRORS.uploadIncomplete,
};
