import { type Arena, s3Of } from '../arena.ts';

/** Makes object storage refuse connections. */
export async function s3Stopped(arena: Arena): Promise<void> {
  const listenAgain = await s3Of(arena).interrupt();
  await arena.hold();
  await listenAgain();
}

const DELAY_MS = 500;

export async function s3Slow(arena: Arena): Promise<void> {
  const end = s3Of(arena).failEverything({ kind: 'slow', delayMs: DELAY_MS });
  await arena.hold();
  end();
}

export async function s3Silent(arena: Arena): Promise<void> {
  const end = s3Of(arena).failEverything({ kind: 'hang' });
  await arena.hold();
  end();
}
