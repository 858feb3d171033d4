import { CLOCK_TOLERANCE_MS } from '../../drive/arena.ts';
import type { Arena } from '../arena.ts';

const HOUR_MS = 3_600_000;

export const clockForward = (arena: Arena): Promise<void> => jump(arena, HOUR_MS);
export const clockBack = (arena: Arena): Promise<void> => jump(arena, -HOUR_MS);

async function jump(arena: Arena, offsetMs: number): Promise<void> {
  await arena.moveClock(offsetMs);
  const movedAt = performance.now();
  await arena.hold();
  const agents = arena.clients.history.entries
    .filter(({ sentAt, outcome }) => sentAt >= movedAt && outcome !== undefined)
    .map(({ agent }) => agent);
  await arena.moveClock(0);
  await judgeRecords(arena, new Set(agents), offsetMs);
}

/** Checks that the records of these requests have the time of the moved clock. */
async function judgeRecords(arena: Arena, agents: ReadonlySet<string>, offsetMs: number): Promise<void> {
  const { clients, report } = arena;
  await clients.pause();
  const { audit } = await arena.readState();
  clients.resume();
  const records = audit.filter(({ userAgent }) => agents.has(userAgent ?? ''));
  const late = Date.now() + offsetMs;
  const wrong = records.filter(
    ({ accessedAt }) => Math.abs(accessedAt - late) > arena.holdMs + CLOCK_TOLERANCE_MS,
  );
  if (records.length === 0) report('No attempt was recorded while the clock was moved');
  if (wrong.length > 0)
    report(`${wrong.length} of ${records.length} records have another time than the clock`);
}
