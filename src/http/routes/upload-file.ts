import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Departure } from '../../links/ports.ts';
import type { ReceivedFile } from '../../links/receive-file.ts';
import { parseUploadFields, UPLOAD_FIELDS } from '../../links/rules/creation.ts';
import { cleanFileName } from '../../links/rules/file-name.ts';
import { duplicateField } from '../../links/rules/parsed.ts';
import { watchDeparture } from '../departure.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { limitRequests } from '../limit-requests.ts';
import type { Parts } from '../parts.ts';
import { readForm } from '../read-form.ts';
import { errorResponses, LinkCreated, UploadForm } from '../schemas.ts';
import { refuseContentEncoding, refuseOtherContentTypes } from './accepted-bodies.ts';
import { sendCreatedLink, withLanguage } from './created-link.ts';

/** POST /api/links/upload */
export function uploadFileRoute(app: FastifyInstance, parts: Parts): void {
  app.addContentTypeParser('multipart/form-data', (_, __, done) => done(null)); // read by the handler
  refuseOtherContentTypes(app, 'multipart/form-data');
  // A stop that cuts off an upload waits until its file is removed.
  const pending = new Set<Promise<unknown>>();
  app.addHook('onClose', async () => {
    await Promise.allSettled(pending);
  });
  app.post(
    '/api/links/upload',
    {
      bodyLimit: Number.MAX_SAFE_INTEGER, // readForm enforces the limits, with the texts of the contract
      config: { access: { needs: 'create', port: 'public' } },
      onRequest: [refuseContentEncoding, limitRequests(parts, parts.limits.limitUploads, 'uploads')],
      schema: {
        tags: ['Links'],
        summary: 'Create a link to an uploaded file',
        consumes: ['multipart/form-data'],
        body: UploadForm,
        response: { 201: LinkCreated, ...errorResponses(400, 401, 403, 409, 413, 415, 429, 500, 503, 507) },
      },
    },
    async (request, reply) => {
      const creating = createFromUpload(request, parts, watchDeparture(reply.raw));
      pending.add(creating);
      try {
        const { created, wanted } = await creating;
        return sendCreatedLink(reply, created, { sent: wanted, parts });
      } finally {
        pending.delete(creating);
      }
    },
  );
}

/** Reads a form with a file, and creates its link. When either fails, the file is removed. */
async function createFromUpload(request: FastifyRequest, parts: Parts, client: Departure) {
  const { maxRequestBytes: maxBytes, maxFileBytes } = parts;
  let fileName: string | undefined;
  let received: ReceivedFile | undefined;

  async function receivePart(name: string, sentName: string | undefined, bytes: Readable): Promise<void> {
    if (name !== 'file') {
      await finished(bytes.resume());
      return;
    }
    if (fileName !== undefined) throw ERRORS.invalidField(duplicateField('file'));
    // Browsers encode a quote (HTML, "multipart/form-data encoding algorithm").
    fileName = cleanFileName(sentName?.replaceAll('%22', '"'));
    received = await parts.receiveFile(bytes);
  }

  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  const space = await parts.uploadSpace.reserve(announcedBytes);
  if (!space) throw ERRORS.storageFull();
  const onReceived = (bytes: number) => (space.receive(bytes) ? undefined : ERRORS.storageFull());
  try {
    if (request.raw.destroyed) throw ERRORS.malformedMultipart(); // the client left meanwhile
    const fields = await readForm(request.raw, {
      fieldNames: UPLOAD_FIELDS,
      maxBytes,
      maxFileBytes,
      onReceived,
      receivePart,
    });
    if (!received || fileName === undefined)
      throw ERRORS.invalidField({ field: 'file', code: 'FILE_MISSING', text: 'must not be null' });
    if (received.sizeBytes === 0)
      throw ERRORS.invalidField({ field: 'file', code: 'FILE_EMPTY', text: 'must not be empty' });
    const { linkPolicy, mailPolicy, notifyPolicy } = parts;
    const policy = {
      ...linkPolicy,
      notify: notifyPolicy(request.isAuthorized),
      mail: mailPolicy(request.isAuthorized),
    };
    const wanted = requireValid(parseUploadFields(fields, parts.clock(), policy));
    const target = { type: 'DOWNLOAD', file: { ...received, fileName } } as const;
    const created = await parts.createLink(
      request.id,
      target,
      withLanguage(wanted, request),
      request.author,
      client,
    );
    return { created, wanted };
  } catch (error) {
    if (received) await parts.discardFile(received.fileId);
    throw error;
  } finally {
    space.release();
  }
}
