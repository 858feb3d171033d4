import { continuationOf, readContinued } from '../../../client/continued-download.ts';
import { type ReadFile, readHeader } from '../../../client/encryption/age-file.ts';
import type { Bytes } from '../../../client/encryption/streams.ts';
import { type DecryptPage, find } from './decrypt-page.ts';

/** The status of a lease that sends no more. */
const GONE = 410;

export class LeaseEndedError extends Error {}

/** The address of the file for further requests under the same view; none before the view is spent. */
export type Lease = { address?: URL | undefined };

/** Returns the lease of a page: its form gets the file, while that of the page of a link spends a view. */
export function leaseOf(form: HTMLFormElement): Lease {
  return form.method === 'get' ? { address: new URL(form.action) } : {};
}

/** Requests the file, which spends a view the first time, and reads its header. */
export async function receiveFile(page: DecryptPage, lease: Lease): Promise<ReadFile> {
  const response = await (lease.address ? fetch(lease.address) : spendView(page.form));
  if (lease.address && response.status === GONE) throw new LeaseEndedError();
  if (!response.ok) {
    if (!lease.address) location.reload(); // the page of the link says why
    throw new Error(String(response.status));
  }
  lease.address ??= continuationOf(response);
  for (const outdated of document.querySelectorAll('[data-before]')) outdated.remove();
  if (lease.address) moveTo(lease.address, page);
  return readHeader(withProgress(readContinued(response, lease.address), page));
}

function spendView(form: HTMLFormElement): Promise<Response> {
  return fetch(location.pathname + location.search, {
    method: 'POST',
    body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
    headers: { accept: 'application/octet-stream' },
  });
}

/** Makes the address of the lease that of the page, so that a reload spends no view. The key stays behind `#`, and nowhere else. */
function moveTo(lease: URL, { texts }: DecryptPage): void {
  find('#about').textContent = texts.again;
  history.replaceState(null, '', new URL(`.${location.hash}`, lease));
}

async function* withProgress(
  bytes: AsyncIterable<Bytes>,
  { texts, bar, sizeBytes, sizeOf }: DecryptPage,
): AsyncGenerator<Bytes, void, void> {
  let receivedBytes = 0;
  bar.max = sizeBytes;
  for await (const chunk of bytes) {
    receivedBytes += chunk.length;
    bar.value = receivedBytes;
    const parts = { done: sizeOf(receivedBytes), total: sizeOf(sizeBytes) };
    const text = texts.progress.replace('{done}', parts.done).replace('{total}', parts.total);
    // Not a status: screen readers would announce each part.
    find('#progress span').textContent = text;
    yield chunk;
  }
}
