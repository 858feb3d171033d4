import type { Entry } from '../service/history.ts';

/** What a history says of a recipient: the link was mailed, a code was asked for, the link was opened. */
export const STEPS = ['sent', 'asked', 'opened'] as const;
export type Step = (typeof STEPS)[number];

/** Returns the address of an entry, and what it says of that recipient. */
function stepOf(entry: Entry): { address: string; step: Step } | undefined {
  if (entry.kind !== 'ATTEMPT') {
    const { mailedTo } = entry.details;
    return typeof mailedTo === 'string' ? { address: mailedTo, step: 'sent' } : undefined;
  }
  const { result, recipientAddress: address } = entry;
  if (address === undefined) return undefined;
  if (result === 'SUCCESS') return { address, step: 'opened' };
  return result === 'RECIPIENT_REQUIRED' ? { address, step: 'asked' } : undefined;
}

/** Returns the time of the newest entry of each step of an address. */
export function findSteps(address: string, entries: readonly Entry[]): Partial<Record<Step, string>> {
  const newest: Partial<Record<Step, string>> = {};
  for (const entry of entries) {
    const found = stepOf(entry);
    if (found?.address.toLowerCase() === address.toLowerCase()) newest[found.step] ??= entry.at;
  }
  return newest;
}
