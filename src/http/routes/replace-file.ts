import type { FastifyInstance } from 'fastify';
import { decideChange } from '../../links/decide-change.ts';
import type { StoredFile } from '../../links/link.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { limitUnknownCodes, prepareLimitChanges } from '../limit-requests.ts';
import { ChangeHeaders, errorResponses, FileForm, LinkDescription, ShortCodeParams } from '../schemas.ts';
import { refuseContentEncoding } from './accepted-bodies.ts';
import { readVersions, requireLink, sendChangedLink } from './change-link.ts';
import { acceptUploads, receiveForm, UPLOAD_ROUTE } from './upload-file.ts';

const SCHEMA = {
  tags: ['Links'],
  consumes: ['multipart/form-data'],
  summary: 'Replace the file of a link',
  description:
    'The link keeps its address, its terms and its views. Visitors get the new file from now on; downloads that have ' +
    'begun end with the old one. The history has the name, the size and the SHA-256 of both.',
  params: ShortCodeParams,
  headers: ChangeHeaders,
  body: FileForm,
  response: {
    200: LinkDescription,
    ...errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503, 507),
  },
};

/** Any file, to decide before the upload is read whether the link can get one. */
const ANY_FILE: StoredFile = { fileId: '', fileName: '', sizeBytes: 0, sha256: '' };

/** PUT /api/links/{shortCode}/file */
export function replaceFileRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const untilStopped = acceptUploads(app);
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  const limits = [prepareLimitChanges(deps), prepareLimitChanges(deps, 'uploads')];
  app.put<{ Params: { shortCode: string } }>(
    '/api/links/:shortCode/file',
    {
      ...UPLOAD_ROUTE,
      schema: SCHEMA,
      config: { access: { needs: 'manage', ofLink: true, alsoWhenOpen: true, port: 'public' } },
      onRequest: [refuseContentEncoding, refuseBlocked, ...limits],
    },
    async (request, reply) => {
      const { shortCode } = request.params;
      const versions = readVersions(request.headers['if-match']);
      const asked = { patch: { file: ANY_FILE }, versions };
      const expected = decideChange(await deps.readLink(shortCode), asked, deps.clock());
      if (expected.result === 'not-found') return countUnknown(request);
      if (expected.result !== 'changed') requireLink(expected);
      const form = { schema: FileForm, fieldNames: [] };
      const replacing = receiveForm({ request, reply, deps }, form, async ({ file }) => {
        const { fileId = '', ...facts } = file;
        const requested = { patch: { file: { fileId, ...facts } }, versions };
        const client = clientStateOf(reply.raw);
        const result = await deps.changeLink(request.id, shortCode, requested, request.author, client);
        return { result, isKept: result.result === 'changed' };
      });
      const result = await untilStopped(replacing);
      if (result.result === 'not-found') return countUnknown(request);
      return sendChangedLink(request, reply, deps, requireLink(result));
    },
  );
}
