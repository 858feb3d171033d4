import type { FastifyInstance } from 'fastify';
import type { Author } from '../../links/author.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { linkNotFound } from '../errors.ts';
import { limitUnknownCodes, prepareRefuseBlocked } from '../limit-requests.ts';
import {
  passwordOf,
  prepareAttemptSubmission,
  type SubmissionRequest,
  uploadOwnerOfRequest,
} from './submit-files.ts';
import { mountUploads, type UploadAdmission } from './uploads.ts';

/** /api/links/{shortCode}/uploads: uploads for a file request. The right to one is its id, and to begin one the password. */
export function requestUploadRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  const refuseBlocked = prepareRefuseBlocked(deps);
  const admit = prepareAdmit(deps);
  const { countUnknown } = limitUnknownCodes(deps);
  /** Returns true for the id of an upload that a blocked client has. It cannot be guessed, unlike a short code. */
  async function isKnown(fileId: string | undefined, shortCode: string, client: Author): Promise<boolean> {
    if (fileId === undefined || deps.limits.visits.visitsBlockedMs(client) === 0) return false;
    return (
      (await deps.resumeUploads.find({ fileId, owner: uploadOwnerOfRequest(shortCode) })).kind !== 'GONE'
    );
  }
  mountUploads(app, deps, {
    path: '/api/links/:shortCode/uploads',
    access: { needs: 'nothing', port: 'public', anyHost: true },
    async admit(request) {
      const { shortCode, uploadId } = request.params as { shortCode: string; uploadId?: string }; // as the path has it
      if (!(await isKnown(uploadId, shortCode, request.author))) refuseBlocked(request);
      return (await admit(request as SubmissionRequest)) ?? countUnknown(request);
    },
  });
}

/** Prepares finding out what a visitor may upload; undefined for an unknown code. */
function prepareAdmit(deps: HttpDependencies) {
  const attempt = prepareAttemptSubmission(deps);
  return async (request: SubmissionRequest): Promise<UploadAdmission | undefined> => {
    const { shortCode } = request.params;
    const link = await deps.readLink(shortCode);
    if (!link) return undefined;
    if (link.target.type !== 'REQUEST') throw linkNotFound();
    // Before the first byte of an upload, it is found out whether the request takes files.
    if (request.method === 'POST') await attempt(request, { password: passwordOf(request, {}) });
    const { maxFiles, maxBytes } = link.target.request;
    return {
      owner: uploadOwnerOfRequest(shortCode),
      maxFileBytes: Math.min(maxBytes ?? deps.maxFileBytes, deps.maxFileBytes),
      maxFiles: Math.min(maxFiles ?? deps.maxUploadFiles, deps.maxUploadFiles),
    };
  };
}
