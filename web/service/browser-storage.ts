// Wraps `localStorage`, which a browser may forbid or fill up. Then nothing is stored, and nothing fails.

export function getItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function setItem(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Full or forbidden: the page itself is still correct.
  }
}
