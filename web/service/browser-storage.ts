// Wraps the storage of a browser, which it may forbid or fill up. Then nothing is stored, and nothing fails.

/** The key of the uploads that are not finished. */
export const UNFINISHED_UPLOADS = 'postern.uploads';

type StorageName = 'localStorage' | 'sessionStorage';

export function getItem(key: string, storage: StorageName = 'localStorage'): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value; null removes it. */
export function setItem(key: string, value: string | null, storage: StorageName = 'localStorage'): void {
  try {
    if (value === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, value);
  } catch {
    // Full or forbidden: the page itself is still correct.
  }
}
