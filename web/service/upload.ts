import { requestJson, toPath } from './api.ts';
import { credentialHeaders, loadKey, reportRefusal } from './api-key.ts';
import type { LinkDescription } from './contract.ts';
import { type LinkReference, ofLink } from './links.ts';
import { type Outcome, type Refusal, toRefusal } from './outcome.ts';
import { type Progress, prepareMeasure } from './progress.ts';
import { serviceUrl, toDocument } from './requests.ts';
import { UPLOADS_PATH, type UploadPlan, uploadResumably } from './resumable-upload.ts';

export type Upload<Result> = { outcome: Promise<Outcome<Result>>; cancel(): void };

/** The numbers of the files that stay, with commas between, and the entity tag of the version that has them. */
export type Kept = { keep: string; entityTag: string | null };

/** Removes all files of a link but those that stay. */
export function keepFiles(
  link: LinkReference,
  { keep, entityTag }: Kept,
  upload: { uploadId?: string } = {},
): Promise<Outcome<LinkDescription>> {
  const headers = entityTag !== null && { headers: { 'if-match': entityTag } };
  return requestJson('PUT', '/api/links/{shortCode}/file', {
    ...{ ...ofLink(link), ...headers },
    body: { ...upload, ...(keep !== '' && { keep }) },
  });
}

const NONE: Kept = { keep: '', entityTag: null };

/** Uploads files of any size in parts, which replace those of a link that do not stay. Needs the right to create links. */
export function replaceByUpload(
  link: LinkReference,
  sent: readonly File[],
  options: Pick<UploadPlan, 'chunkBytes' | 'onProgress'>,
  kept = NONE,
): Upload<LinkDescription> {
  const files = sent.map(({ name, size }) => ({ fileName: name, sizeBytes: size }));
  const content = new Blob([...sent]);
  const plan = { ...options, path: UPLOADS_PATH, files, content, onCreated: () => undefined };
  const upload = uploadResumably(plan);
  const replace = async (): Promise<Outcome<LinkDescription>> => {
    const uploaded = await upload.outcome;
    if (uploaded.kind !== 'DONE') return uploaded;
    return keepFiles(link, kept, { uploadId: uploaded.value });
  };
  return { outcome: replace(), cancel: upload.cancel };
}

/**
 * Uploads files as a form, which replace those of a link that do not stay. The browser reads them from disk while sending, so the page
 * holds none of them. Only XMLHttpRequest reports how much was sent.
 */
export function replaceFile(
  link: LinkReference,
  files: readonly File[],
  onProgress: (progress: Progress) => void,
  { keep, entityTag } = NONE,
): Upload<LinkDescription> {
  const request = new XMLHttpRequest();
  const key = loadKey();
  const outcome = new Promise<Outcome<LinkDescription>>((resolve) => {
    const measure = prepareMeasure(performance.now());
    request.upload.onprogress = ({ loaded, total }) => onProgress(measure(performance.now(), loaded, total));
    request.onload = () => {
      const { status, responseText } = request;
      if (status === 401) reportRefusal(key);
      resolve(status === 200 ? toDocument(responseText) : toFileRefusal(request));
    };
    request.onerror = () => resolve({ kind: 'UNREACHABLE' });
    request.onabort = () => resolve({ kind: 'CANCELLED' });
  });
  request.open('PUT', serviceUrl(toPath('/api/links/{shortCode}/file', ofLink(link))));
  const condition = entityTag !== null && { 'if-match': entityTag };
  const headers = { accept: 'application/json', ...condition, ...credentialHeaders(key, link.token) };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const form = new FormData();
  form.append('keep', keep);
  for (const file of files) form.append('file', file);
  request.send(form);
  return { outcome, cancel: () => request.abort() };
}

function toFileRefusal(request: XMLHttpRequest): Refusal {
  const outcome = toRefusal(request.status, request.responseText, (name) => request.getResponseHeader(name));
  // To the user the request is the file, so the error is shown at the file.
  return outcome.field === 'request' ? { ...outcome, field: 'file' } : outcome;
}
