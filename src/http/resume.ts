import type { IncomingMessage } from 'node:http';
import type { FileList, Resumption } from '../core/use-cases/files/resume-download.ts';
import {
  type LeaseAddress,
  leaseAddressOf,
  leaseTokensInTags,
  rangeOf,
  readTags,
  toLeaseTag,
} from './byte-ranges.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS } from './errors.ts';
import { wantsPage } from './headers.ts';
import { encryptedPage } from './pages/encrypted-page.ts';
import type { Page } from './pages/page.ts';
import { shownFilePage } from './pages/shown-file-pages.ts';
import type { Visitor } from './pages/visitor.ts';
import { filesPage } from './pages/visitor-pages.ts';
import { pathOf } from './path.ts';
import { readBrowser } from './recipient-form.ts';
import {
  NO_STORE,
  type ResponseContext,
  toErrorResponse,
  toFailure,
  toFileHeaders,
  toPageResponse,
  toResponse,
  type VisitResponse,
} from './response.ts';

// Continuing a download that broke off, under the view of the attempt that began it.

/** Returns the leases of a request: in its path, or in tags, by which a browser continues at the link's address. */
export function findLeases(request: IncomingMessage, shortCode: string): LeaseAddress[] {
  if (request.method === 'POST') return [];
  const address = leaseAddressOf(shortCode);
  if (address) return [address];
  return leaseTokensInTags(request).map((leaseToken) => ({ shortCode, leaseToken }));
}

/** Prepares sending more of a file to a client that has the address or the tag of its lease. */
export const prepareResume =
  ({ useCases: { resumeDownload } }: HttpDependencies) =>
  async (
    request: IncomingMessage,
    { shortCode, leaseToken, fileNumber, isPage = false, isShown = false }: LeaseAddress,
    context: ResponseContext,
  ): Promise<VisitResponse | undefined> => {
    const { 'if-range': ifRange, 'if-match': ifMatch } = request.headers;
    const isSame = ifRange === undefined || ifRange === toLeaseTag(leaseToken);
    const isMatch = readTags(ifMatch)?.includes(leaseToken) ?? true;
    const resumption = await resumeDownload({
      ...{ shortCode, leaseToken, fileNumber, isShown, browser: readBrowser(request) },
      wantsList: isPage && wantsPage(request.headers.accept),
      range: isSame && isMatch ? rangeOf(request) : null,
      isHead: request.method === 'HEAD' || !isMatch,
    });
    // A condition counts only where the response would be a success without it (RFC 9110, 13.2.1).
    if (!isMatch && resumption?.kind === 'PART') return toFailure(ERRORS.leaseMismatch(), context);
    return resumption && toResponseOf(resumption, leaseToken, context);
  };

/** The page of a list of files. */
const PAGE = /\?page=(\d{1,5})$/;

const LEASE_DENIALS = { LEASE_ENDED: ERRORS.leaseEnded, LEASE_USED_UP: ERRORS.leaseUsedUp };

function toFilesPage(visitor: Visitor, found: FileList, request: IncomingMessage): Page {
  const { fileName: leaseFile, sizeBytes, traits } = found.file;
  if (traits?.encrypted)
    return encryptedPage(visitor, { sizeBytes, introduction: found.introduction, leaseFile });
  return found.shownType
    ? shownFilePage(visitor, found.file, found.shownType)
    : filesPage(visitor, found, Number(PAGE.exec(request.url ?? '')?.[1] ?? 1));
}

/** Returns the response to a request that continues a download. */
function toResponseOf(resumption: Resumption, leaseToken: string, context: ResponseContext): VisitResponse {
  switch (resumption.kind) {
    case 'PART': {
      const { part, sizeBytes, isWhole } = resumption;
      const { firstByte, lengthBytes, file } = part;
      const headers = toFileHeaders(resumption, leaseToken, lengthBytes);
      const range = ['content-range', `bytes ${firstByte}-${firstByte + lengthBytes - 1}/${sizeBytes}`];
      const sent = { headers: isWhole ? headers : [...headers, ...range], body: file };
      return { status: isWhole ? 200 : 206, ...sent };
    }
    case 'LIST':
      return toPageResponse(200, context, (visitor) => toFilesPage(visitor, resumption, context.request));
    case 'NOT_SATISFIABLE': {
      const error = ERRORS.rangeNotSatisfiable();
      const range = ['content-range', `bytes */${resumption.sizeBytes}`];
      return toErrorResponse(error, pathOf(context.request), context.clock(), [...range, ...NO_STORE]);
    }
    case 'LEASE_DENIED':
      return toFailure(LEASE_DENIALS[resumption.denial](), context);
    case 'DENIED':
      return toResponse(resumption, context);
  }
}
