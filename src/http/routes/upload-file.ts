import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { decideChange } from '../../core/model/decide-change.ts';
import type { Link, StoredFile } from '../../core/model/link.ts';
import { parseUploadFields } from '../../core/rules/creation.ts';
import { toFlag } from '../../core/rules/read-fields.ts';
import { FILE_FLAGS, parseFileFlags, parseWantedFile } from '../../core/rules/uploads.ts';
import type { KeyedRequest } from '../../core/use-cases/create/begin-request.ts';
import { withTraits } from '../../core/use-cases/files/examine-file.ts';
import { digestFile, type SentFile } from '../../core/use-cases/files/receive-file.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { requireValid } from '../errors.ts';
import { createFirst, type OnceResult, prepareSingleCreation } from '../idempotency.ts';
import { limitUnknownCodes, prepareLimitChanges } from '../limit-requests.ts';
import { MAX_JSON_BYTES, readBody } from '../read-body.ts';
import { type Form, readForm } from '../read-form.ts';
import {
  ChangeHeaders,
  errorResponses,
  FileForm,
  IdempotencyHeaders,
  LinkCreated,
  LinkDescription,
  ShortCodeParams,
  UploadForm,
} from '../schemas.ts';
import { findIgnored, nameIgnored, namesOf } from '../unknown-fields.ts';
import { refuseContentEncoding, refuseOtherContentTypes, requireJsonObject } from './accepted-bodies.ts';
import { readVersions, requireLink } from './change-link.ts';
import { createTo, sendCreatedLink, termsPolicyOf } from './create-link.ts';
import { sendDescription } from './describe-link.ts';
import { receiveUpload, uploadOwnerOf } from './received-upload.ts';

/** POST /api/links/upload */
export function uploadFileRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const untilStopped = acceptUploads(app);
  const creation = prepareSingleCreation(deps, 'uploads');
  app.post(
    '/api/links/upload',
    {
      ...UPLOAD_ROUTE,
      config: { access: { needs: 'create', port: 'public' } },
      onRequest: [refuseContentEncoding, creation.onRequest],
      schema: {
        tags: ['Links'],
        summary: 'Create a link to an uploaded file',
        consumes: ['multipart/form-data'],
        headers: IdempotencyHeaders,
        body: UploadForm,
        response: {
          201: LinkCreated,
          ...errorResponses(400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 507),
        },
      },
    },
    async (request, reply) => {
      const creating = creation.run(request, (started) => createFromUpload(request, reply, deps, started));
      return sendCreatedLink(reply, await untilStopped(creating));
    },
  );
}

export const UPLOAD_ROUTE = { bodyLimit: Number.MAX_SAFE_INTEGER }; // readForm enforces the limits, with the texts of the contract

/**
 * Accepts forms with a file, which the handler reads. Returns a function for what a handler does with one: a stop that
 * cuts off an upload waits until its file is removed.
 */
export function acceptUploads(
  app: FastifyInstance,
  types: string[] = ['multipart/form-data'],
): <T>(work: Promise<T>) => Promise<T> {
  app.addContentTypeParser(types, (_, __, done) => done(null));
  refuseOtherContentTypes(app, 'multipart/form-data');
  return prepareUntilStopped(app);
}

/** Returns a function for what handlers do with uploads: a stop that cuts them off waits until that has ended. */
export function prepareUntilStopped(app: FastifyInstance): <T>(work: Promise<T>) => Promise<T> {
  const pending = new Set<Promise<unknown>>();
  app.addHook('onClose', async () => {
    await Promise.allSettled(pending);
  });
  return (work) => {
    pending.add(work);
    return work.finally(() => pending.delete(work));
  };
}

/** Room for the text fields and the delimiters of a form. */
const REST_OF_FORM_BYTES = 1024 * 1024;

/** A form with files. */
type FormOf = {
  schema: TSchema;
  /** Limits all files together, where that is less than the service allows. */
  maxFileBytes?: number;
  /** Where files are sent that are too large for a form, below the base URL. */
  uploadsPath?: string;
  /** Passes the files of a form on. Throws to refuse it. */
  admit?: (form: Form) => AsyncIterable<SentFile>;
};
type Exchange = { request: FastifyRequest; reply: FastifyReply; deps: HttpDependencies };
type ReceivedForm = { fields: Record<string, string>; file: StoredFile };

/** Returns how larger files can be sent, if they may have more bytes than a form. */
export function remedyOf(
  deps: HttpDependencies,
  {
    maxFileBytes = deps.maxFileBytes,
    uploadsPath = '/api/uploads',
  }: Pick<FormOf, 'maxFileBytes' | 'uploadsPath'>,
): string {
  return Math.min(maxFileBytes, deps.maxFileBytes) > deps.maxFormFileBytes
    ? `; send a larger file in parts, as an upload to ${deps.baseUrl}${uploadsPath}`
    : '';
}

/** Reads a form with files, and uses it. They are one stored file, which is removed unless `use` resolves. */
export function receiveForm<Result>(
  { request, reply, deps }: Exchange,
  form: FormOf,
  use: (form: ReceivedForm) => Promise<Result>,
  receive = deps.receiveFile,
): Promise<Result> {
  const maxFileBytes = Math.min(form.maxFileBytes ?? deps.maxFormFileBytes, deps.maxFormFileBytes);
  const sent = readForm(request.raw, {
    ...{ known: namesOf(form.schema), maxFileBytes, remedy: remedyOf(deps, form) },
    maxBytes: Math.min(deps.maxRequestBytes, maxFileBytes + REST_OF_FORM_BYTES),
  });
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  return receive({ announcedBytes, files: form.admit?.(sent) ?? sent.files }, (file) => {
    nameIgnored(reply, sent.ignored);
    return use({ fields: sent.fields, file });
  });
}

/** Reads a form with a file, and creates its link. The file of a repeated request is not stored. */
function createFromUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: HttpDependencies,
  started: KeyedRequest | undefined,
): Promise<OnceResult> {
  const client = clientStateOf(reply.raw);
  const create = ({ fields, file }: ReceivedForm): Promise<OnceResult> => {
    const sent = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
    const content = [sent, file.fileName, file.sha256, file.traits?.partsSha256];
    return createFirst(started, request, content, async (keyed) => {
      const wanted = requireValid(parseUploadFields(fields, deps.clock(), termsPolicyOf(deps, request)));
      const target = { type: 'DOWNLOAD', file: withFlags(file, fields) } as const;
      return createTo(deps, request, { target, wanted }, { client, keyed });
    });
  };
  const receive = started?.isRepeat ? digestFile : deps.receiveFile;
  return receiveForm({ request, reply, deps }, { schema: UploadForm }, create, receive);
}

/** Adds the traits that the sender of a file asks for. A form sends a blank field for an empty input. */
export function withFlags(file: StoredFile, fields: ReceivedForm['fields']): StoredFile {
  const flags = FILE_FLAGS.map((name): [string, unknown] => [
    name,
    fields[name]?.trim() ? toFlag(fields[name]) : null,
  ]);
  return withTraits(file, requireValid(parseFileFlags(Object.fromEntries(flags))));
}

const REPLACE_SCHEMA = {
  tags: ['Links'],
  consumes: ['multipart/form-data'],
  summary: 'Replace the file of a link',
  description:
    'The link keeps its address, its terms and its views. Visitors get the new file from now on; downloads that have ' +
    'begun end with the old one. The history has the name, the size and the SHA-256 of both. ' +
    'JSON names an upload of POST /api/uploads instead of sending the file, which may be larger then.',
  params: ShortCodeParams,
  headers: ChangeHeaders,
  body: FileForm,
  response: {
    200: LinkDescription,
    ...errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 429, 500, 503, 507),
  },
};

/** Takes the new file of a link: of a form, or of an upload that JSON names. */
type TakeFile = (use: (file: StoredFile) => Promise<Link>) => Promise<Link>;

/** Any file, to decide before the upload is read whether the link can get one. */
const ANY_FILE: StoredFile = { fileId: '', fileName: '', sizeBytes: 0, sha256: '' };

/** PUT /api/links/{shortCode}/file */
export function replaceFileRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const untilStopped = acceptUploads(app, ['multipart/form-data', 'application/json']);
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  const limits = [prepareLimitChanges(deps), prepareLimitChanges(deps, 'uploads')];
  app.put<{ Params: { shortCode: string } }>(
    '/api/links/:shortCode/file',
    {
      ...UPLOAD_ROUTE,
      schema: REPLACE_SCHEMA,
      config: { access: { needs: 'manage', ofLink: true, alsoWhenOpen: true, port: 'public' } },
      onRequest: [refuseContentEncoding, refuseBlocked, ...limits],
    },
    async (request, reply) => {
      reply.raw.on('timeout', () => undefined); // see `prepareSingleCreation`
      const { shortCode } = request.params;
      const versions = readVersions(request.headers['if-match']);
      const asked = { patch: { file: ANY_FILE }, versions };
      const expected = decideChange(await deps.readLink(shortCode), asked, deps.clock());
      if (expected.result === 'not-found') return countUnknown(request);
      if (expected.result !== 'changed') requireLink(expected);
      const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
      const takeFile = isJson
        ? takeUploaded({ request, reply, deps })
        : takeFormFile({ request, reply, deps });
      const replacing = takeFile(async (file) => {
        // The file may have been on its way for hours.
        if (!(await request.isStillAllowed())) throw request.refuseAccess('INSUFFICIENT_SCOPE');
        const client = clientStateOf(reply.raw);
        const requested = { patch: { file }, versions };
        const result = await deps.changeLink(request.id, shortCode, requested, request.author, client);
        return result.result === 'not-found' ? countUnknown(request) : requireLink(result);
      });
      return sendDescription(request, reply, deps, await untilStopped(replacing));
    },
  );
}

const takeFormFile =
  (exchange: Exchange): TakeFile =>
  (use) =>
    receiveForm(exchange, { schema: FileForm }, ({ fields, file }) => use(withFlags(file, fields)));

const takeUploaded =
  ({ request, reply, deps }: Exchange): TakeFile =>
  async (use) => {
    const body = requireJsonObject(await readBody(request.raw, MAX_JSON_BYTES));
    nameIgnored(reply, requireValid(findIgnored(Object.keys(body), namesOf(FileForm))));
    const wanted = requireValid(parseWantedFile({ ...body, text: null })); // a text stays a text
    return use(await receiveUpload(deps, wanted, uploadOwnerOf(request)));
  };
