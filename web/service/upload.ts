import type { CreatedLink, Restrictions } from './link.ts';
import { type Outcome, parse, toRefusal } from './outcome.ts';
import { type Progress, prepareMeasure } from './progress.ts';
import { serviceUrl } from './requests.ts';

export type Upload = { outcome: Promise<Outcome<CreatedLink>>; cancel(): void };

/**
 * Uploads a file. The browser reads it from the disk as it sends it, so that the page holds none of it; only
 * XMLHttpRequest tells how much was sent.
 */
export function uploadFile(
  file: File,
  restrictions: Restrictions,
  onProgress: (progress: Progress) => void,
): Upload {
  const request = new XMLHttpRequest();
  const outcome = new Promise<Outcome<CreatedLink>>((resolve) => {
    const measure = prepareMeasure(performance.now());
    request.upload.onprogress = ({ loaded, total }) => onProgress(measure(performance.now(), loaded, total));
    request.onload = () => resolve(toOutcome(request));
    request.onerror = () => resolve({ kind: 'UNREACHABLE' });
    request.onabort = () => resolve({ kind: 'CANCELLED' });
  });
  request.open('POST', serviceUrl('api/links/upload'));
  request.setRequestHeader('accept', 'application/json');
  request.send(toForm(file, restrictions));
  return { outcome, cancel: () => request.abort() };
}

/** The service takes the parts in any order, and judges the fields once the whole form has come. */
function toForm(file: File, restrictions: Restrictions): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(restrictions)) form.append(name, String(value));
  form.append('file', file);
  return form;
}

function toOutcome({ status, responseText }: XMLHttpRequest): Outcome<CreatedLink> {
  const value = parse(responseText);
  // The page and the service are of one version: what the service answers has the shape of its schemas.
  if (status === 201 && value !== undefined) return { kind: 'DONE', value: value as CreatedLink };
  const outcome = toRefusal(status, responseText);
  // To a user the request is the file, so the error is shown beside it.
  return outcome.kind === 'REFUSED' && outcome.field === 'request' ? { ...outcome, field: 'file' } : outcome;
}
