import type { EpochMs } from '../../links/link.ts';
import type { TimeRange } from '../../links/ports.ts';

/** The ids from `first` on that come before `end`. */
export type IdRange = { first: Uint8Array; end: Uint8Array };

/** No UUIDv7 has it: its version and variant are other digits. */
const AFTER_LAST_ID = new Uint8Array(16).fill(0xff);
const MAX_ID_TIME = 2 ** 48 - 1;

/** Returns the ids of a range of time: a UUIDv7 begins with its milliseconds, 48 bits, high byte first (RFC 9562, 5.7). */
export function idsOf({ start, end }: TimeRange): IdRange {
  return { first: firstIdAt(start ?? 0), end: end === null ? AFTER_LAST_ID : firstIdAt(end) };
}

function firstIdAt(time: EpochMs): Uint8Array {
  const id = Buffer.alloc(16);
  id.writeUIntBE(Math.min(Math.max(time, 0), MAX_ID_TIME), 0, 6);
  return id;
}
