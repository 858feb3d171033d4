/** The beginning of a file by which its type is found. */
export const SHOWN_BYTES = 64;

/**
 * The types of files that browsers show without running any of it on a page, unlike SVG, by their first bytes in Latin-1. A PDF has a
 * viewer of its own. A browser that lacks a codec shows nothing, and offers the download.
 */
const TYPES: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^\x89PNG\r\n.\n/s, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^.{4}ftypavi[fs]/s, 'image/avif'],
  [/^%PDF-/, 'application/pdf'],
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^fLaC/, 'audio/flac'],
  [/^(?:ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb])/, 'audio/mpeg'], // a tag, or the first frame of layer 3
  [/^.{4}ftypM4[AB] /s, 'audio/mp4'],
  [/^.{4}ftyp(?:iso[m2-9]|mp4[12]|avc1|M4V |dash)/s, 'video/mp4'],
  [/^.E\xdf\xa3.{0,48}B\x82.webm/s, 'video/webm'], // not every file of Matroska
  [/^OggS.{24}(?:OpusHead|.vorbis|\x7fFLAC)/s, 'audio/ogg'],
  [/^OggS.{24}(?:\x80theora|fishead)/s, 'video/ogg'],
];

/** The types, as people read them. */
export const SHOWN_KINDS =
  'a PDF, a picture (PNG, JPEG, GIF, WebP or AVIF), audio (MP3, M4A, WAV, FLAC or Ogg) or video (MP4, WebM or Ogg)';

/** Returns the media type of a file that browsers can show, by its first bytes; undefined for any other file. */
export function findShownType(bytes: Buffer): string | undefined {
  const beginning = bytes.toString('latin1', 0, SHOWN_BYTES);
  return TYPES.find(([pattern]) => pattern.test(beginning))?.[1];
}
