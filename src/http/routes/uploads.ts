import { Buffer } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ResumableUpload } from '../../core/model/resumable-upload.ts';
import { cleanFileName } from '../../core/rules/file-name.ts';
import { type AnnouncedUpload, EMPTY_UPLOAD, parseFileList } from '../../core/rules/uploads.ts';
import { UPLOAD_KEPT_MS } from '../../core/use-cases/files/sweep-uploads.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, invalidField, requireValid } from '../errors.ts';
import { prepareLimitChanges } from '../limit-requests.ts';
import { decodeName } from '../part-names.ts';
import { pathOf } from '../path.ts';
import { ignoreBody, readBody, toSizeText } from '../read-body.ts';
import { type ReceivedBytes, receiveBytes } from '../receive-bytes.ts';
import type { RouteAccess } from '../route-access.ts';
import { errorResponses, listOf, optionalText, text, titled } from '../schemas.ts';
import { TUS_VERSION } from '../upload-errors.ts';
import { refuseContentEncoding, refuseOtherContentTypes, requireJsonObject } from './accepted-bodies.ts';
import { uploadErrorOf, uploadOwnerOf } from './received-upload.ts';
import { prepareUntilStopped } from './upload-file.ts';

// tus 1.0 (https://tus.io/protocols/resumable-upload) with the extensions creation, termination and expiration, and a
// creation of our own for a set of files. Sentences in quotation marks here are those of the protocol.

const BYTES = 'application/offset+octet-stream';
const EXTENSIONS = 'creation,termination,expiration';

/** A list of 10,000 files whose names have 100 bytes. It is kept until the upload has its link. */
const MAX_LIST_BYTES = 1.5 * 1024 ** 2;

export const CHUNK_DESCRIPTION =
  'The largest body of one PATCH that proxies in front of the service need to pass on';

/** What a request may upload. Its uploads belong to `owner`, and no other request can use them. */
export type UploadAdmission = {
  owner: string;
  maxFileBytes: number;
  maxFiles: number;
  /** All its uploads together; null without a limit. */
  roomBytes: number | null;
};

/** Where uploads are served. */
export type UploadMount = {
  path: string;
  access: RouteAccess;
  /** Returns what a request may upload, before anything else of it is looked at. Throws to refuse it. */
  admit: (request: FastifyRequest) => Promise<UploadAdmission> | UploadAdmission;
};

/** /api/uploads, for links that their sender creates */
export function uploadRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  const { maxFileBytes, maxUploadFiles: maxFiles } = deps;
  mountUploads(app, deps, {
    path: '/api/uploads',
    access: { needs: 'create', port: 'public' },
    admit: (request) => ({ owner: uploadOwnerOf(request), maxFileBytes, maxFiles, roomBytes: null }),
  });
}

/** Adds the routes of uploads at a path, in two scopes: only a PATCH and a list of files have a body. */
export function mountUploads(app: FastifyInstance, deps: HttpDependencies, mount: UploadMount): void {
  for (const addRoutes of [beginRoute, continueRoute, otherRoutes])
    app.register((scope, _, done) => {
      scope.addHook('onRequest', (request, reply, next) => {
        reply.header('tus-resumable', TUS_VERSION);
        next(hasOtherVersion(request) ? ERRORS.tusVersionRequired() : undefined);
      });
      addRoutes(scope, deps, mount);
      done();
    });
}

/** "The Tus-Resumable header MUST be included in every request and response except for OPTIONS requests." */
function hasOtherVersion({ method, headers }: FastifyRequest): boolean {
  const isListOfFiles = method === 'POST' && headers['content-type'] !== undefined;
  return method !== 'OPTIONS' && !isListOfFiles && headers['tus-resumable'] !== TUS_VERSION;
}

/** Returns the schema of the parameters of a path, which may be below that of a link. */
const paramsOf = (path: string) =>
  Type.Object(
    Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, Type.String()])),
  );
type UploadRequest = { Params: { uploadId: string } };
const TUS_HEADERS = {
  'Upload-Expires': {
    type: 'string',
    description: 'When it is removed, unless it is continued or gets a link',
  },
  'Upload-Offset': { type: 'integer', description: 'So many bytes have arrived, and are durable' },
} as const;
const schemaOf = (summary: string, rest: object) => ({ tags: ['Uploads'], summary, ...rest });

const AnnouncedFiles = titled('AnnouncedFiles', {
  files: listOf('AnnouncedFile', {
    fileName: text('The name, which may have folders: docs/report.pdf'),
    sizeBytes: Type.Integer({ minimum: 0 }),
  }),
});

/** POST: begins an upload */
function beginRoute(
  app: FastifyInstance,
  deps: HttpDependencies,
  { path, access, admit }: UploadMount,
): void {
  const { resumeUploads, uploadChunkBytes: chunkBytes } = deps;
  app.addContentTypeParser('application/json', (_, __, done) => done(null));
  refuseOtherContentTypes(app, 'application/json');
  app.post(
    path,
    {
      bodyLimit: Number.MAX_SAFE_INTEGER, // the handler enforces the limit
      config: { access },
      onRequest: [refuseContentEncoding, prepareLimitChanges(deps, 'uploads')],
      schema: schemaOf('Begin an upload that can be resumed', {
        description: BEGIN_DESCRIPTION,
        params: paramsOf(path),
        headers: Type.Object({
          'Upload-Length': Type.Optional(Type.Integer({ minimum: 1, description: 'The size of the file' })),
          'Upload-Metadata': optionalText('`filename` and its base64, as tus defines it'),
        }),
        body: Type.Optional(AnnouncedFiles),
        response: {
          201: {
            ...titled('Upload', {
              uploadId: Type.String(),
              chunkBytes: Type.Integer({ description: CHUNK_DESCRIPTION }),
            }),
            description: 'The upload',
            headers: {
              Location: { type: 'string', description: 'Its address' },
              'Upload-Expires': TUS_HEADERS['Upload-Expires'],
            },
          },
          ...errorResponses(400, 401, 403, 404, 410, 412, 413, 415, 429, 500, 503, 507),
        },
      }),
    },
    async (request, reply) => {
      const { owner, maxFileBytes, maxFiles } = await admit(request);
      const isList = request.headers['content-type'] !== undefined;
      const list = isList ? requireJsonObject(await readBody(request.raw, MAX_LIST_BYTES)) : undefined;
      const upload = list ? requireValid(parseFileList(list, maxFiles)) : readAnnouncement(request);
      if (upload.sizeBytes > maxFileBytes) throw ERRORS.fileTooLarge(toSizeText(maxFileBytes));
      const uploadId = await resumeUploads.begin({ owner, ...upload });
      return expireAfter(reply, deps.clock())
        .code(201)
        .header('location', `${pathOf({ url: request.originalUrl })}/${uploadId}`)
        .send({ uploadId, chunkBytes });
    },
  );
}

function readAnnouncement({ headers }: FastifyRequest): AnnouncedUpload {
  const sizeBytes = readCount(headers['upload-length']);
  if (sizeBytes === undefined) throw ERRORS.malformedUpload('send the size of the file in Upload-Length');
  if (sizeBytes === 0) throw invalidField(EMPTY_UPLOAD);
  // "The Upload-Metadata request and response header MUST consist of one or more comma-separated key-value pairs."
  const metadata = headers['upload-metadata']?.toString() ?? null;
  const pairs = (metadata ?? '').split(',').map((pair) => pair.trim().split(' '));
  const [, encoded] = pairs.find(([key]) => key === 'filename') ?? [];
  const fileName = cleanFileName(encoded && decodeName(Buffer.from(encoded, 'base64')));
  return { fileName, sizeBytes, files: null, metadata };
}

/** Returns the number of a header: "The value MUST be a non-negative integer." */
function readCount(text: unknown): number | undefined {
  const isCount = typeof text === 'string' && /^\d{1,16}$/.test(text);
  return isCount && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}

/** PATCH: adds bytes to an upload */
function continueRoute(app: FastifyInstance, deps: HttpDependencies, mount: UploadMount): void {
  const untilStopped = prepareUntilStopped(app);
  const add = prepareAdd(deps);
  app.addContentTypeParser(BYTES, (_, __, done) => done(null));
  refuseOtherContentTypes(app, BYTES);
  app.patch<UploadRequest>(
    `${mount.path}/:uploadId`,
    {
      bodyLimit: Number.MAX_SAFE_INTEGER, // the handler enforces the limits
      config: { access: mount.access },
      onRequest: refuseContentEncoding,
      schema: schemaOf('Add bytes to an upload', {
        description:
          'What arrived before the line broke counts: HEAD returns from where to continue, at any instance. Proxies may refuse ' +
          'bodies that are larger than `upload.chunkBytes` of the settings.',
        consumes: [BYTES],
        params: paramsOf(`${mount.path}/:uploadId`),
        headers: Type.Object({
          'Tus-Resumable': Type.Literal(TUS_VERSION),
          'Upload-Offset': Type.Integer({ minimum: 0, description: 'How many bytes precede these' }),
        }),
        response: {
          204: { type: 'null', description: 'The bytes are durable', headers: TUS_HEADERS },
          ...errorResponses(400, 401, 403, 404, 409, 410, 412, 415, 423, 500, 503, 507),
        },
      }),
    },
    async (request, reply) => {
      const { offsetBytes, activeAt } = await untilStopped(add(request, await mount.admit(request)));
      return expireAfter(reply, activeAt).code(204).header('upload-offset', offsetBytes).send();
    },
  );
}

/** Prepares adding the body of a request to an upload. */
function prepareAdd({ resumeUploads }: HttpDependencies) {
  return async (request: FastifyRequest<UploadRequest>, { owner, roomBytes }: UploadAdmission) => {
    const { raw, headers, params } = request;
    const fromBytes = readCount(headers['upload-offset']);
    if (fromBytes === undefined)
      throw ERRORS.malformedUpload('send the number of bytes before these in Upload-Offset');
    const announcedBytes = Number(headers['content-length'] ?? 0);
    let received: ReceivedBytes | undefined;
    const open = ({ sizeBytes, offsetBytes }: ResumableUpload, signal: AbortSignal) => {
      const maxBytes = sizeBytes - offsetBytes;
      if (announcedBytes > maxBytes) throw tooLong();
      received = receiveBytes(raw, { maxBytes, toError: tooLong, signal });
      return received.bytes;
    };
    try {
      const asked = { fileId: params.uploadId, owner, fromBytes, announcedBytes, roomBytes, open };
      const added = await resumeUploads.add(asked);
      if (added.kind !== 'ADDED') throw uploadErrorOf(added);
      const failure = received?.failure();
      if (failure) throw failure;
      return added;
    } finally {
      received?.discard();
    }
  };
}

const tooLong = () => ERRORS.malformedUpload('the body must not be longer than the rest of the upload');

/** HEAD: returns how much of an upload has arrived. DELETE: removes it. OPTIONS: describes the protocol */
function otherRoutes(
  app: FastifyInstance,
  deps: HttpDependencies,
  { path, access, admit }: UploadMount,
): void {
  const { resumeUploads, maxFileBytes } = deps;
  ignoreBody(app);
  const config = { access, swagger: { exposeHeadRoute: true } };
  const headers = Type.Object({ 'Tus-Resumable': Type.Literal(TUS_VERSION) });
  const errors = errorResponses(401, 403, 404, 412, 423, 500, 503);
  const found = {
    type: 'null',
    description: 'The upload: `Upload-Offset` of its `Upload-Length` bytes have arrived',
    headers: { ...TUS_HEADERS, 'Upload-Length': { type: 'integer', description: 'The size of the file' } },
  };
  const ofUpload = { params: paramsOf(`${path}/:uploadId`), headers };
  const read = { ...ofUpload, response: { 200: found, ...errors } };
  const find = schemaOf('Read how much of an upload has arrived', read);
  app.head<UploadRequest>(`${path}/:uploadId`, { config, schema: find }, async (request, reply) => {
    const { owner } = await admit(request);
    const result = await resumeUploads.find({ fileId: request.params.uploadId, owner });
    if (result.kind !== 'FOUND') throw uploadErrorOf(result);
    const { offsetBytes, sizeBytes, fileName, activeAt } = result.upload;
    // "If an upload contains additional metadata, responses to HEAD requests MUST include the Upload-Metadata header and its
    // value as specified by the Client during the creation."
    const metadata = result.upload.metadata ?? `filename ${Buffer.from(fileName).toString('base64')}`;
    const facts = { 'upload-offset': offsetBytes, 'upload-length': sizeBytes, 'upload-metadata': metadata };
    // "The Server MUST prevent the client and/or proxies from caching the response"
    return expireAfter(reply, activeAt)
      .headers({ 'cache-control': 'no-store', ...facts })
      .send();
  });
  const removed = { 204: { type: 'null', description: 'It is removed' }, ...errors };
  const remove = schemaOf('Remove an upload', { ...ofUpload, response: removed });
  app.delete<UploadRequest>(`${path}/:uploadId`, { config, schema: remove }, async (request, reply) => {
    const { owner } = await admit(request);
    const result = await resumeUploads.remove({ fileId: request.params.uploadId, owner });
    if (result.kind !== 'REMOVED') throw uploadErrorOf(result);
    return reply.code(204).send();
  });
  const open = { ...access, needs: 'nothing' } as const;
  app.options(path, { config: { access: open }, schema: { hide: true } }, (_, reply) =>
    reply
      .code(204)
      .headers({
        ...{ allow: 'OPTIONS, POST', 'tus-version': TUS_VERSION },
        ...{ 'tus-extension': EXTENSIONS, 'tus-max-size': maxFileBytes },
      })
      .send(),
  );
}

function expireAfter(reply: FastifyReply, activeAt: number): FastifyReply {
  return reply.header('upload-expires', new Date(activeAt + UPLOAD_KEPT_MS).toUTCString());
}

const BEGIN_DESCRIPTION =
  'tus 1.0, for which there are clients in most languages; or, with JSON, several files of one link. Send the bytes with ' +
  'PATCH to the Location, and create the link with its `uploadId` at POST /api/links. A sender of a file request submits the ' +
  '`uploadId` at POST /l/{shortCode} or /api/links/{shortCode}/submissions instead. An upload that is not continued for a day is removed.';
