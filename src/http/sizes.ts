/** "A body over 1 MiB: 413." */
export const MAX_JSON_BYTES = 1024 * 1024;

/** The most items of a bulk request. */
export const MAX_BULK_ITEMS = 1_000;
/** 4 KiB for each item, about 15 times what a usual one has. The largest possible items have 14 KiB. */
export const MAX_BULK_BYTES = 4 * 1024 * 1024;

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
