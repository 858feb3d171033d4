import { type Attempt, type NewIdAndSalt, toAuditAgent } from '../../model/attempt.ts';
import { clientKeyOf } from '../../model/ip-address.ts';
import { type EpochMs, hasReceiver, type NotifiedLinks } from '../../model/link.ts';
import { isNotified } from '../../model/link-event.ts';
import { MINUTE_MS } from '../../model/time-units.ts';
import type { LinkStore, StartTimer } from '../../ports/ports.ts';

/** Counts the attempts that a limit refuses, and records them together. Their responses do not wait for it. */
export type RefusalRecorder = {
  add(request: Pick<Attempt, 'shortCode' | 'ipAddress' | 'userAgent' | 'purpose'>): void;
  /** Resolves once nothing is under way. */
  settled(): Promise<void>;
  /** Records what was counted. Called when no more attempts come. */
  close(): Promise<void>;
};

/** The short code in the record of unknown codes. No link has it. */
const UNKNOWN_CODE = '…';
/**
 * Bounds the memory, and the disk space that attempts of many clients on many links take: 1.4 million records a day.
 * Further attempts of the minute are recorded together, without a client.
 */
const MAX_RECORDS = 1_000;
const OTHERS = 'others';

/** An attempt, with the number of those like it in its minute. */
type Refusals = Omit<Attempt, 'id' | 'salt'> & { count: number };
type Counted = Map<string, Refusals>;

type Parts = {
  links: Pick<LinkStore, 'find' | 'attempt'>;
  clock: () => EpochMs;
  newIdAndSalt: NewIdAndSalt;
  startTimer: StartTimer;
  notifiedLinks?: NotifiedLinks;
  onError: (error: unknown) => void;
};

/**
 * Prepares recording refused attempts, of which each would take 2.7 kB of SQLite on its own: "one record for a client, link
 * (or `…` for unknown codes) and minute, with their number, written once when the minute ends". It has the time, the
 * address and the user agent of the first of them. What cannot be recorded is reported, and tried again when the next
 * minute ends.
 */
export function prepareRecordRefusals(parts: Parts): RefusalRecorder {
  const { links, clock, startTimer, notifiedLinks, onError } = parts;
  const counted: Counted = new Map();
  const unsettled = new Set<Promise<void>>();
  let cancelTimer: (() => void) | undefined;

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => unsettled.delete(tracked));
    unsettled.add(tracked);
  }

  function waitForMinuteEnd(): void {
    if (counted.size === 0) return;
    cancelTimer ??= startTimer(
      () => {
        cancelTimer = undefined;
        track(recordExcept(minuteOf(clock())).finally(waitForMinuteEnd));
      },
      MINUTE_MS - (clock() % MINUTE_MS),
    );
  }

  /** Records what is not of this minute: what is of a later one was counted by a clock that was ahead. */
  async function recordExcept(minute: number): Promise<void> {
    const ended = [...counted].filter(([, { at }]) => minuteOf(at) !== minute);
    const results = await Promise.allSettled(ended.map(([key]) => record(parts, counted, key)));
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') onError(failed.reason);
  }

  async function settled(): Promise<void> {
    while (unsettled.size > 0) await Promise.all(unsettled);
  }

  return {
    settled,
    add({ shortCode: sentCode, ipAddress, userAgent: agent, purpose }) {
      const at = clock();
      const isBehind = unsettled.size >= MAX_RECORDS;
      const add = async (): Promise<void> => {
        // A link that cannot be looked up soon counts as unknown: the memory is bounded, and no attempt is left out.
        const link = isBehind ? undefined : await links.find(sentCode).catch(() => undefined);
        const userAgent = toAuditAgent(agent, { isCodeKnown: link !== undefined });
        const notifies = isNotified(notifiedLinks, () => link !== undefined && hasReceiver(link));
        const shortCode = link?.shortCode ?? UNKNOWN_CODE;
        const refused = { prechecks: 'RATE_LIMITED', version: null, count: 1, notifies } as const;
        const first = { at, shortCode, ipAddress, userAgent, purpose, ...refused };
        count(counted, first, clientKeyOf(ipAddress));
        waitForMinuteEnd();
      };
      track(add());
    },
    async close() {
      await settled();
      cancelTimer?.();
      await recordExcept(Number.POSITIVE_INFINITY);
    },
  };
}

function count(counted: Counted, first: Refusals, client: string): void {
  const key = `${minuteOf(first.at)} ${first.purpose} ${client} ${first.shortCode}`;
  const known = counted.get(key);
  if (known) known.count += 1;
  else if (counted.size < MAX_RECORDS || client === OTHERS) counted.set(key, first);
  else count(counted, { ...first, shortCode: UNKNOWN_CODE, ipAddress: null, userAgent: null }, OTHERS);
}

async function record({ links, newIdAndSalt }: Parts, counted: Counted, key: string): Promise<void> {
  const refusals = counted.get(key);
  if (!refusals) return;
  counted.delete(key);
  try {
    await links.attempt({ ...refusals, ...newIdAndSalt(refusals.at) });
  } catch (error) {
    const since = counted.get(key)?.count ?? 0; // counted late, while this was being written
    counted.set(key, { ...refusals, count: refusals.count + since });
    throw error;
  }
}

const minuteOf = (at: EpochMs): number => Math.floor(at / MINUTE_MS);
