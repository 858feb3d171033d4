import type { Arena } from '../arena.ts';

const HOUR_MS = 3_600_000;

export const clockForward = (arena: Arena): Promise<void> => jump(arena, HOUR_MS);
export const clockBack = (arena: Arena): Promise<void> => jump(arena, -HOUR_MS);

async function jump(arena: Arena, offsetMs: number): Promise<void> {
  await arena.moveClock(offsetMs);
  await arena.hold();
  await arena.moveClock(0);
}
