import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../support/figures.ts';
import { ACTIONS, type Action, DEFAULT_PER_SECOND, type Scene } from './actions.ts';

/** The figures of a load since they were last taken. */
export type LoadFigures = { actions: number; errors: string[]; p99Ms: number; skipped: number };

const TICK_MS = 20;
/** Beyond this the service is so slow that the load skips actions, and counts them. */
const MAX_RUNNING = 300;
/** Actions that are slow by design have no time of their own. */
const TIMED = new Set(['open', 'open a hot link', 'HEAD', 'unknown code', 'create']);

/** A load at a steady rate. It does not wait for responses: a slow one delays no other. */
export type MixedLoad = { take(): LoadFigures; stop(): Promise<void> };

export function startMixedLoad(scene: Scene, perSecond: number = DEFAULT_PER_SECOND): MixedLoad {
  const running = new Set<Promise<void>>();
  const choose = prepareChoice(scene.randomInt);
  let figures = newFigures();
  let isOn = true;

  async function run(action: Action): Promise<void> {
    const startedAt = performance.now();
    try {
      await action.run(scene);
      if (TIMED.has(action.name)) figures.timesMs.push(performance.now() - startedAt);
    } catch (error) {
      figures.errors.push(`${action.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function start(): void {
    figures.actions += 1;
    if (running.size >= MAX_RUNNING) {
      figures.skipped += 1;
      return;
    }
    const done = run(choose()).then(() => void running.delete(done));
    running.add(done);
  }

  async function pace(): Promise<void> {
    const startedAt = performance.now();
    for (let started = 0; isOn; await sleep(TICK_MS)) {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      for (; started < due; started++) start();
    }
  }

  const pacing = pace();
  return {
    take() {
      const { timesMs, ...taken } = figures;
      figures = newFigures();
      return { ...taken, p99Ms: quantile(timesMs, 0.99) };
    },
    async stop() {
      isOn = false;
      await pacing;
      await Promise.all(running);
    },
  };
}

function newFigures() {
  return { actions: 0, errors: [] as string[], timesMs: [] as number[], skipped: 0 };
}

/** Returns a choice among the actions by how often each runs. */
function prepareChoice(randomInt: Scene['randomInt']): () => Action {
  const total = ACTIONS.reduce((sum, { perMinute }) => sum + perMinute, 0);
  return () => {
    let left = randomInt(total);
    const chosen = ACTIONS.find(({ perMinute }) => {
      left -= perMinute;
      return left < 0;
    });
    if (!chosen) throw new RangeError('no action was chosen');
    return chosen;
  };
}
