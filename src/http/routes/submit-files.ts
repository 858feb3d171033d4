import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requestKeyOf } from '../../limits/rate-limiter.ts';
import type { FileRequest, StoredFile } from '../../links/link.ts';
import type { Resolution, ResolveRequest } from '../../links/resolve-link.ts';
import { MAX_REQUESTED_FILES } from '../../links/rules/file-request.ts';
import { LABEL_BOUNDS, parseText, UNSAFE_IN_NOTE } from '../../links/rules/labels.ts';
import { decodePasswordText } from '../../links/rules/link-password.ts';
import { titleOf } from '../../links/submit-files.ts';
import { reportCreated } from '../../observability/observe.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, invalidField, RequestError, requireValid } from '../errors.ts';
import {
  decodePasswordHeader,
  requestIdOf,
  setHeaders,
  traceIdOf,
  userAgentOf,
  wantsPage,
} from '../headers.ts';
import { joinFiles } from '../join-files.ts';
import { limitUnknownCodes, prepareRefuse } from '../limit-requests.ts';
import { toSizeText } from '../read-body.ts';
import { readForm } from '../read-form.ts';
import { prepareReportProxy } from '../request-origin.ts';
import { toFailure, toResponse, type VisitResponse } from '../response.ts';
import { errorResponses, optionalFlag, optionalText, Receipt, ShortCodeParams, titled } from '../schemas.ts';
import { findIgnored, nameIgnored, namesOf } from '../unknown-fields.ts';
import { refuseContentEncoding } from './accepted-bodies.ts';
import { acceptUploads, textAsFile, UPLOAD_ROUTE } from './upload-file.ts';

const SubmissionForm = titled('SubmissionForm', {
  password: optionalText('Of a protected file request; before the files'),
  sender: Type.Optional(Type.String({ maxLength: LABEL_BOUNDS.label, description: 'Who sends the files' })),
  note: Type.Optional(Type.String({ maxLength: LABEL_BOUNDS.note })),
  encrypted: optionalFlag('The file is encrypted with age to the `recipientKey` of the file request'),
  file: Type.Array(Type.String({ format: 'binary' }), { description: 'One or more files' }),
});
const FIELD_NAMES = ['password', 'sender', 'note', 'encrypted'] as const;
const KNOWN_NAMES = namesOf(SubmissionForm);
/** What visitors send to other links. */
const FORM_TYPE = 'application/x-www-form-urlencoded';
/** Room for the text fields and the delimiters of a form. */
const FORM_BYTES = 1024 * 1024;

const SCHEMA = {
  tags: ['Links'],
  summary: 'Send files to a file request',
  description:
    'Counts as a view of the file request. The files get a link of their own, which belongs to those who hold the request; the ' +
    'sender gets a receipt with their digests. Refused as an attempt to open the link would be. The page of the link sends the ' +
    'same form to the address of the link, and gets pages.',
  consumes: ['multipart/form-data'],
  params: ShortCodeParams,
  body: SubmissionForm,
  response: {
    201: Receipt,
    ...errorResponses(400, 401, 403, 404, 410, 413, 415, 429, 500, 503, 507),
  },
};

/** A submission that was refused as an attempt. */
class RefusedAttempt extends Error {
  readonly resolution: Resolution;

  constructor(resolution: Resolution) {
    super('The submission was refused');
    this.resolution = resolution;
  }
}

type Params = { Params: { shortCode: string } };

/** POST /api/links/{shortCode}/submissions */
export function submitFilesRoute(app: FastifyInstance, deps: HttpDependencies): void {
  const untilStopped = acceptUploads(app);
  const { refuseBlocked, countUnknown } = limitUnknownCodes(deps);
  app.post<Params>(
    '/api/links/:shortCode/submissions',
    {
      ...UPLOAD_ROUTE,
      schema: SCHEMA,
      config: { access: { needs: 'nothing', port: 'public', anyHost: true } },
      onRequest: [refuseContentEncoding, refuseBlocked],
    },
    async (request, reply) => {
      try {
        return sendVisit(reply, await untilStopped(submit({ request, reply, deps }, countUnknown)));
      } catch (error) {
        const isPage = error instanceof RequestError && wantsPage(request.headers.accept);
        if (!isPage) throw error;
        return sendVisit(reply, toFailure(error, { ...deps, request: request.raw }));
      }
    },
  );
}

function sendVisit(reply: FastifyReply, { status, headers, body }: VisitResponse): FastifyReply {
  setHeaders(reply, headers);
  return reply.code(status).send(body);
}

type Exchange = { request: FastifyRequest<Params>; reply: FastifyReply; deps: HttpDependencies };

async function submit(
  { request, reply, deps }: Exchange,
  countUnknown: (request: FastifyRequest) => Promise<never>,
): Promise<VisitResponse> {
  const { shortCode } = request.params;
  const context = { ...deps, request: request.raw };
  const link = await deps.readLink(shortCode);
  if (!link) return countUnknown(request);
  if (link.target.type !== 'REQUEST') throw ERRORS.unsupportedContentType(FORM_TYPE); // as a visit has it
  prepareRefuse(deps, 'uploads')(
    request.raw,
    await deps.limits.uploads.acquire(requestKeyOf(request.author)),
  );
  try {
    return toResponse(await receive({ request, reply, deps }, link.target.request), context);
  } catch (error) {
    if (error instanceof RefusedAttempt) return toResponse(error.resolution, context);
    throw error;
  }
}

/**
 * Resolves the link of a request: with a submission to open it, without one to find out whether it would open.
 *
 * @throws RefusedAttempt when it would not
 */
async function attempt(
  { id, raw, params, author }: FastifyRequest<Params>,
  deps: HttpDependencies,
  { password, submission }: Pick<ResolveRequest, 'password' | 'submission'>,
): Promise<Resolution> {
  const asked: ResolveRequest = {
    ...{ shortCode: params.shortCode, password, purpose: 'OPEN' },
    ...(submission ? { submission, confirmation: 'GIVEN' } : { confirmation: 'WITHHELD' }),
    ...{ ipAddress: author.ipAddress, userAgent: userAgentOf(raw) },
  };
  const ids = { correlationId: id, requestId: requestIdOf(raw), traceId: traceIdOf(raw) };
  const observed = deps.attempts.begin(ids, asked);
  try {
    const resolution = await deps.resolveLink(asked);
    deps.attempts.end(observed, resolution);
    if (observed.line) deps.log.write('info', observed.line.event, observed.line.fields);
    if (resolution.kind === 'SUBMITTED')
      reportCreated(deps, { correlationId: id, link: resolution.link, author });
    if (resolution.kind === 'LIMITED') prepareReportProxy(deps)(raw);
    if (resolution.kind === 'SUBMITTED' || resolution.kind === 'CONFIRM') return resolution;
    throw new RefusedAttempt(resolution);
  } catch (error) {
    if (!(error instanceof RefusedAttempt)) deps.attempts.fail(observed, error);
    throw error;
  }
}

/** Reads the files of a form, within the limits of the file request, and submits them. They are removed unless they get their link. */
async function receive({ request, reply, deps }: Exchange, wanted: FileRequest): Promise<Resolution> {
  const maxFileBytes = Math.min(wanted.maxBytes ?? deps.maxFileBytes, deps.maxFileBytes);
  const space = await deps.uploadSpace.reserve(Number(request.headers['content-length'] ?? 0));
  if (!space) throw ERRORS.storageFull();
  const form = receiveParts(request, deps, { wanted, maxFileBytes });
  let file: StoredFile | undefined;
  let isKept = false;
  try {
    const fields = await readForm(request.raw, {
      fieldNames: FIELD_NAMES,
      onOther: form.onOther,
      maxBytes: maxFileBytes + FORM_BYTES,
      maxFileBytes,
      onReceived: (bytes) => (space.receive(bytes) ? undefined : ERRORS.storageFull()),
      receivePart: form.receivePart,
    });
    nameIgnored(reply, form.ignored);
    const sender = requireValid(parseText('sender', fields['sender'], SENDER));
    const note = requireValid(parseText('note', fields['note'], NOTE));
    const encrypted = fields['encrypted'] === 'true';
    if (wanted.recipientKey !== null && !encrypted) throw ERRORS.encryptionRequired();
    file = await form.end();
    if (encrypted) file.traits = { ...file.traits, encrypted };
    const submission = { file, sender, note };
    const resolution = await attempt(request, deps, { password: passwordOf(request, fields), submission });
    isKept = resolution.kind === 'SUBMITTED';
    return resolution;
  } catch (error) {
    if (!file) await form.fail(error);
    throw error;
  } finally {
    if (file && !isKept) await deps.discardFile(file.fileId);
    space.release();
  }
}

const SENDER = { max: LABEL_BOUNDS.label };
const NOTE = { max: LABEL_BOUNDS.note, unsafe: UNSAFE_IN_NOTE };
type Fields = Readonly<Record<string, string>>;

function passwordOf({ headers }: FastifyRequest, { password }: Fields): string | null {
  const sent = headers['x-link-password'];
  return decodePasswordText(password) ?? decodePasswordHeader(Array.isArray(sent) ? sent.join(', ') : sent);
}

/** Prepares receiving the parts of a form. Before the first file is stored, it is found out whether the request is open. */
function receiveParts(
  request: FastifyRequest<Params>,
  deps: HttpDependencies,
  { wanted, maxFileBytes }: { wanted: FileRequest; maxFileBytes: number },
) {
  const files = joinFiles(deps.receiveFile);
  const maxFiles = wanted.maxFiles ?? MAX_REQUESTED_FILES;
  const ignored = new Set<string>();
  let checking: Promise<Resolution> | undefined;
  let count = 0;

  function onOther(name: string): Error | undefined {
    const found = findIgnored([name], KNOWN_NAMES);
    for (const each of found.ok ? found.value : []) ignored.add(each);
    return found.ok ? undefined : invalidField(found.error);
  }

  return {
    ignored,
    onOther,
    fail: files.fail,
    async receivePart(name: string, sentName: string | undefined, bytes: Readable, fields: Fields) {
      if (name !== 'file') {
        const error = KNOWN_NAMES.names.has(name) ? invalidField(textAsFile(name)) : onOther(name);
        if (error) throw error;
        await finished(bytes.resume());
        return;
      }
      if (sentName) count += 1; // a form without a chosen file has a part without a name
      if (count > maxFiles) throw ERRORS.tooManyFiles(maxFiles);
      checking ??= attempt(request, deps, { password: passwordOf(request, fields) });
      await checking;
      await files.add(sentName, bytes);
      const sizeBytes = files.parts.reduce((sum, part) => sum + part.sizeBytes, 0);
      if (sizeBytes > maxFileBytes) throw ERRORS.fileTooLarge(toSizeText(maxFileBytes));
    },
    async end(): Promise<StoredFile> {
      const file = await files.end(`${titleOf(wanted.message)}.zip`);
      if (!file) throw invalidField({ field: 'file', code: 'FILE_MISSING', text: 'must not be null' });
      if (file.sizeBytes > 0) return file;
      await deps.discardFile(file.fileId);
      throw invalidField({ field: 'file', code: 'FILE_EMPTY', text: 'must not be empty' });
    },
  };
}
