import { getItem, own, setItem, UNFINISHED_UPLOADS } from './browser-storage.ts';
import { isRecord, parseJson } from './outcome.ts';

/** A file of an upload, as the service lists it. Names of files in folders have slashes. */
export type UploadedFile = { fileName: string; sizeBytes: number };

/**
 * An upload that is not finished, as this browser remembers it: which files, but none of their bytes, which would take
 * twice the space.
 */
export type UnfinishedUpload = { id: string; title: string; files: RememberedFile[] };
/** `modifiedAt`: the time of the file, by which another content is noticed. */
export type RememberedFile = UploadedFile & { modifiedAt: number };

/** Browsers store at least 5 MB per site. An upload with a longer list of files is not remembered. */
const MAX_CHARACTERS = 200_000;

/** Returns the unfinished uploads, newest first. */
export function loadUnfinished(): UnfinishedUpload[] {
  const stored = parseJson(getItem(own(UNFINISHED_UPLOADS)) ?? '[]');
  return Array.isArray(stored) ? stored.filter(isUnfinished) : [];
}

/** Adds an upload to those that are stored now: another tab may have changed them. */
export function saveUnfinished(upload: UnfinishedUpload): void {
  if (JSON.stringify(upload).length < MAX_CHARACTERS) saveAll([upload, ...others(upload.id)].slice(0, 10));
}

export function forgetUnfinished(id: string): void {
  saveAll(others(id));
}

function others(id: string): UnfinishedUpload[] {
  return loadUnfinished().filter((upload) => upload.id !== id);
}

function saveAll(uploads: UnfinishedUpload[]): void {
  setItem(own(UNFINISHED_UPLOADS), uploads.length === 0 ? null : JSON.stringify(uploads));
}

/** Checks a stored value. Another version, or another program, may have stored something else. */
function isUnfinished(value: unknown): value is UnfinishedUpload {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['title'] === 'string' &&
    Array.isArray(value['files']) &&
    value['files'].every(
      (file: unknown) =>
        isRecord(file) &&
        typeof file['fileName'] === 'string' &&
        typeof file['sizeBytes'] === 'number' &&
        typeof file['modifiedAt'] === 'number',
    )
  );
}

// Each tab holds a lock of the browser on the uploads that it sends. The browser releases it when the tab ends, however that
// happens. Over plain HTTP there are no locks, and an upload of another tab may be offered: the service keeps it correct.

const LOCK_PREFIX = 'postern.upload.';

/** Marks an upload as that of this tab until `released` is settled. */
export function holdUpload(id: string, released: Promise<unknown>): void {
  void navigator.locks?.request(LOCK_PREFIX + id, () => released);
}

/** Returns the unfinished uploads that no tab sends. */
export async function findAbandoned(): Promise<UnfinishedUpload[]> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const names = new Set(held.map(({ name }) => name));
  return loadUnfinished().filter(({ id }) => !names.has(LOCK_PREFIX + id));
}
