import { type Figures, figuresOf } from './figures.ts';
import { type Load, type LoadResult, runLoad } from './load.ts';
import type { Server } from './processes.ts';
import type { Effort, Row } from './scenario.ts';

const WARM_UP_SECONDS = 2;

type Side = { server: Server; load: Omit<Load, 'url' | 'seconds'> };

/**
 * Measures the service beside its baseline, in turn, round by round: the machine's moods meet both, and the
 * ratio is taken within a round.
 */
export async function compare(options: {
  service: Side;
  baseline: Side;
  directory: string;
  effort: Effort;
  goals: { ratio: number; p99Ms?: number };
}): Promise<Row[]> {
  const { service, baseline, directory, effort, goals } = options;
  const run = ({ server, load }: Side, seconds: number) =>
    runLoad({ ...load, url: server.url, seconds }, directory);
  await run(baseline, WARM_UP_SECONDS);
  await run(service, WARM_UP_SECONDS);
  const rounds: { ours: LoadResult; theirs: LoadResult }[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const theirs = await run(baseline, effort.seconds);
    rounds.push({ theirs, ours: await run(service, effort.seconds) });
  }
  const figures = (pick: (round: { ours: LoadResult; theirs: LoadResult }) => number): Figures =>
    figuresOf(rounds.map(pick));
  return [
    { what: 'baseline', figures: figures(({ theirs }) => theirs.requestsPerSecond), unit: 'req/s' },
    { what: 'Postern', figures: figures(({ ours }) => ours.requestsPerSecond), unit: 'req/s' },
    {
      what: 'Postern / baseline',
      figures: figures(({ ours, theirs }) => ours.requestsPerSecond / theirs.requestsPerSecond),
      unit: 'ratio',
      goal: { atLeast: goals.ratio },
    },
    {
      what: 'p99',
      figures: figures(({ ours }) => ours.p99Ms),
      unit: 'ms',
      ...(goals.p99Ms !== undefined && { goal: { atMost: goals.p99Ms } }),
    },
  ];
}
