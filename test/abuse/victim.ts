import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Arena, openArena, type StoreKind } from '../drive/arena.ts';
import { type Figure, figure } from '../drive/report.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { send } from '../support/http-client.ts';
import { createLink } from '../support/links.ts';
import { watchLiveness } from '../support/liveness.ts';
import type { ServiceProcess } from '../support/process.ts';
import { residentMemory } from '../support/process-figures.ts';

export const HEAP_MB = 256;
export const MEMORY_LIMIT_MIB = 512;
export const MIB = 1024 ** 2;

/** An attack on a service, and what it may cost. `isLong` rows take minutes. */
export type Row = {
  name: string;
  attack: string;
  mustBe: string;
  isLong?: true;
  run(scene: Scene): Promise<Figure[]>;
};

/** The environment of a row. `scale` reduces the attack; `cleanup` stops what it starts. */
export type Scene = { cleanup: Cleanup; scale: number };
export type Victim = ServiceProcess;

/**
 * Opens an arena for services with a heap of 256 MiB. Their memory limit is checked by the kernel's peak of their resident
 * memory: `ulimit -v` counts addresses that V8 only reserves.
 */
export function openVictims({ cleanup }: Scene, flags: string[] = [], store?: StoreKind): Promise<Arena> {
  const nodeFlags = [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=8'];
  return openArena(cleanup, { flags, nodeFlags, ...(store && { store }) });
}

export async function startVictim(scene: Scene, flags: string[] = []): Promise<Victim> {
  return (await openVictims(scene, flags)).startInstance();
}

/** Returns an attack on a service that it starts with these flags. */
export function onVictim(
  attack: (victim: Victim, scene: Scene) => Promise<Figure[]>,
  flags: string[] = [],
): Row['run'] {
  return async (scene) => attack(await startVictim(scene, flags), scene);
}

/** Attacks a service. Returns how live it was, its peak memory, and how long a visitor waited behind the attack. */
export async function measureAttack(
  victim: Victim,
  attack: () => Promise<void>,
  { livenessMs = 1_000 }: { livenessMs?: number } = {},
): Promise<Figure[]> {
  const shortCode = await createLink(victim);
  const calm = watchLiveness(victim);
  await pause(1_000);
  const { worstMs: calmMs } = await calm.stop();
  const watching = watchLiveness(victim);
  await attack().catch(async (error: unknown) => {
    await watching.stop();
    throw error;
  });
  const liveness = await watching.stop();
  const visit = await timed(() => send(victim, `/l/${shortCode}`));
  return [
    figure.count('failed liveness', liveness.errors.length, 0),
    figure.ms('slowest liveness before the attack', calmMs),
    figure.ms('slowest liveness', liveness.worstMs, livenessMs),
    figure.ms('redirect for a visitor afterwards', visit.ms, 1_000),
    figure.status('its status', visit.result.status, 302),
    peakMemory(victim),
  ];
}

export function peakMemory({ pid }: Victim): Figure {
  const value = residentMemory(pid).peakBytes / MIB;
  return figure.mebibytes('peak memory', value, MEMORY_LIMIT_MIB);
}

export async function timed<T>(act: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const startedAt = performance.now();
  const result = await act();
  return { result, ms: performance.now() - startedAt };
}

/** Returns how much more resident memory an attack makes a service use, at most and after it. */
export async function measureGrowth(
  { pid }: Victim,
  attack: (sample: () => void) => Promise<void>,
): Promise<{ mostMiB: number; leftMiB: number }> {
  const before = residentMemory(pid).nowBytes;
  let most = before;
  const sample = (): void => {
    if (existsSync(`/proc/${pid}`)) most = Math.max(most, residentMemory(pid).nowBytes);
  };
  const sampling = setInterval(sample, 50);
  await attack(sample).finally(() => clearInterval(sampling));
  return { mostMiB: (most - before) / MIB, leftMiB: (residentMemory(pid).nowBytes - before) / MIB };
}

export const scaled = (count: number, { scale }: Scene): number => Math.max(1, Math.round(count * scale));
