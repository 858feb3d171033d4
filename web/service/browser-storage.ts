// Wraps the storage of a browser, which it may forbid or fill up. Then nothing is stored, and nothing fails.
//
// What a user stores has a key that ends with the name of that user, so that another user of the browser does not get it, also
// after a session that ended by itself. A sign-out deletes it. The language, the keys and the links that were made
// without signing in belong to the browser.

/** The key of the uploads that are not finished. */
export const UNFINISHED_UPLOADS = 'postern.uploads';

const PREFIX = 'postern.';
/** Changes with each sign-out, so that pages of other tabs, and those that the browser has set aside, notice it. */
export const SIGN_OUT = 'postern.sign-out';

type StorageName = 'localStorage' | 'sessionStorage';

let suffix = '';

/** Sets the user of the page; empty for one who has not signed in. */
export function setUser(user: string): void {
  suffix = user && `@${user}`;
}

/** Returns the key of what belongs to the user of the page. */
export function own(key: string): string {
  return key + suffix;
}

/** Deletes what the user has stored, and all that this tab has. */
export function forgetUser(): void {
  try {
    for (const storage of [sessionStorage, localStorage])
      for (const key of Object.keys(storage))
        if (key.startsWith(PREFIX) && (storage === sessionStorage || (suffix && key.endsWith(suffix))))
          storage.removeItem(key);
  } catch {
    // A browser that forbids the storage has stored nothing.
  }
}

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
