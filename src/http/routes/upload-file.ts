import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Parts } from '../../app.ts';
import type { ReceivedFile } from '../../links/receive-file.ts';
import { parseUploadFields } from '../../links/rules/creation.ts';
import { cleanFileName } from '../../links/rules/file-name.ts';
import { ERRORS } from '../errors.ts';
import { CreatedLink, errorResponses, UploadForm } from '../schemas.ts';
import { toSizeText } from '../size-text.ts';
import { refuseContentEncoding, refuseOtherContentTypes } from './accepted-bodies.ts';
import { toCreatedLink } from './created-link.ts';

/** Far above what a date, a number and a password of 8 KiB need. */
const FORM_LIMITS = { fields: 100, parts: 200, fieldSize: 64 * 1024, fieldNameSize: 200, headerPairs: 100 };

/** POST /api/links/upload */
export function uploadFileRoute(app: FastifyInstance, parts: Parts): void {
  app.register(multipart, { throwFileSizeLimit: false, limits: { ...FORM_LIMITS, fileSize: Infinity } });
  refuseOtherContentTypes(app, 'multipart/form-data');
  app.post(
    '/api/links/upload',
    {
      bodyLimit: Number.MAX_SAFE_INTEGER, // the form's reader counts, and answers in the contract's words
      onRequest: refuseContentEncoding,
      schema: {
        tags: ['Links'],
        summary: 'Create a link to an uploaded file',
        consumes: ['multipart/form-data'],
        body: UploadForm,
        response: { 201: CreatedLink, ...errorResponses(400, 413, 415, 500) },
      },
    },
    async (request, reply) => {
      const form = await readForm(request, parts);
      try {
        const parsed = parseUploadFields(form.fields, parts.clock());
        if (!parsed.ok) throw ERRORS.invalidField(parsed.fault);
        const target = { type: 'DOWNLOAD', file: { ...form.received, fileName: form.fileName } } as const;
        const link = await parts.createLink(request.id, target, parsed.value);
        return reply.code(201).send(toCreatedLink(link, parsed.value.expiresAtText, parts.baseUrl));
      } catch (error) {
        await parts.discardFile(form.received.fileId);
        throw error;
      }
    },
  );
}

type Form = { received: ReceivedFile; fileName: string; fields: Record<string, string> };

/** Reads a form to its end, its parts in any order; when it is refused, nothing of its file is left. */
async function readForm(request: FastifyRequest, parts: Parts): Promise<Form> {
  if (!request.isMultipart()) throw ERRORS.malformedMultipart();
  const limit = sizeLimit(request, parts);
  const fields: Record<string, string> = {};
  let received: ReceivedFile | undefined;
  let fileName = '';
  try {
    for await (const part of readable(request.parts())) {
      if (part.type === 'field') {
        if (Object.hasOwn(fields, part.fieldname))
          throw ERRORS.invalidField({ field: part.fieldname, text: ONCE });
        fields[part.fieldname] = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
      } else if (part.fieldname !== 'file') {
        for await (const _ of limit(part.file));
      } else {
        if (received) throw ERRORS.invalidField({ field: 'file', text: ONCE });
        // A quote is written so in a form (HTML, "multipart/form-data encoding algorithm").
        fileName = cleanFileName(part.filename.replaceAll('%22', '"'));
        received = await parts.receiveFile(limit(part.file));
      }
    }
    if (!received) throw ERRORS.invalidField({ field: 'file', text: 'must not be null' });
    if (received.sizeBytes === 0) throw ERRORS.invalidField({ field: 'file', text: 'must not be empty' });
    return { received, fileName, fields };
  } catch (error) {
    if (received) await parts.discardFile(received.fileId);
    throw error;
  }
}
const ONCE = 'must be given only once';

/** What breaks while a form is read is the client's form or line, not the service. */
async function* readable<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source;
  } catch {
    throw ERRORS.malformedMultipart();
  }
}

/** Passes bytes on until a file, or all parts of the request together, are over their limit. */
function sizeLimit(request: FastifyRequest, { maxFileBytes, maxRequestBytes }: Parts) {
  const tooLarge = () => ERRORS.fileTooLarge(toSizeText(Math.min(maxFileBytes, maxRequestBytes)));
  if (Number(request.headers['content-length'] ?? 0) > maxRequestBytes) throw tooLarge();
  let requestBytes = 0;
  return async function* limited(bytes: AsyncIterable<Uint8Array>) {
    let fileBytes = 0;
    for await (const chunk of readable(bytes)) {
      fileBytes += chunk.length;
      requestBytes += chunk.length;
      if (fileBytes > maxFileBytes || requestBytes > maxRequestBytes) throw tooLarge();
      yield chunk;
    }
  };
}
