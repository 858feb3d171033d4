import { setTimeout as sleep } from 'node:timers/promises';
import { openClient } from './timed-get.ts';

/** Enough that a request never waits for another one's answer in this process. */
const CONNECTIONS = 256;
const TICK_MS = 1;

/**
 * Opens random ones of the paths at a steady rate, whether answers come or not, for as long as `isOn`: so an
 * attempt that must wait is met by those that come after it, as on the road. Each must be redirected. Gives how
 * long each waited, in ms.
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
      wait.catch(() => {}); // told when all are gathered
      waits.push(wait);
    }
    await sleep(TICK_MS);
  } while (isOn());
  const waited = await Promise.all(waits);
  client.close();
  return waited;
}
