/** Decodes percent-encoding. Returns undefined where it is malformed, or not UTF-8. */
export function tryToDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Decodes percent-encoding. Bytes that are not UTF-8 become U+FFFD, and what is malformed stays. */
export function decodeLeniently(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}

const UNENCODED = /[^\x21-\x7e]+/g;

/** Percent-encodes what a header cannot carry as it is: white space, control characters and what is outside ASCII. */
export function encodeUnsafe(text: string): string {
  return text.toWellFormed().replace(UNENCODED, encodeURIComponent);
}
