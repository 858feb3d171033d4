import { credentialHeaders, loadKey, reportRefusal, TOKEN_HEADER } from './api-key.ts';
import type { Created, Restrictions } from './contract.ts';
import { type Outcome, toRefusal } from './outcome.ts';
import { type Progress, prepareMeasure } from './progress.ts';
import { FINGERPRINT_HEADER, SECRET_HEADER, serviceUrl, toCreated } from './requests.ts';

export type Upload = { outcome: Promise<Outcome<Created>>; cancel(): void };

/**
 * Uploads a file. The browser reads the file from disk while sending, so the page holds none of it. Only
 * XMLHttpRequest reports how much was sent.
 */
export function uploadFile(
  file: File,
  restrictions: Restrictions,
  onProgress: (progress: Progress) => void,
): Upload {
  const request = new XMLHttpRequest();
  const key = loadKey();
  const outcome = new Promise<Outcome<Created>>((resolve) => {
    const measure = prepareMeasure(performance.now());
    request.upload.onprogress = ({ loaded, total }) => onProgress(measure(performance.now(), loaded, total));
    request.onload = () => {
      if (request.status === 401) reportRefusal(key);
      resolve(toOutcome(request));
    };
    request.onerror = () => resolve({ kind: 'UNREACHABLE' });
    request.onabort = () => resolve({ kind: 'CANCELLED' });
  });
  request.open('POST', serviceUrl('api/links/upload'));
  for (const [name, value] of Object.entries({ accept: 'application/json', ...credentialHeaders(key) })) {
    request.setRequestHeader(name, value);
  }
  request.send(toForm(file, restrictions));
  return { outcome, cancel: () => request.abort() };
}

/** Builds the form. The service accepts its parts in any order, and checks the fields at the end. */
function toForm(file: File, restrictions: Restrictions): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(restrictions)) form.append(name, String(value));
  form.append('file', file);
  return form;
}

function toOutcome(request: XMLHttpRequest): Outcome<Created> {
  const { status, responseText } = request;
  if (status === 201) {
    return toCreated({
      body: responseText,
      linkToken: request.getResponseHeader(TOKEN_HEADER),
      webhookSecret: request.getResponseHeader(SECRET_HEADER),
      fingerprint: request.getResponseHeader(FINGERPRINT_HEADER),
    });
  }
  const outcome = toRefusal(status, responseText);
  // To the user the request is the file, so the error is shown at the file.
  return outcome.kind === 'REFUSED' && outcome.field === 'request' ? { ...outcome, field: 'file' } : outcome;
}
