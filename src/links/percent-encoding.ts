/** Decodes percent-encoding. Returns undefined where it is malformed, or not UTF-8. */
export function tryToDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
