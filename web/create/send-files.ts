import { ENCRYPTED_NAME, MAX_HELD_CHUNK_BYTES } from '../../client/encryption/encrypted-upload.ts';
import { toOpaqueString } from '../../src/core/model/opaque-string.ts';
import { toRemembered, totalBytesOf } from '../files/chosen-files.ts';
import type { UploadControls } from '../form/upload-progress.tsx';
import type { Created, Restrictions } from '../service/contract.ts';
import { createLink, type NewTarget } from '../service/links.ts';
import type { Outcome } from '../service/outcome.ts';
import { type Progress, unmeasured } from '../service/progress.ts';
import { deleteUpload, RETRY_DELAYS_MS, UPLOADS_PATH, uploadResumably } from '../service/resumable-upload.ts';
import {
  findAbandoned,
  forgetUnfinished,
  holdUpload,
  saveUnfinished,
  type UnfinishedUpload,
} from '../service/unfinished-uploads.ts';
import type { Draft } from './draft.ts';
import { areFilesOf, isViewable, toFileName } from './file-source.ts';
import { isAway, type Sent, toSent } from './sent.ts';

type Sending = {
  chunkBytes: number;
  restrictions: Restrictions;
  /** The title of a text in the list of links. */
  textTitle: string;
  onProgress(progress: Progress): void;
  onStart(controls: UploadControls): void;
};

/**
 * Creates the link of an upload that has arrived. While the service is away, it is tried again, as the parts were. There is one
 * link, because each request has the same key.
 */
async function createOnce(
  target: Extract<NewTarget, { uploadId: string }>,
  sizeBytes: number,
  { restrictions, onProgress, onStart }: Sending,
): Promise<Outcome<Created>> {
  const arrived = unmeasured(sizeBytes, sizeBytes);
  const { promise: cancelled, resolve } = Promise.withResolvers<Outcome<never>>();
  let isCancelled = false;
  onProgress(arrived);
  onStart({
    async cancel() {
      // An upload that is gone has its link, whose response was lost: the next try gets it.
      if (await deleteUpload(UPLOADS_PATH, target.uploadId)) return;
      isCancelled = true;
      resolve({ kind: 'CANCELLED' });
    },
  });
  const create = async ([delayMs, ...others]: readonly number[]): Promise<Outcome<Created>> => {
    const outcome = await createLink(target, restrictions, target.uploadId);
    if (isCancelled || delayMs === undefined || !isAway(outcome)) return outcome;
    onProgress({ ...arrived, state: 'RETRYING' });
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return isCancelled ? outcome : create(others);
  };
  return Promise.race([cancelled, create(RETRY_DELAYS_MS)]);
}

/** The upload of this tab that has no link yet: after a refused term, the bytes are not sent again. */
let ownUpload: UnfinishedUpload | undefined;

/** Uploads files or a text to be encrypted, and creates their link. */
export function sendFiles(draft: Draft, sending: Sending): Promise<Outcome<Sent>> {
  return draft.encrypt ? sendEncrypted(draft, sending) : sendPlain(draft, sending);
}

/** Sends files as they are. An upload of the same files that this browser has not finished goes on. */
async function sendPlain({ source, viewable }: Draft, sending: Sending): Promise<Outcome<Sent>> {
  if (source.kind !== 'FILES') throw new Error('A text that is not encrypted needs no upload');
  const fileName = toFileName(source);
  const remembered = source.files.map(toRemembered);
  const known = [...(ownUpload ? [ownUpload] : []), ...(await findAbandoned())];
  const unfinished = known.find(({ files }) => areFilesOf(source.files, files));
  const released = Promise.withResolvers<void>();
  const keep = (id: string): void => {
    ownUpload = { id, title: fileName, files: remembered };
    saveUnfinished(ownUpload);
    holdUpload(id, released.promise);
  };
  if (unfinished) keep(unfinished.id);
  const upload = uploadResumably({
    path: UPLOADS_PATH,
    files: remembered.map(({ fileName, sizeBytes }) => ({ fileName, sizeBytes })),
    content: new Blob(source.files.map(({ file }) => file)),
    chunkBytes: sending.chunkBytes,
    unfinishedId: unfinished?.id,
    onProgress: sending.onProgress,
    onCreated: keep,
  });
  sending.onStart(upload);
  const uploaded = await upload.outcome;
  const traits = { fileName, ...(viewable && isViewable(source) && { viewable }) };
  const outcome =
    uploaded.kind === 'DONE'
      ? await createOnce({ uploadId: uploaded.value, ...traits }, totalBytesOf(source.files), sending)
      : uploaded;
  if (ownUpload && (outcome.kind === 'DONE' || outcome.kind === 'CANCELLED')) {
    forgetUnfinished(ownUpload.id);
    ownUpload = undefined;
  }
  released.resolve();
  return toSent(outcome, fileName);
}

/** An encrypted upload of this tab that has arrived but has no link yet. */
type EncryptedUpload = Pick<Draft, 'source' | 'passphrase'> & {
  uploadId: string;
  sizeBytes: number;
  fragment: string | null;
};
let ownEncrypted: EncryptedUpload | undefined;

async function sendEncrypted(draft: Draft, sending: Sending): Promise<Outcome<Sent>> {
  const { source, passphrase } = draft;
  if (ownEncrypted?.source !== source || ownEncrypted.passphrase !== passphrase) {
    const uploaded = await uploadEncrypted(draft, sending);
    if (uploaded.kind !== 'DONE') return uploaded;
    ownEncrypted = uploaded.value;
  }
  const { uploadId, sizeBytes, fragment } = ownEncrypted;
  // Whether it is a text is encrypted, too.
  const traits = { fileName: ENCRYPTED_NAME, encrypted: true } as const;
  const outcome = await createOnce({ uploadId, ...traits }, sizeBytes, sending);
  if (outcome.kind === 'DONE' || outcome.kind === 'CANCELLED') ownEncrypted = undefined;
  const title = source.kind === 'FILES' ? toFileName(source) : sending.textTitle;
  return toSent(outcome, title, { fragment, passphrase });
}

/** Encrypts while it uploads. Only this tab can go on with it: the key is stored nowhere. */
async function uploadEncrypted(
  { source, passphrase }: Draft,
  { chunkBytes, onProgress, onStart }: Sending,
): Promise<Outcome<EncryptedUpload>> {
  const { encryptInApp } = await import('../encryption/encrypt-in-app.ts');
  const files =
    source.kind === 'FILES'
      ? source.files.map(({ path, file }) => ({ name: path, file }))
      : [{ name: 'text.txt', file: new Blob([source.text]) }];
  const key =
    passphrase === ''
      ? ({ kind: 'random' } as const)
      : ({ kind: 'passphrase', passphrase: toOpaqueString(passphrase) } as const);
  const encrypted = await encryptInApp(files, key, { isText: source.kind === 'TEXT' });
  const { sizeBytes, fragment } = encrypted;
  const upload = uploadResumably({
    path: UPLOADS_PATH,
    files: [{ fileName: ENCRYPTED_NAME, sizeBytes }],
    content: { sizeBytes, stream: encrypted.stream() },
    chunkBytes: Math.min(chunkBytes, MAX_HELD_CHUNK_BYTES),
    onProgress,
    onCreated: () => undefined,
  });
  onStart(upload);
  const uploaded = await upload.outcome;
  encrypted.close();
  return uploaded.kind === 'DONE'
    ? { kind: 'DONE', value: { source, passphrase, uploadId: uploaded.value, sizeBytes, fragment } }
    : uploaded;
}
