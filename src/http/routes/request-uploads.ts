import type { FastifyRequest } from 'fastify';
import type { Author } from '../../core/model/author.ts';
import { type EpochMs, type Link, shownStateAt } from '../../core/model/link.ts';
import type { HttpDependencies } from '../dependencies.ts';
import type { Endpoint } from '../endpoint.ts';
import { DENIALS, linkNotFound, RequestError } from '../errors.ts';
import { limitUnknownCodes, prepareRefuseBlocked } from '../limit-requests.ts';
import { passwordOf, prepareAttemptSubmission, uploadOwnerOfRequest } from './submit-files.ts';
import { endpointsOfUploads, type UploadAdmission } from './uploads.ts';

/** The endpoints of uploads for a file request. The right to one is its id, and to begin one the password. */
export function requestUploadEndpoints(deps: HttpDependencies): Endpoint[] {
  const refuseBlocked = prepareRefuseBlocked(deps);
  const admit = prepareAdmit(deps);
  /** Returns true for the id of an upload that a blocked client has. It cannot be guessed, unlike a short code. */
  async function isKnown(fileId: string | undefined, shortCode: string, client: Author): Promise<boolean> {
    if (fileId === undefined || deps.useCases.limits.visits.visitsBlockedMs(client) === 0) return false;
    return (
      (await deps.useCases.resumeUploads.find({ fileId, owner: uploadOwnerOfRequest(shortCode) })).kind !==
      'GONE'
    );
  }
  return endpointsOfUploads(deps, {
    ...{ path: '/api/links/:shortCode/uploads', needs: 'nothing', anyHost: true },
    async admit(request) {
      const { shortCode, uploadId } = request.params as { shortCode: string; uploadId?: string }; // as the path has it
      if (!(await isKnown(uploadId, shortCode, request.author))) refuseBlocked(request);
      return admit(request, shortCode);
    },
    refusals: { any: [404, 429], post: [401, 410], patch: [410] },
  });
}

/** Prepares finding out what a visitor may upload. */
function prepareAdmit(deps: HttpDependencies) {
  const attempt = prepareAttemptSubmission(deps);
  const { findLink } = limitUnknownCodes(deps);
  return async (request: FastifyRequest, shortCode: string): Promise<UploadAdmission> => {
    const link = await findLink(shortCode, request);
    if (link.target.type !== 'REQUEST') throw linkNotFound();
    // Before the first byte of an upload, it is found out whether the request takes files.
    if (request.method === 'POST') await attempt(request, { shortCode, password: passwordOf(request, {}) });
    if (request.method === 'PATCH') refuseEnded(link, deps.clock());
    const { maxFiles, maxBytes } = link.target.request;
    const maxFileBytes = Math.min(
      maxBytes ?? deps.config.uploads.maxFileBytes,
      deps.config.uploads.maxFileBytes,
    );
    return {
      owner: uploadOwnerOfRequest(shortCode),
      quotaOwner: link.owner,
      maxFileBytes,
      maxFiles: Math.min(maxFiles ?? deps.config.uploads.maxFiles, deps.config.uploads.maxFiles),
      roomBytes: link.maxViews === null ? null : (link.maxViews - link.viewCount) * maxFileBytes,
    };
  };
}

const ENDS = { REVOKED: 'REVOKED', EXPIRED: 'EXPIRED', USED_UP: 'VIEW_LIMIT_REACHED' } as const;

/** @throws RequestError for a file request that takes no more files */
function refuseEnded(link: Link, now: EpochMs): void {
  const state = shownStateAt(link, now);
  if (state === 'ACTIVE' || state === 'SCHEDULED' || state === 'PAUSED') return;
  const { status, code, message } = DENIALS[ENDS[state]];
  throw new RequestError(status, code, message);
}
