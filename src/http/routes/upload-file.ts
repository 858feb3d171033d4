import { decideChange } from '../../core/model/decide-change.ts';
import type { Link, StoredFile } from '../../core/model/link.ts';
import { accept } from '../../core/model/parsed.ts';
import { parseUploadFields } from '../../core/rules/creation.ts';
import { parseKept, parseWantedFile } from '../../core/rules/uploads.ts';
import type { KeyedRequest } from '../../core/use-cases/create/begin-request.ts';
import { digestFile } from '../../core/use-cases/files/receive-file.ts';
import { clientStateOf } from '../connection-end.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { createFirst, type OnceResult, prepareSingleCreation } from '../idempotency.ts';
import { prepareLimitChanges } from '../limit-requests.ts';
import { toSizeText } from '../read-body.ts';
import {
  type Exchange,
  FORM_TYPE,
  isForm,
  prepareTakeFiles,
  type ReceivedForm,
  readUploadJson,
  receiveForm,
  withFlags,
} from '../receive-form.ts';
import { sendsLink } from '../returned-links.ts';
import { ChangeHeaders, FileForm, IdempotencyHeaders, UploadForm } from '../schemas.ts';
import { CHANGE, readVersions, requireLink, toReturned } from './change-link.ts';
import { createTo, SENDS_CREATED, termsPolicyOf } from './create-link.ts';
import { receiveUpload, uploadOwnerOf } from './received-upload.ts';

/** The endpoint that creates a link to the file of a form. */
export function uploadFileEndpoints(deps: HttpDependencies): Endpoint[] {
  const creation = prepareSingleCreation(deps, 'uploads');
  const { receive, untilStopped } = prepareTakeFiles(FORM_TYPE);
  return [
    endpoint('POST /api/links/upload', 'Create a link to an uploaded file', {
      ...{ tag: 'Links', needs: 'create', port: 'public' },
      headers: IdempotencyHeaders.properties,
      takes: { schema: UploadForm, types: [FORM_TYPE], receive },
      before: [creation.onRequest],
      ...SENDS_CREATED,
      fails: [409, 422, 429, 507],
      async run({ request, reply }) {
        const create = (started?: KeyedRequest) => createFromForm({ request, reply, deps }, started);
        return accept(await untilStopped(creation.run(request, create)));
      },
    }),
  ];
}

/** Reads a form with a file, and creates its link. The file of a repeated request is not stored. */
function createFromForm(exchange: Exchange, started: KeyedRequest | undefined): Promise<OnceResult> {
  const { request, reply, deps } = exchange;
  const client = clientStateOf(reply.raw);
  const create = (form: ReceivedForm): Promise<OnceResult> => {
    const { fields, file } = form;
    const sent = Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
    const content = [sent, file.fileName, file.sha256, file.traits?.partsSha256];
    return createFirst(started, request, content, async (keyed) => {
      const wanted = requireValid(parseUploadFields(fields, deps.clock(), termsPolicyOf(deps, request)));
      const target = { type: 'DOWNLOAD', file: withFlags(form) } as const;
      return createTo(deps, request, { target, wanted }, { client, keyed });
    });
  };
  const receive = started?.isRepeat ? digestFile : deps.useCases.receiveFile;
  return receiveForm(exchange, { schema: UploadForm, quotaOwner: uploadOwnerOf(request) }, create, receive);
}

/** Any file, to decide before the upload is read whether the link can get one. */
const ANY_FILE: StoredFile = { fileId: '', fileName: '', sizeBytes: 0, sha256: '' };

/** The endpoint that replaces the file of a link. */
export function replaceFileEndpoints(deps: HttpDependencies): Endpoint[] {
  const { receive, untilStopped } = prepareTakeFiles(FORM_TYPE, 'application/json');
  return [
    endpoint('PUT /api/links/:shortCode/file', 'Replace the file of a link', {
      ...CHANGE,
      description:
        'The link keeps its address, its terms and its views. Visitors get the new file from now on; downloads that have ' +
        'begun end with the old one. The history names both. ' +
        'JSON names an upload of POST /api/uploads instead of sending the file, which may be larger then. With `keep`, files of ' +
        'the link stay: this adds files, and JSON without an upload removes the others. A change in the meantime gets 412.',
      headers: ChangeHeaders.properties,
      takes: { schema: FileForm, types: [FORM_TYPE, 'application/json'], receive },
      before: [prepareLimitChanges(deps), prepareLimitChanges(deps, 'uploads')],
      ...sendsLink(deps),
      refuses: ['not-found', 'revoked', 'has-no-file', 'version-mismatch'],
      fails: [422, 423, 507],
      async run({ path: { shortCode }, request, reply }) {
        reply.raw.on('timeout', () => undefined); // see `prepareSingleCreation`
        const versions = readVersions(request.headers['if-match']);
        const asked = { patch: { file: ANY_FILE }, versions };
        const current = await deps.stores.read(shortCode);
        const expected = decideChange(current, asked, deps.clock());
        if (expected.result !== 'changed') return toReturned(expected);
        const { owner: quotaOwner } = expected.link;
        const replacing = takeFile(
          { request, reply, deps },
          { current, quotaOwner },
          async (file, keptOf) => {
            // The file may have been on its way for hours.
            if (!(await request.isStillAllowed())) throw request.refuseAccess('INSUFFICIENT_SCOPE');
            const client = clientStateOf(reply.raw);
            const requested = { patch: { file }, versions: keptOf ? [keptOf.version] : versions };
            const result = await deps.useCases.changeLink(
              request.id,
              shortCode,
              requested,
              request.author,
              client,
            );
            return requireLink(result);
          },
        );
        return accept({ link: await untilStopped(replacing) });
      },
    }),
  ];
}

/** Uses the new file of a link. `keptOf`: the link as it was read, if files of it stay. */
type UseFile<Result> = (file: StoredFile, keptOf?: Link) => Promise<Result>;

/** Uses the new file of a link: of a form, or of an upload that JSON names, after the files that stay. */
async function takeFile<Result>(
  exchange: Exchange,
  { current, quotaOwner }: { current: Link | undefined; quotaOwner: string },
  use: UseFile<Result>,
): Promise<Result> {
  const { request, deps } = exchange;
  const useWithKept = prepareUseWithKept(deps, current, use);
  if (isForm(request))
    return receiveForm(exchange, { schema: FileForm, quotaOwner }, (form) =>
      useWithKept(withFlags(form), form.fields['keep']),
    );
  const { keep, ...body } = await readUploadJson(exchange, FileForm);
  if (keep !== undefined && body['uploadId'] === undefined) return useWithKept(undefined, keep);
  const wanted = requireValid(parseWantedFile({ ...body, text: null })); // a text stays a text
  const sender = uploadOwnerOf(request);
  const sent = await receiveUpload(deps, wanted, sender);
  const isJoined = requireValid(parseKept(keep)) !== null;
  if (isJoined) return useWithKept(sent, keep); // the owner of the link pays for the new file with both
  return deps.useCases.chargeUpload(sent, { sender, quotaOwner }, () => useWithKept(sent, keep));
}

function prepareUseWithKept<Result>(
  { useCases, config: { uploads } }: HttpDependencies,
  link: Link | undefined,
  use: UseFile<Result>,
) {
  return async (sent: StoredFile | undefined, keep: unknown): Promise<Result> => {
    const numbers = requireValid(parseKept(keep));
    if (sent && numbers === null) return use(sent);
    if (link?.target.type !== 'DOWNLOAD') throw ERRORS.linkHasNoFile();
    const admit = (all: { fileCount: number; sizeBytes: number }): void => {
      if (all.fileCount > uploads.maxFiles) throw ERRORS.tooManyFiles(uploads.maxFiles);
      if (all.sizeBytes > uploads.maxFileBytes) throw ERRORS.fileTooLarge(toSizeText(uploads.maxFileBytes));
    };
    const kept = { quotaOwner: link.owner, file: link.target.file, numbers: numbers ?? [], sent, admit };
    return useCases.keepFiles(kept, (file) => use(file, link));
  };
}
