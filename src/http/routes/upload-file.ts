import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { type ChangeResult, decideChange } from '../../core/model/decide-change.ts';
import { toSet } from '../../core/model/file-parts.ts';
import type { FilesDigest } from '../../core/model/files-digest.ts';
import type { StoredFile } from '../../core/model/link.ts';
import type { ClientState } from '../../core/ports/ports.ts';
import { parseUploadFields, UPLOAD_FIELDS } from '../../core/rules/creation.ts';
import { cleanFileName } from '../../core/rules/file-name.ts';
import { toFlag } from '../../core/rules/read-fields.ts';
import { toZipName } from '../../core/rules/set-names.ts';
import { FILE_FLAGS, parseFileFlags, parseWantedFile } from '../../core/rules/uploads.ts';
import type { KeyedRequest } from '../../core/use-cases/create/begin-request.ts';
import { digestOfFiles } from '../../core/use-cases/files/receive-file.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, invalidField, requireValid } from '../errors.ts';
import { createFirst, type OnceResult, prepareSingleCreation } from '../idempotency.ts';
import { limitUnknownCodes, prepareLimitChanges } from '../limit-requests.ts';
import { MAX_JSON_BYTES, readBody } from '../read-body.ts';
import { readForm } from '../read-form.ts';
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
import { findIgnored, type KnownNames, nameIgnored, namesOf } from '../unknown-fields.ts';
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

/** The error of a text field that was sent as a file: a link would lack what it says. */
const NO_TEXT = { code: 'FILE_INSTEAD_OF_TEXT', text: 'must be a text field, not a file' } as const;
/** Room for the text fields and the delimiters of a form. */
const REST_OF_FORM_BYTES = 1024 * 1024;

/** The file of a form, or the set of its files. That of a repeated request has no id. */
export type UploadedFile = Omit<StoredFile, 'fileId'> & { fileId?: string };

/**
 * Prepares receiving the files of a form, which become one. Those of a repeated request are read but not stored.
 *
 * @param form.onOther called with the name of each other part; returns the error to refuse it with
 */
function prepareReceiveFile(
  { receiveFile }: HttpDependencies,
  known: KnownNames,
  form: Pick<FormOf, 'started' | 'beforeFile'> & { onOther: (name: string) => Error | undefined },
) {
  const names: (string | undefined)[] = [];
  const sent = new Readable({ objectMode: true, read() {} });
  let receiving: Promise<FilesDigest & { fileId?: string }> | undefined;

  return {
    async receivePart(
      name: string,
      fileName: string | undefined,
      bytes: Readable,
      fields: Readonly<Record<string, string>>,
    ): Promise<void> {
      if (name !== 'file') {
        const error = known.names.has(name) ? invalidField({ field: name, ...NO_TEXT }) : form.onOther(name);
        if (error) throw error;
        await finished(bytes.resume());
        return;
      }
      const count = names.push(fileName);
      await form.beforeFile?.(count, fields);
      receiving ??= form.started?.isRepeat ? digestOfFiles(sent) : receiveFile(sent);
      sent.push({ fileName, bytes });
      await Promise.race([finished(bytes).catch(() => receiving), receiving]); // a storage that fails ends the bytes, too
    },
    /** Returns the file once it is stored; undefined for a form without one. */
    async end(): Promise<UploadedFile | undefined> {
      sent.push(null);
      if (!receiving) return undefined;
      const { parts, ...received } = await receiving;
      if (!parts) return { ...received, fileName: cleanFileName(names[0]) };
      return { ...received, fileName: toZipName(parts.map(({ fileName }) => fileName)), ...toSet(parts) };
    },
    /** Ends an upload that did not end by itself: nothing is stored. */
    async abort(): Promise<void> {
      sent.destroy();
      await receiving?.catch(() => undefined); // its error has ended the form
    },
  };
}

/** A form with a file: its schema, and the names of its text fields. */
type FormOf = {
  schema: TSchema;
  fieldNames: readonly string[];
  /** The request with an Idempotency-Key, if it has one. */
  started?: KeyedRequest | undefined;
  /** Limits all files together, where that is less than the service allows. */
  maxFileBytes?: number;
  /** Where files are sent that are too large for a form, below the base URL. */
  uploadsPath?: string;
  /** Called before each file is stored, from 1, with the text fields before it; throws to refuse the form. */
  beforeFile?: (count: number, fields: Readonly<Record<string, string>>) => Promise<void>;
};
type Exchange = { request: FastifyRequest; reply: FastifyReply; deps: HttpDependencies };
type ReceivedForm = { fields: Record<string, string>; file: UploadedFile };
/** `isKept`: the file got its link. */
type Used<Result> = { result: Result; isKept: boolean };

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

/** Reads a form with a file, and uses it. The file is removed unless it is kept. */
export async function receiveForm<Result>(
  { request, reply, deps }: Exchange,
  form: FormOf,
  use: (form: ReceivedForm) => Promise<Used<Result>>,
): Promise<Result> {
  const maxFileBytes = Math.min(form.maxFileBytes ?? deps.maxFormFileBytes, deps.maxFormFileBytes);
  const maxBytes = Math.min(deps.maxRequestBytes, maxFileBytes + REST_OF_FORM_BYTES);
  const known = namesOf(form.schema);
  const ignored = new Set<string>();
  const onOther = (name: string) => {
    const found = findIgnored([name], known);
    for (const each of found.ok ? found.value : []) ignored.add(each); // a form has at most 200 parts
    return found.ok ? undefined : invalidField(found.error);
  };
  const receiver = prepareReceiveFile(deps, known, { ...form, onOther });
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  const space = await deps.uploadSpace.reserve(announcedBytes);
  if (!space) throw ERRORS.storageFull();
  const onReceived = (bytes: number) => (space.receive(bytes) ? undefined : ERRORS.storageFull());
  let file: UploadedFile | undefined;
  let used: Used<Result> | undefined;
  try {
    if (request.raw.destroyed) throw ERRORS.malformedMultipart(); // the client left meanwhile
    const fields = await readForm(request.raw, {
      ...{ fieldNames: form.fieldNames, onOther, maxBytes, maxFileBytes, onReceived },
      remedy: remedyOf(deps, form),
      receivePart: receiver.receivePart,
    });
    nameIgnored(reply, ignored);
    file = await receiver.end();
    used = await use({ fields, file: requireFile(file) });
    return used.result;
  } finally {
    await receiver.abort();
    const fileId = file?.fileId;
    if (fileId !== undefined && !used?.isKept) await deps.discardFile(fileId);
    space.release();
  }
}

/** Reads a form with a file, and creates its link. When either fails, or the request is repeated, the file is removed. */
function createFromUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: HttpDependencies,
  started: KeyedRequest | undefined,
): Promise<OnceResult> {
  const client = clientStateOf(reply.raw);
  return receiveForm(
    { request, reply, deps },
    { schema: UploadForm, fieldNames: UPLOAD_FIELDS, started },
    async (form) => {
      const result = await createFromForm(request, deps, { ...form, client, started });
      return { result, isKept: !result.isReplayed };
    },
  );
}

function requireFile(file: UploadedFile | undefined): UploadedFile {
  if (!file) throw invalidField({ field: 'file', code: 'FILE_MISSING', text: 'must not be null' });
  if (file.sizeBytes === 0)
    throw invalidField({ field: 'file', code: 'FILE_EMPTY', text: 'must not be empty' });
  return file;
}

/** Adds the traits that the sender of a file asks for. A form sends a blank field for an empty input. */
export function withFlags<File extends Pick<UploadedFile, 'traits'>>(
  file: File,
  fields: ReceivedForm['fields'],
): File {
  const flags = FILE_FLAGS.map((name): [string, unknown] => [
    name,
    fields[name]?.trim() ? toFlag(fields[name]) : null,
  ]);
  const traits = { ...file.traits, ...requireValid(parseFileFlags(Object.fromEntries(flags))) };
  return { ...file, ...(Object.keys(traits).length > 0 && { traits }) };
}

async function createFromForm(
  request: FastifyRequest,
  deps: HttpDependencies,
  form: ReceivedForm & { client: ClientState; started: KeyedRequest | undefined },
): Promise<OnceResult> {
  const { fields, client, started } = form;
  const { fileId, ...facts } = form.file;
  const { fileName, sha256, traits } = facts;
  const sent = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createFirst(started, request, [sent, fileName, sha256, traits?.partsSha256], async (keyed) => {
    if (fileId === undefined) throw new Error('the file of a repeated request was not stored');
    const policy = termsPolicyOf(deps, request);
    const wanted = requireValid(parseUploadFields(fields, deps.clock(), policy));
    const target = { type: 'DOWNLOAD', file: withFlags({ fileId, ...facts }, fields) } as const;
    return createTo(deps, request, { target, wanted }, { client, keyed });
  });
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
type TakeFile = (use: (file: StoredFile) => Promise<Used<ChangeResult>>) => Promise<ChangeResult>;

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
        return { result, isKept: result.result === 'changed' };
      });
      const result = await untilStopped(replacing);
      if (result.result === 'not-found') return countUnknown(request);
      return sendDescription(request, reply, deps, requireLink(result));
    },
  );
}

const takeFormFile =
  (exchange: Exchange): TakeFile =>
  (use) =>
    receiveForm(exchange, { schema: FileForm, fieldNames: FILE_FLAGS }, ({ fields, file }) => {
      const { fileId = '', ...facts } = file;
      return use(withFlags({ fileId, ...facts }, fields));
    });

const takeUploaded =
  ({ request, reply, deps }: Exchange): TakeFile =>
  async (use) => {
    const body = requireJsonObject(await readBody(request.raw, MAX_JSON_BYTES));
    nameIgnored(reply, requireValid(findIgnored(Object.keys(body), namesOf(FileForm))));
    const wanted = requireValid(parseWantedFile({ ...body, text: null })); // a text stays a text
    const file = await receiveUpload(deps, wanted, uploadOwnerOf(request));
    return (await use(file)).result;
  };
