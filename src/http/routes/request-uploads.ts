import type { FastifyInstance } from 'fastify';
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
  mountUploads(app, deps, {
    path: '/api/links/:shortCode/uploads',
    access: { needs: 'nothing', port: 'public', anyHost: true },
    async admit(request) {
      refuseBlocked(request.raw, request.author.ipAddress);
      return (await admit(request as SubmissionRequest)) ?? countUnknown(request); // as the path has it
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
