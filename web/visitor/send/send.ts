import { createPartSize } from '../../../client/part-size.ts';
import { findProxyError, type ProxyErrorCode } from '../../../client/proxy-response.ts';
import { formatBytes, formatDateTime } from '../../../src/common/format.ts';
import { chooseLocale, isLanguage } from '../../../src/common/languages.ts';
import { type ChosenFile, totalBytesOf } from '../../files/chosen-files.ts';
import { prepareChoice } from './choose-files.ts';

// Sends the files of a file request in parts. What arrived before the line broke counts.

const MAX_TRIES = 30;
const MAX_PAUSE_MS = 30_000;
/** Statuses of errors that pass. 409: the offset has moved, or other uploads have the room. 423: the former request has not ended yet. */
const PASSING = [0, 409, 423, 429, 500, 502, 503, 504];
const TUS = { 'tus-resumable': '1.0.0' };

/**
 * The page of a response that ends a submission: the receipt, or why it was refused. `files`: what the browser encrypted.
 * Null: with a text in the form.
 */
type Ended = { markup: string; files: { name: string; size: number }[] } | null;

/** The content to send, in one piece. `read` yields a part from where the service has it, at most `chunkBytes` long. */
export type Content = {
  files: { fileName: string; sizeBytes: number }[];
  sizeBytes: number;
  /** Smaller than what the service takes, if a part must be in memory. */
  maxChunkBytes?: number;
  read(offset: number, chunkBytes: number): Promise<Blob>;
};

declare global {
  /** Of the script `encrypt/encrypt.ts`, which only a page has that encrypts. */
  var encryptContent: ((files: readonly ChosenFile[]) => Promise<Content>) | undefined;
  /** Of this script, which only the pages of file requests have. */
  var sendFiles: ((form: HTMLFormElement) => Promise<Ended>) | undefined;
}

globalThis.sendFiles = sendAndSubmit;
const shown = document.querySelector<HTMLFormElement>('[data-request]');
const chosenFiles = shown ? prepareChoice(shown, (files) => checkLimits(readForm(shown, files))) : () => [];
if (shown) showSent();

/** A form with its files, and how it says what becomes of them. `show` without a text removes the former one. */
type Sending = {
  form: HTMLFormElement;
  files: readonly ChosenFile[];
  locale: string;
  text(name: string): string;
  show(text?: string, isError?: boolean): void;
  /** Shows that a limit is exceeded, and by what. */
  showExcess(limit: string | undefined, chosen: string): void;
};

function readForm(form: HTMLFormElement, files: readonly ChosenFile[]): Sending {
  const status = form.querySelector<HTMLElement>('[role=status]');
  const fields = new FormData(form);
  const show = (text = '', isError = true): void => {
    status?.replaceChildren(text);
    status?.classList.toggle('field-error', isError);
  };
  return {
    form,
    files,
    locale: document.documentElement.lang,
    text: (name) => String(fields.get(name) ?? ''),
    show,
    showExcess: (limit, chosen) => show(`${limit}. ${form.dataset['chosen']?.replace('{chosen}', chosen)}`),
  };
}

/** Returns whether a request takes the files of a form; shows which limit they exceed. */
function checkLimits(sending: Sending, sizeBytes = totalBytesOf(sending.files)): boolean {
  const { form, files, locale, showExcess } = sending;
  const { maxFiles, tooMany, maxBytes, tooLarge } = form.dataset;
  if (files.length > Number(maxFiles || files.length))
    showExcess(tooMany, files.length.toLocaleString(locale));
  else if (sizeBytes > Number(maxBytes || sizeBytes)) showExcess(tooLarge, formatBytes(sizeBytes, locale));
  else return true;
  return false;
}

/** Sends the files of a form, and submits them. */
async function sendAndSubmit(form: HTMLFormElement): Promise<Ended> {
  const sending = readForm(form, chosenFiles());
  const { files, show } = sending;
  if (!checkLimits(sending)) return null;
  show(form.dataset['sending'], false);
  const content = (await globalThis.encryptContent?.(files)) ?? toContent(files);
  if (!checkLimits(sending, content.sizeBytes)) return null;
  const address = new URL(`${location.pathname}/uploads`, location.href).href;
  const created = await createUpload(address, content, sending);
  if (!created) return null;
  const { uploadId, chunkBytes } = created;
  const options = {
    chunkBytes,
    onProgress: prepareProgress(content.sizeBytes, sending),
    onWaiting: (isOccupied: boolean) => show(form.dataset[isOccupied ? 'occupied' : 'waiting']),
  };
  addEventListener('beforeunload', askToStay);
  try {
    if (await upload(`${address}/${uploadId}`, content, options)) return await submit(uploadId, sending);
    show(form.dataset['proxyLimit']);
    return null;
  } finally {
    removeEventListener('beforeunload', askToStay);
  }
}

/** Lets the browser ask before the page is left, which would end the upload. */
const askToStay = (event: BeforeUnloadEvent): void => event.preventDefault();

type Created = { uploadId: string; chunkBytes: number };

/** Creates an upload. Returns null after an error, which is shown. */
async function createUpload(address: string, content: Content, sending: Sending): Promise<Created | null> {
  const created = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-link-password': toHeader(sending.text('password')) },
    body: JSON.stringify({ files: content.files }),
  });
  if (created.ok) return (await created.json()) as Created; // as the API has it
  const { form, files, locale, show, showExcess } = sending;
  const { sendFailed, wrongPassword } = form.dataset;
  if (created.status === 410 || created.status === 403)
    location.reload(); // the page says why
  else if (created.status === 401) show(wrongPassword);
  else if (created.status === 413 || created.status === 400) {
    // The limit of the service, or one that the request got meanwhile.
    const { params } = (await created.json()) as { params?: { max?: string | number } }; // an error record
    const isCount = typeof params?.max === 'number';
    const chosen = isCount ? String(files.length) : formatBytes(content.sizeBytes, locale);
    if (params?.max === undefined) show(sendFailed);
    else showExcess(`≤ ${params.max}`, chosen);
  } else show(sendFailed);
  return null;
}

/** Shows the progress of an upload, which has begun. Returns a function that updates it. */
function prepareProgress(totalBytes: number, { form, locale, show }: Sending): (sentBytes: number) => void {
  const [progress, box] = [form.querySelector('progress'), form.querySelector<HTMLElement>('.progress')];
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const { sending } = form.dataset;
  const update = (sentBytes: number): void => {
    if (!progress || !box) return;
    box.hidden = false;
    progress.value = sentBytes / totalBytes;
    progress.nextElementSibling?.replaceChildren(percent.format(progress.value));
    if (form.querySelector('[role=status]')?.textContent !== sending) show(sending, false);
  };
  update(0);
  return update;
}

async function submit(uploadId: string, { files, text }: Sending): Promise<Ended> {
  const encrypted = globalThis.encryptContent !== undefined;
  const password = text('password');
  const response = await fetch(location.href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/html' },
    body: JSON.stringify({
      ...{ uploadId, sender: text('sender'), note: text('note'), encrypted },
      ...(password !== '' && { password }),
    }),
  });
  if (response.ok) keepSent(files.length);
  const sent = files.map(({ path, file }) => ({ name: path, size: file.size }));
  return { markup: await response.text(), files: encrypted ? sent : [] };
}

/** Keeps for this tab how many files arrived, and when: the page says so when it is loaded again. */
function keepSent(count: number): void {
  try {
    const before = Number.parseInt(sessionStorage.getItem(location.pathname) ?? '', 10) || 0;
    sessionStorage.setItem(location.pathname, `${before + count} ${Date.now()}`);
  } catch {
    // The browser stores nothing.
  }
}

/** Says how many files this tab sent before, and when. */
function showSent(): void {
  const box = document.querySelector<HTMLElement>('[data-sent]');
  const { lang } = document.documentElement;
  try {
    const [count, at] = sessionStorage.getItem(location.pathname)?.split(' ').map(Number) ?? [];
    if (!box || count === undefined || at === undefined) return;
    const text = (count === 1 ? box.dataset['sent'] : box.textContent) ?? '';
    const locale = isLanguage(lang) ? chooseLocale(lang, navigator.languages) : lang;
    box.textContent = text
      .replace('{count}', count.toLocaleString(locale))
      .replace('{time}', formatDateTime(new Date(at), locale));
    box.hidden = false;
  } catch {
    // The browser stores nothing.
  }
}

function toContent(files: readonly ChosenFile[]): Content {
  const all = new Blob(files.map(({ file }) => file));
  return {
    files: files.map(({ path, file }) => ({ fileName: path, sizeBytes: file.size })),
    sizeBytes: totalBytesOf(files),
    read: async (offset, chunkBytes) => all.slice(offset, offset + chunkBytes),
  };
}

type UploadOptions = {
  chunkBytes: number;
  onProgress(sentBytes: number): void;
  /** Called when a part did not arrive, before it is sent again. `isOccupied`: until other uploads make room. */
  onWaiting(isOccupied: boolean): void;
};

/**
 * Sends content from where the service has it. Returns false where a proxy lets not even small parts pass.
 *
 * @throws when the line stays broken, or the upload is gone
 */
async function upload(
  address: string,
  content: Content,
  { chunkBytes, onProgress, onWaiting }: UploadOptions,
): Promise<boolean> {
  const partSize = createPartSize(Math.min(chunkBytes, content.maxChunkBytes ?? chunkBytes));
  let offset = 0;
  for (let tries = 0; offset < content.sizeBytes; tries++) {
    const chunk = await content.read(offset, partSize.bytes);
    const {
      status: sent,
      code,
      isOccupied,
    } = await sendChunk(address, chunk, offset, (bytes) => onProgress(offset + bytes));
    const isSmaller = partSize.shrink(code, chunk.size);
    if (code === 'PROXY_TOO_LARGE') {
      if (isSmaller) continue;
      return false;
    }
    if (sent === 204) {
      partSize.arrived(chunk.size);
      offset += chunk.size;
      tries = -1;
      continue;
    }
    if (!PASSING.includes(sent) || (tries >= MAX_TRIES && !isOccupied))
      throw new Error(`The upload ended with ${sent}`);
    onWaiting(isOccupied);
    await new Promise((resolve) => setTimeout(resolve, Math.min(1_000 * 2 ** tries, MAX_PAUSE_MS)));
    const found = await fetch(address, { method: 'HEAD', headers: TUS }).catch(() => undefined);
    if (found?.ok) offset = Number(found.headers.get('upload-offset'));
  }
  return true;
}

/** Sends a part. Returns the status of the response, 0 without one, and the code of a proxy. A fetch would report no progress. */
function sendChunk(
  address: string,
  chunk: Blob,
  offset: number,
  onProgress: (sentBytes: number) => void,
): Promise<{ status: number; code: ProxyErrorCode | undefined; isOccupied: boolean }> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('PATCH', address);
    const headers = {
      ...TUS,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    const header = (name: string): string | null => request.getResponseHeader(name);
    request.addEventListener('loadend', () => {
      const { status, responseText } = request;
      const isRecord = responseText.startsWith('{');
      const found = findProxyError({
        status,
        header,
        record: isRecord ? { message: responseText } : undefined,
      });
      const isOccupied = status === 409 && responseText.includes('REQUEST_OCCUPIED');
      resolve({ status, code: found?.code, isOccupied });
    });
    request.send(chunk);
  });
}

/** Returns a text as the value of a header: its UTF-8 bytes, each as a character. */
function toHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
