import { credentialHeaders, loadKey, reportRefusal, TOKEN_HEADER } from './api-key.ts';
import type { Created, LinkDescription, Restrictions } from './contract.ts';
import { type LinkReference, linkPath } from './links.ts';
import { type Outcome, toRefusal } from './outcome.ts';
import { type Progress, prepareMeasure } from './progress.ts';
import { FINGERPRINT_HEADER, SECRET_HEADER, serviceUrl, toCreated, toDocument } from './requests.ts';

export type Upload<Result = Created> = { outcome: Promise<Outcome<Result>>; cancel(): void };

/** Where a file is sent, with the token of its link. `toOutcome`: reads the response. */
type Route<Result> = {
  method: 'POST' | 'PUT';
  path: string;
  token?: string | undefined;
  toOutcome(request: XMLHttpRequest): Outcome<Result>;
};

/** Uploads a file, and creates its link. */
export function uploadFile(
  file: File,
  restrictions: Restrictions,
  onProgress: (progress: Progress) => void,
): Upload {
  const route = { method: 'POST', path: 'api/links/upload', toOutcome: toCreation } as const;
  return send(route, toForm(file, restrictions), onProgress);
}

/** Uploads a file that replaces that of a link. */
export function replaceFile(
  link: LinkReference,
  file: File,
  onProgress: (progress: Progress) => void,
): Upload<LinkDescription> {
  const route = { method: 'PUT', path: `${linkPath(link)}/file`, token: link.token } as const;
  const toOutcome = ({ status, responseText }: XMLHttpRequest) =>
    status === 200 ? toDocument<LinkDescription>(responseText) : toFileRefusal(status, responseText);
  return send({ ...route, toOutcome }, toForm(file, {}), onProgress);
}

/**
 * Sends a form with a file. The browser reads the file from disk while sending, so the page holds none of it. Only
 * XMLHttpRequest reports how much was sent.
 */
function send<Result>(
  { method, path, token, toOutcome }: Route<Result>,
  form: FormData,
  onProgress: (progress: Progress) => void,
): Upload<Result> {
  const request = new XMLHttpRequest();
  const key = loadKey();
  const outcome = new Promise<Outcome<Result>>((resolve) => {
    const measure = prepareMeasure(performance.now());
    request.upload.onprogress = ({ loaded, total }) => onProgress(measure(performance.now(), loaded, total));
    request.onload = () => {
      if (request.status === 401) reportRefusal(key);
      resolve(toOutcome(request));
    };
    request.onerror = () => resolve({ kind: 'UNREACHABLE' });
    request.onabort = () => resolve({ kind: 'CANCELLED' });
  });
  request.open(method, serviceUrl(path));
  for (const [name, value] of Object.entries({
    accept: 'application/json',
    ...credentialHeaders(key, token),
  })) {
    request.setRequestHeader(name, value);
  }
  request.send(form);
  return { outcome, cancel: () => request.abort() };
}

/** Builds the form. The service accepts its parts in any order, and checks the fields at the end. */
function toForm(file: File, restrictions: Restrictions): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(restrictions)) form.append(name, String(value));
  form.append('file', file);
  return form;
}

function toCreation(request: XMLHttpRequest): Outcome<Created> {
  const { status, responseText } = request;
  if (status === 201) {
    return toCreated({
      body: responseText,
      linkToken: request.getResponseHeader(TOKEN_HEADER),
      webhookSecret: request.getResponseHeader(SECRET_HEADER),
      fingerprint: request.getResponseHeader(FINGERPRINT_HEADER),
    });
  }
  return toFileRefusal(status, responseText);
}

function toFileRefusal(status: number, text: string): Outcome<never> {
  const outcome = toRefusal(status, text);
  // To the user the request is the file, so the error is shown at the file.
  return outcome.kind === 'REFUSED' && outcome.field === 'request' ? { ...outcome, field: 'file' } : outcome;
}
