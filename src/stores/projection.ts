import { messageOf } from '../common/error-details.ts';
import type { LinkStatus } from '../core/model/link.ts';

/** One of so many entries of a history is one from which its reading can begin. */
export const ENTRIES_PER_JUMP = 128;

/** Numbers of links with each status, or their changes. */
export type StatusCounts = Partial<Record<LinkStatus, number>>;

export function addStatuses(statuses: StatusCounts, added: StatusCounts): void {
  for (const [status, count] of Object.entries(added) as [LinkStatus, number][]) // its keys are statuses
    statuses[status] = (statuses[status] ?? 0) + count;
}

/** Returns the error of a projection that stops at an entry, or at a transaction that begins with it. */
export function notProjected(seq: number | undefined, cause: unknown): Error {
  return new Error(`the entries from seq ${seq} on cannot be counted: ${messageOf(cause)}`, { cause });
}
