import { Buffer } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { accept } from '../../core/model/parsed.ts';
import type { ResumableUpload } from '../../core/model/resumable-upload.ts';
import { cleanFileName } from '../../core/rules/file-name.ts';
import { type AnnouncedUpload, EMPTY_UPLOAD, parseFileList } from '../../core/rules/uploads.ts';
import { UPLOAD_KEPT_MS } from '../../core/use-cases/files/sweep-uploads.ts';
import { acceptUnread, requireJsonObject } from '../accepted-bodies.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint, rawEndpoint } from '../endpoint.ts';
import { ERRORS, invalidField, requireValid } from '../errors.ts';
import { prepareLimitChanges } from '../limit-requests.ts';
import { decodeName } from '../part-names.ts';
import { pathOf } from '../path.ts';
import { readBody, toSizeText } from '../read-body.ts';
import { type ReceivedBytes, receiveBytes } from '../receive-bytes.ts';
import { prepareTakeFiles } from '../receive-form.ts';
import type { RouteAccess } from '../route-access.ts';
import { listOf, optionalText, text, titled } from '../schemas.ts';
import { findIgnored, nameIgnored, namesOf } from '../unknown-fields.ts';
import { TUS_VERSION } from '../upload-errors.ts';
import { uploadErrorOf, uploadOwnerOf } from './received-upload.ts';

// tus 1.0 (https://tus.io/protocols/resumable-upload) with the extensions creation, termination and expiration, and a
// creation of our own for a set of files. Sentences in quotation marks here are those of the protocol.

const BYTES = 'application/offset+octet-stream';
const EXTENSIONS = 'creation,termination,expiration';

/** A list of 10,000 files whose names have 100 bytes. It is kept until the upload has its link. */
const MAX_LIST_BYTES = 1.5 * 1024 ** 2;

export const CHUNK_DESCRIPTION =
  'The largest body of one PATCH that proxies in front of the service need to pass on';

/** The rights of a request to upload. Its uploads belong to `owner`, and no other request can use them. */
export type UploadAdmission = {
  owner: string;
  /** The owner whose space they take. */
  quotaOwner: string;
  maxFileBytes: number;
  maxFiles: number;
  /** All its uploads together; null without a limit. */
  roomBytes: number | null;
};

/** The path of uploads. */
type UploadMount = Pick<RouteAccess, 'needs' | 'anyHost'> & {
  path: '/api/uploads' | '/api/links/:shortCode/uploads';
  /** Returns what a request may upload, before anything else of it is looked at. Throws to refuse it. */
  admit: (request: FastifyRequest) => Promise<UploadAdmission> | UploadAdmission;
  /** The statuses with which `admit` refuses any request, and further ones of POST and of PATCH. */
  refusals: { any: readonly number[]; post: readonly number[]; patch: readonly number[] };
};

/** The endpoints of uploads for links that their sender creates. */
export function uploadEndpoints(deps: HttpDependencies): Endpoint[] {
  const { maxFileBytes, maxFiles } = deps.config.uploads;
  return endpointsOfUploads(deps, {
    ...{ path: '/api/uploads', needs: 'create' },
    admit(request) {
      const owner = uploadOwnerOf(request);
      return { owner, quotaOwner: owner, maxFileBytes, maxFiles, roomBytes: null };
    },
    refusals: { any: [], post: [], patch: [] },
  });
}

/** Returns the endpoints of uploads at a path. Only a PATCH and a list of files have a body. */
export function endpointsOfUploads(deps: HttpDependencies, mount: UploadMount): Endpoint[] {
  const ofUploads: OfUploads = { ...mount, tag: 'Uploads', port: 'public' };
  return [beginUpload, continueUpload, findUpload, removeUpload, describeProtocol].map((define) =>
    define(deps, ofUploads),
  );
}

type OfUploads = UploadMount & { tag: string; port: 'public' };

/** "The Tus-Resumable header MUST be included in every request and response except for OPTIONS requests." */
const requireVersion: onRequestAsyncHookHandler = async ({ method, headers }, reply) => {
  reply.header('tus-resumable', TUS_VERSION);
  const isListOfFiles = method === 'POST' && headers['content-type'] !== undefined;
  if (method !== 'OPTIONS' && !isListOfFiles && headers['tus-resumable'] !== TUS_VERSION)
    throw ERRORS.tusVersionRequired();
};

/** Accepts bodies of a type. Errors of these have the version, too. */
function receiveOnly(scope: FastifyInstance, type: string): void {
  scope.addHook('onRequest', requireVersion);
  acceptUnread(scope, type);
}

const TusVersion = { 'Tus-Resumable': Type.Literal(TUS_VERSION) };
const TUS_HEADERS = {
  'Upload-Expires': {
    type: 'string',
    description: 'When it is removed at the latest, unless it is continued or gets a link',
  },
  'Upload-Offset': { type: 'integer', description: 'So many bytes have arrived, and are durable' },
} as const;
const BegunUpload = {
  ...titled('Upload', {
    uploadId: Type.String(),
    chunkBytes: Type.Integer({ description: CHUNK_DESCRIPTION }),
  }),
  description: 'The upload',
  headers: {
    Location: { type: 'string', description: 'Its address' },
    'Upload-Expires': TUS_HEADERS['Upload-Expires'],
  },
};

const AnnouncedFiles = titled('AnnouncedFiles', {
  files: listOf('AnnouncedFile', {
    fileName: text('The name, which may have folders: docs/report.pdf'),
    sizeBytes: Type.Integer({ minimum: 0 }),
  }),
});

const LIST_MEMBERS = namesOf(AnnouncedFiles);
const FILE_MEMBERS = namesOf(AnnouncedFiles.properties.files.items);

/** Refuses near misses of the members of a list of files, and names the other unknown ones. */
function checkNames(list: Record<string, unknown>, reply: FastifyReply): void {
  const files: unknown[] = Array.isArray(list['files']) ? list['files'] : [];
  const ofFiles = files.flatMap((file) => (typeof file === 'object' && file ? Object.keys(file) : []));
  nameIgnored(reply, requireValid(findIgnored(Object.keys(list), LIST_MEMBERS)));
  nameIgnored(reply, requireValid(findIgnored(new Set(ofFiles), FILE_MEMBERS)));
}

function beginUpload(deps: HttpDependencies, { path, admit, refusals, ...ofUploads }: OfUploads): Endpoint {
  const { resumeUploads } = deps.useCases;
  const { chunkBytes } = deps.config.uploads;
  return endpoint(`POST ${path}` as const, 'Begin an upload that can be resumed', {
    ...ofUploads,
    description: BEGIN_DESCRIPTION,
    headers: {
      'Upload-Length': Type.Optional(Type.Integer({ minimum: 1, description: 'The size of the file' })),
      'Upload-Metadata': optionalText('`filename` and its base64, as tus defines it'),
    },
    takes: {
      schema: Type.Optional(AnnouncedFiles),
      receive: (scope) => receiveOnly(scope, 'application/json'),
    },
    before: [prepareLimitChanges(deps, 'uploads')],
    sends: BegunUpload,
    status: 201,
    fails: [...refusals.any, ...refusals.post, 412, 429, 507],
    async run({ request, reply }) {
      const { owner, quotaOwner, maxFileBytes, maxFiles } = await admit(request);
      const isList = request.headers['content-type'] !== undefined;
      const list = isList ? requireJsonObject(await readBody(request.raw, MAX_LIST_BYTES)) : undefined;
      if (list) checkNames(list, reply);
      const upload = list ? requireValid(parseFileList(list, maxFiles)) : readAnnouncement(request);
      if (upload.sizeBytes > maxFileBytes) throw ERRORS.fileTooLarge(toSizeText(maxFileBytes));
      return accept({ uploadId: await resumeUploads.begin({ owner, ...upload }, quotaOwner), chunkBytes });
    },
    show(begun, { request, reply }) {
      expireAfter(reply, deps.clock());
      reply.header('location', `${pathOf({ url: request.originalUrl })}/${begun.uploadId}`);
      return begun;
    },
  });
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

function continueUpload(
  deps: HttpDependencies,
  { path, admit, refusals, ...ofUploads }: OfUploads,
): Endpoint {
  const { receive, untilStopped } = prepareTakeFiles(BYTES);
  const add = prepareAdd(deps);
  return rawEndpoint(`PATCH ${path}/:uploadId` as const, 'Add bytes to an upload', {
    ...ofUploads,
    description:
      'What arrived before the line broke counts: HEAD returns from where to continue, at any instance. Proxies may refuse ' +
      'bodies that are larger than `upload.chunkBytes` of the settings.',
    headers: {
      ...TusVersion,
      'Upload-Offset': Type.Integer({ minimum: 0, description: 'How many bytes precede these' }),
    },
    takes: {
      types: [BYTES],
      receive(scope) {
        scope.addHook('onRequest', requireVersion);
        receive(scope);
      },
    },
    sends: { 204: { type: 'null', description: 'The bytes are durable', headers: TUS_HEADERS } },
    fails: [...refusals.any, ...refusals.patch, ...OF_UPLOAD, 409, 507],
    async respond({ path: { uploadId: fileId }, request, reply }) {
      const adding = async () => add(request, fileId, await admit(request));
      const { offsetBytes, activeAt } = await untilStopped(adding());
      return expireAfter(reply, activeAt).code(204).header('upload-offset', offsetBytes).send();
    },
  });
}

/** Prepares adding the body of a request to an upload. */
function prepareAdd({ useCases: { resumeUploads } }: HttpDependencies) {
  return async ({ raw, headers }: FastifyRequest, fileId: string, { owner, roomBytes }: UploadAdmission) => {
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
      const asked = { fileId, owner, fromBytes, announcedBytes, roomBytes, open };
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

/** The statuses of errors about an upload. */
const OF_UPLOAD = [404, 412, 423];

function findUpload(
  { useCases: { resumeUploads } }: HttpDependencies,
  { path, admit, refusals, ...ofUploads }: OfUploads,
): Endpoint {
  const found = {
    type: 'null',
    description: 'The upload: `Upload-Offset` of its `Upload-Length` bytes have arrived',
    headers: { ...TUS_HEADERS, 'Upload-Length': { type: 'integer', description: 'The size of the file' } },
  };
  return rawEndpoint(`HEAD ${path}/:uploadId` as const, 'Read how much of an upload has arrived', {
    ...ofUploads,
    ...{ headers: TusVersion, before: [requireVersion], sends: { 200: found } },
    fails: [...refusals.any, ...OF_UPLOAD],
    async respond({ path: { uploadId: fileId }, request, reply }) {
      const { owner } = await admit(request);
      const result = await resumeUploads.find({ fileId, owner });
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
    },
  });
}

function removeUpload(
  { useCases: { resumeUploads } }: HttpDependencies,
  { path, admit, refusals, ...ofUploads }: OfUploads,
): Endpoint {
  return endpoint(`DELETE ${path}/:uploadId` as const, 'Remove an upload', {
    ...ofUploads,
    ...{ headers: TusVersion, before: [requireVersion], fails: [...refusals.any, ...OF_UPLOAD] },
    async run({ path: { uploadId: fileId }, request }) {
      const { owner } = await admit(request);
      const result = await resumeUploads.remove({ fileId, owner });
      if (result.kind !== 'REMOVED') throw uploadErrorOf(result);
      return accept(undefined);
    },
  });
}

function describeProtocol(
  {
    config: {
      uploads: { maxFileBytes },
    },
  }: HttpDependencies,
  { path, ...ofUploads }: OfUploads,
): Endpoint {
  return rawEndpoint(`OPTIONS ${path}` as const, 'Describe the protocol', {
    ...ofUploads,
    ...{ needs: 'nothing', isHidden: true, before: [requireVersion], sends: {} },
    respond: async ({ reply }) =>
      reply
        .code(204)
        .headers({
          ...{ allow: 'OPTIONS, POST', 'tus-version': TUS_VERSION },
          ...{ 'tus-extension': EXTENSIONS, 'tus-max-size': maxFileBytes },
        })
        .send(),
  });
}

function expireAfter(reply: FastifyReply, activeAt: number): FastifyReply {
  return reply.header('upload-expires', new Date(activeAt + UPLOAD_KEPT_MS).toUTCString());
}

const BEGIN_DESCRIPTION =
  'tus 1.0, for which there are clients in most languages; or, with JSON, several files of one link. Send the bytes with ' +
  'PATCH to the Location, and create the link with its `uploadId` at POST /api/links. A sender of a file request submits the ' +
  '`uploadId` at POST /l/{shortCode} or /api/links/{shortCode}/submissions instead. An upload that is not continued for a day is removed.';
