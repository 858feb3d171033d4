import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from './timed-get.ts';

/** Enough that no request waits for a connection. */
const CONNECTIONS = 256;
const TICK_MS = 1;

/**
 * Opens random paths at a constant rate for as long as `isOn`, without waiting for responses: a slow attempt
 * delays those after it, as under real load. Each must be redirected. Returns how long each took, in ms.
 */
export async function pacedLoad(
  target: { url: string; paths: readonly string[] },
  { perSecond, isOn }: { perSecond: number; isOn: () => boolean },
): Promise<number[]> {
  const client = openClient(target.url, { connections: CONNECTIONS });
  const waits: Promise<number>[] = [];
  const startedAt = performance.now();
  do {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    while (waits.length < due) {
      const path = target.paths[Math.floor(Math.random() * target.paths.length)] ?? '/';
      const wait = client.get(path, 302);
      wait.catch(() => {}); // reported when all are awaited
      waits.push(wait);
    }
    await sleep(TICK_MS);
  } while (isOn());
  const waited = await Promise.all(waits);
  client.close();
  return waited;
}
