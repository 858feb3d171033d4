import { requestJson, toPath } from './api.ts';
import { credentialHeaders, loadKey, reportRefusal } from './api-key.ts';
import type { LinkDescription } from './contract.ts';
import { type LinkReference, ofLink } from './links.ts';
import { type Outcome, type Refusal, toRefusal } from './outcome.ts';
import { type Progress, prepareMeasure } from './progress.ts';
import { serviceUrl, toDocument } from './requests.ts';
import { UPLOADS_PATH, type UploadPlan, uploadResumably } from './resumable-upload.ts';

export type Upload<Result> = { outcome: Promise<Outcome<Result>>; cancel(): void };

/** Uploads a file of any size in parts, and replaces that of a link. Needs the right to create links. */
export function replaceByUpload(
  link: LinkReference,
  file: File,
  options: Pick<UploadPlan, 'chunkBytes' | 'onProgress'>,
): Upload<LinkDescription> {
  const files = [{ fileName: file.name, sizeBytes: file.size }];
  const plan = { ...options, path: UPLOADS_PATH, files, content: file, onCreated: () => undefined };
  const upload = uploadResumably(plan);
  const replace = async (): Promise<Outcome<LinkDescription>> => {
    const uploaded = await upload.outcome;
    if (uploaded.kind !== 'DONE') return uploaded;
    const body = { uploadId: uploaded.value };
    return requestJson('PUT', '/api/links/{shortCode}/file', { ...ofLink(link), body });
  };
  return { outcome: replace(), cancel: upload.cancel };
}

/**
 * Uploads a file as a form, which replaces that of a link. The browser reads the file from disk while sending, so the page holds none
 * of it. Only XMLHttpRequest reports how much was sent.
 */
export function replaceFile(
  link: LinkReference,
  file: File,
  onProgress: (progress: Progress) => void,
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
  const headers = { accept: 'application/json', ...credentialHeaders(key, link.token) };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const form = new FormData();
  form.append('file', file);
  request.send(form);
  return { outcome, cancel: () => request.abort() };
}

function toFileRefusal(request: XMLHttpRequest): Refusal {
  const outcome = toRefusal(request.status, request.responseText, (name) => request.getResponseHeader(name));
  // To the user the request is the file, so the error is shown at the file.
  return outcome.field === 'request' ? { ...outcome, field: 'file' } : outcome;
}
