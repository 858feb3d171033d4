import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { FileRequest, StoredFile } from '../../core/model/link.ts';
import { OWNED_BY_REQUEST } from '../../core/model/resumable-upload.ts';
import { MANAGED_TERMS } from '../../core/model/terms.ts';
import type { ClientState } from '../../core/ports/ports.ts';
import { MAX_REQUESTED_FILES } from '../../core/rules/file-request.ts';
import { decodePasswordText } from '../../core/rules/parse-password.ts';
import { readFields, textOf } from '../../core/rules/read-fields.ts';
import { nameReceivedZip } from '../../core/rules/set-names.ts';
import { parseText, UNSAFE_IN_LINES } from '../../core/rules/term-texts.ts';
import { parseWantedFile } from '../../core/rules/uploads.ts';
import { requestKeyOf } from '../../core/use-cases/limits/rate-limiter.ts';
import { introduce } from '../../core/use-cases/visit/about-link.ts';
import type { Resolution, ResolveRequest } from '../../core/use-cases/visit/resolution.ts';
import { reportCreated } from '../../observability/observe.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, rawEndpoint } from '../endpoint.ts';
import { ERRORS, RequestError, requireValid } from '../errors.ts';
import { Receipt } from '../file-request-schemas.ts';
import {
  decodePasswordHeader,
  passwordHeader,
  requestIdOf,
  setHeaders,
  traceIdOf,
  userAgentOf,
  wantsPage,
} from '../headers.ts';
import { limitUnknownCodes, prepareRefuse } from '../limit-requests.ts';
import { prepareToRequestError } from '../map-errors.ts';
import { encodeCode } from '../path.ts';
import { toSizeText } from '../read-body.ts';
import { type Form, TEXT_FORM_TYPE } from '../read-form.ts';
import {
  type Exchange,
  FORM_TYPE,
  isForm,
  prepareTakeFiles,
  readUploadJson,
  receiveForm,
  remedyOf,
  withFlags,
} from '../receive-form.ts';
import { prepareReportProxy } from '../request-origin.ts';
import { refusalOf, toFailure, toResponse, type VisitResponse } from '../response.ts';
import { optionalFlag, optionalText, titled } from '../schemas.ts';
import { receiveUpload } from './received-upload.ts';

const SubmissionForm = titled('SubmissionForm', {
  password: optionalText('Of a protected file request; before the files'),
  sender: Type.Optional(
    Type.String({ maxLength: MANAGED_TERMS.label.maxLength, description: 'Who sends the files' }),
  ),
  note: Type.Optional(Type.String({ maxLength: MANAGED_TERMS.note.maxLength })),
  encrypted: optionalFlag('The file is encrypted with age to the `recipientKey` of the file request'),
  uploadId: optionalText('Of JSON: an upload, instead of files'),
  file: Type.Optional(
    Type.Array(Type.String({ format: 'binary' }), { description: 'Of a form: one or more files' }),
  ),
});
/** A submission that was refused as an attempt. */
class RefusedAttempt extends RequestError {
  readonly resolution: Resolution;

  constructor(resolution: Resolution) {
    const { status, code, message, ...details } = refusalOf(resolution);
    super(status, code, message, details);
    this.resolution = resolution;
  }
}

/** Returns who owns the uploads for a file request: each visitor that knows the id of one. */
export const uploadOwnerOfRequest = (shortCode: string): string => OWNED_BY_REQUEST + shortCode;

/** The endpoint that takes the files for a file request. */
export function submitFilesEndpoints(deps: HttpDependencies): Endpoint[] {
  const { receive, untilStopped } = prepareTakeFiles(FORM_TYPE, 'application/json');
  const { refuseBlocked, findLink } = limitUnknownCodes(deps);
  const refuse = prepareRefuse(deps, 'uploads');
  const attempt = prepareAttemptSubmission(deps);
  const toRequestError = prepareToRequestError(deps.observe);

  async function submit(sent: Omit<Submitting, 'attempt' | 'quotaOwner'>): Promise<VisitResponse> {
    const { request, shortCode } = sent;
    const link = await findLink(shortCode, request);
    const { target, owner } = link;
    if (target.type !== 'REQUEST') {
      const isOfVisit = request.originalUrl !== request.url; // sent to the address of the link
      throw isOfVisit ? ERRORS.unsupportedContentType(TEXT_FORM_TYPE) : ERRORS.notAFileRequest();
    }
    refuse(request.raw, await deps.useCases.limits.uploads.acquire(requestKeyOf(request.author)));
    const introduction = await introduce(deps.stores.people, link, link);
    const take = isForm(request) ? receiveFiles : takeUpload;
    const resolution = await take({ ...sent, attempt, quotaOwner: owner }, target.request);
    const context = { ...deps, request: request.raw };
    if (resolution.kind !== 'SUBMITTED') return toResponse(resolution, context);
    // The files have arrived, so a store that fails now refuses nothing: the receipt lacks a fingerprint.
    const stored = await deps.stores.read(resolution.link.shortCode).catch(() => undefined);
    const facts = { introduction, address: deps.addresses.urlOf(link), history: stored?.history };
    return toResponse({ ...resolution, ...facts }, context);
  }

  return [
    rawEndpoint('POST /api/links/:shortCode/submissions', 'Send files to a file request', {
      ...{ tag: 'Links', needs: 'nothing', port: 'public', anyHost: true },
      description:
        'Counts as a view of the file request. The files get a link of their own, which belongs to those who hold the request; the ' +
        'sender gets a receipt with their digests. Refused as an attempt to open the link would be. The page of the link sends the ' +
        'same form to the address of the link, and gets pages. JSON with an `uploadId` submits an upload that was sent to ' +
        '`/l/{shortCode}/uploads`.',
      takes: { schema: SubmissionForm, types: [FORM_TYPE, 'application/json'], receive },
      before: [refuseBlocked],
      sends: { 201: Receipt },
      fails: [401, 404, 409, 410, 423, 429, 507],
      async respond({ path: { shortCode }, request, reply }) {
        const submitting = untilStopped(submit({ request, reply, deps, shortCode }));
        const response = await submitting.catch((error: unknown) => {
          const context = { ...deps, request: request.raw };
          if (error instanceof RefusedAttempt) return toResponse(error.resolution, context);
          const failure = toRequestError(error, request);
          if (wantsPage(request.headers.accept) && failure.status !== 500) return toFailure(failure, context);
          throw failure;
        });
        setHeaders(reply, response.headers);
        return reply.code(response.status).send(response.body);
      },
    }),
  ];
}

type AttemptSubmission = ReturnType<typeof prepareAttemptSubmission>;
/** `quotaOwner`: the owner of the file request. */
type Submitting = Exchange & { shortCode: string; attempt: AttemptSubmission; quotaOwner: string };

/**
 * Prepares resolving the link of a request: with a submission to open it, without one to find out whether it would open. It
 * throws a RefusedAttempt when it would not.
 */
export function prepareAttemptSubmission(deps: HttpDependencies) {
  const reportProxy = prepareReportProxy(deps);
  return async (
    { id, raw, author }: FastifyRequest,
    { submission, ...sent }: Pick<ResolveRequest, 'shortCode' | 'password' | 'submission'> & ClientState,
  ): Promise<Resolution> => {
    const asked: ResolveRequest = {
      ...{ ...sent, purpose: 'OPEN' },
      ...(submission ? { submission, confirmation: 'GIVEN' } : { confirmation: 'WITHHELD' }),
      ...{ ipAddress: author.ipAddress, userAgent: userAgentOf(raw) },
    };
    const ids = { correlationId: id, requestId: requestIdOf(raw), traceId: traceIdOf(raw) };
    const observed = deps.observe.attempts.begin(ids, asked);
    try {
      const resolution = await deps.useCases.resolveLink(asked);
      deps.observe.attempts.end(observed, resolution);
      if (observed.line) deps.observe.log.write('info', observed.line.event, observed.line.fields);
      if (resolution.kind === 'SUBMITTED')
        reportCreated(deps.observe, { correlationId: id, link: resolution.link, author });
      if (resolution.kind === 'LIMITED') reportProxy(raw);
      if (resolution.kind === 'SUBMITTED' || resolution.kind === 'CONFIRM') return resolution;
      throw new RefusedAttempt(resolution);
    } catch (error) {
      if (!(error instanceof RefusedAttempt)) deps.observe.attempts.fail(observed, error);
      throw error;
    }
  };
}

/** Reads the files of a form, within the limits of the file request, and submits them. */
function receiveFiles(submitting: Submitting, wanted: FileRequest): Promise<Resolution> {
  const { request, deps, shortCode, attempt, quotaOwner } = submitting;
  const maxFiles = wanted.maxFiles ?? MAX_REQUESTED_FILES;
  const maxFileBytes = wanted.maxBytes ?? deps.config.uploads.maxFileBytes;
  const form = {
    ...{ schema: SubmissionForm, quotaOwner, maxFileBytes },
    uploadsPath: `/l/${encodeCode(shortCode)}/uploads`,
    /** Before the first file is stored, it is found out whether the request is open. */
    async *admit({ files }: Form) {
      let count = 0;
      for await (const file of files) {
        count += 1;
        if (count > maxFiles) throw ERRORS.tooManyFiles(maxFiles);
        if (count === 1)
          await attempt(request, { shortCode, password: passwordOf(request, file.fieldsBefore) });
        yield file;
      }
    },
  };
  return receiveForm(submitting, form, (received) =>
    submitFile(submitting, wanted, { fields: received.fields, file: withFlags(received) }),
  ).catch((error: unknown) => {
    const isTooLarge = error instanceof RequestError && error.code === 'REQUEST_TOO_LARGE';
    const limit = toSizeText(Math.min(maxFileBytes, deps.config.uploads.maxFormFileBytes)); // that of the request, if it is less
    throw isTooLarge ? ERRORS.fileTooLarge(limit, remedyOf(deps, form)) : error;
  });
}

/**
 * Submits a finished upload, which JSON names. One that is not submitted can be, until the sweep removes it. One that was
 * gives its receipt again: its sender may not have got it, and only the sender knows the id.
 */
async function takeUpload(submitting: Submitting, wanted: FileRequest): Promise<Resolution> {
  const { deps, shortCode } = submitting;
  const body = await readUploadJson(submitting, SubmissionForm);
  const { uploadId, traits } = requireValid(parseWantedFile(body));
  const owner = uploadOwnerOfRequest(shortCode);
  const sentTraits = traits.encrypted ? { encrypted: true as const } : {};
  const wantedFile = { uploadId, fileName: null, sha256: null, traits: sentTraits };
  const fields = requireValid(readFields(TEXT_RULES, body, undefined));
  try {
    const file = await receiveUpload(deps, wantedFile, owner);
    return await submitFile(submitting, wanted, { fields, file });
  } catch (error) {
    const link = await deps.stores.readByFile(uploadId);
    if (link?.requestCode !== shortCode || link.target.type !== 'DOWNLOAD') throw error;
    const parts = await deps.useCases.readFiles(link);
    const { file } = link.target;
    const target = { type: 'DOWNLOAD', file: parts.length > 0 ? { ...file, parts } : file } as const;
    return { kind: 'SUBMITTED', request: wanted, link: { ...link, target }, viewCount: 0 };
  }
}

/** Submits a stored file, with what its sender says about it. */
async function submitFile(
  { request, reply, deps, shortCode, attempt }: Submitting,
  wanted: FileRequest,
  { fields, file }: { fields: Fields; file: StoredFile },
): Promise<Resolution> {
  const requireWanted = (request: FileRequest) => requireFilesOf(request, file);
  requireWanted(wanted); // before the password is hashed
  const sender = requireValid(parseText('sender', fields['sender'], SENDER));
  const note = requireValid(parseText('note', fields['note'], NOTE));
  const zipName = file.parts && { fileName: nameReceivedZip(sender, deps.clock()) };
  const submission = { file: { ...file, ...zipName }, sender, note, requireWanted };
  const asked = { shortCode, password: passwordOf(request, fields), submission, ...clientStateOf(reply.raw) };
  const resolution = await attempt(request, asked);
  return resolution.kind === 'SUBMITTED' ? { ...resolution, sender } : resolution;
}

/** Throws unless files are what a request asks for. How many are in an encrypted archive is not known. */
function requireFilesOf(
  { recipientKey, maxFiles, maxBytes }: FileRequest,
  { sizeBytes, traits, parts }: StoredFile,
) {
  if (recipientKey !== null && !traits?.encrypted) throw ERRORS.encryptionRequired();
  if (maxFiles !== null && !traits?.encrypted && (parts?.length ?? 1) > maxFiles)
    throw ERRORS.tooManyFiles(maxFiles);
  if (maxBytes !== null && sizeBytes > maxBytes) throw ERRORS.fileTooLarge(toSizeText(maxBytes));
}

const SENDER = { max: MANAGED_TERMS.label.maxLength };
const NOTE = { max: MANAGED_TERMS.note.maxLength, unsafe: UNSAFE_IN_LINES };
const TEXT_RULES = { password: textOf('password'), sender: textOf('sender'), note: textOf('note') };
type Fields = Readonly<Record<string, string | null>>;

export const passwordOf = ({ raw }: FastifyRequest, { password }: Fields): string | null =>
  decodePasswordText(password ?? undefined) ?? decodePasswordHeader(passwordHeader(raw));
