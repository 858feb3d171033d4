/** "at most 255 bytes", the limit of common file systems. */
const MAX_BYTES = 255;

/** A longer "extension" is more likely the end of a sentence, and may be cut. */
const MAX_EXTENSION_BYTES = 16;

/**
 * Control characters, line separators, and format characters that are invisible: those of text direction
 * (`a\u202Efdp.exe` is displayed as `aexe.pdf`), zero-width spaces, tags. The two joiners stay: words of
 * Persian and Hindi, and many emoji, need them.
 */
export const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}[[\p{Cf}&&\p{Default_Ignorable_Code_Point}]--[\u200c\u200d]]]/gv;

/** Cleans a name. "The original file name is kept without any path, control characters removed, at most 255 bytes." */
export function cleanFileName(name: string | undefined): string {
  const text = (name ?? '').toWellFormed();
  const afterPath = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  const cleaned = afterPath.replace(CONTROLS, '');
  return cleaned === '' || cleaned === '.' || cleaned === '..' ? 'file' : shorten(cleaned);
}

/** Names that Windows gives to devices, also before an extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

/** Most names need no more than one look: those of 10,000 files take 5 instead of 60 ms. */
const ORDINARY = /^\w(?:[\w ().-]{0,200}[\w)])?$/;

/**
 * Returns the name that a file gets where it is saved or unpacked: one that is not hidden, and that every system can hold.
 * What is not allowed becomes `_`.
 */
export function toLocalName(name: string): string {
  if (ORDINARY.test(name) && !DEVICE.test(name)) return name;
  const cleaned = cleanFileName(name.replaceAll(/[\\/:*?"<>|]/g, '_'));
  const plain = cleaned.replace(/^\.+/, '_').replace(/[. ]$/, '_');
  return DEVICE.test(plain) ? cleanFileName(`_${plain}`) : plain;
}

function shorten(name: string): string {
  if (byteLength(name) <= MAX_BYTES) return name;
  const { stem, extension } = splitName(name);
  return cutToBytes(stem, MAX_BYTES - byteLength(extension)) + extension;
}

/** Returns a name as its stem and its extension with the dot, which is empty for none. */
export function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  const isExtension = dot > 0 && byteLength(name.slice(dot)) <= MAX_EXTENSION_BYTES;
  const end = isExtension ? dot : name.length;
  return { stem: name.slice(0, end), extension: name.slice(end) };
}

/** Returns the size of a text in UTF-8. */
export const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** Returns the longest prefix of whole code points that fits into `maxBytes` of UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}
