/** "A body over 1 MiB: 413." */
export const MAX_JSON_BYTES = 1024 * 1024;

/** The most items of a bulk request. */
export const MAX_BULK_ITEMS = 1_000;
/** 4 KiB for each item, about 15 times what a usual one has. The largest possible items have 14 KiB. */
export const MAX_BULK_BYTES = 4 * 1024 * 1024;

/**
 * 50 for each item of a bulk request, which has at most 35. The most costly ones take 1 µs each to parse, and 200 bytes;
 * 4 MB of them would take 0.4 s and 110 MB.
 */
export const MAX_JSON_VALUES = 50_000;

const UNITS = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['KB', 1024],
] as const;

/** Formats a size as the configuration does, in the largest unit that is exact: 52428800 is `50MB`. */
export function toSizeText(bytes: number): string {
  const unit = UNITS.find(([, size]) => bytes % size === 0 && bytes > 0);
  return unit ? `${bytes / unit[1]}${unit[0]}` : `${bytes}B`;
}
