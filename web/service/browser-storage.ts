// What this browser keeps for the reader, and tells nobody. A browser may forbid it: then nothing is kept, and
// nothing breaks.

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // Full or forbidden: what is on the page is still right.
  }
}
