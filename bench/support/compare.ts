import { figuresOf } from './figures.ts';
import type { Effort, Row, Unit } from './scenario.ts';

const WARM_UP_SECONDS = 2;

/** One measurement. A subject leaves out what it does not measure. */
export type Measured = {
  /** Requests, hashes or megabytes per second. */
  rate: number;
  p50Ms?: number;
  p99Ms?: number;
  /** CPU time for one request, over all cores. */
  processorUs?: number;
};

/** `ratio` is the least rate relative to the baseline, `processorRatio` the greatest processor time of a request. */
export type Goals = { ratio?: number; processorRatio?: number; p99Ms?: number };

type Round = { service: Measured; baseline: Measured };

/** One of two programs that are compared. */
export type Subject = { name: string; measure(seconds: number): Promise<Measured> };

/**
 * Measures the service and its baseline in turn, round by round. Load from other processes affects both
 * equally, because the ratio is taken within a round.
 */
export async function compare(options: {
  service: Subject;
  baseline: Subject;
  unit: Unit;
  effort: Effort;
  goals?: Goals;
}): Promise<Row[]> {
  const { service, baseline, unit, effort, goals = {} } = options;
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, effort.seconds);
  await baseline.measure(warmUpSeconds);
  await service.measure(warmUpSeconds);
  const rounds: Round[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const baselineResult = await baseline.measure(effort.seconds);
    rounds.push({ baseline: baselineResult, service: await service.measure(effort.seconds) });
  }
  /** Returns a row with a value of each round; none where it is not measured. */
  function row(
    what: string,
    pick: (round: Round) => number | undefined,
    rest: Omit<Row, 'what' | 'figures'>,
  ): Row[] {
    const values = rounds.map(pick).filter((value) => value !== undefined);
    return values.length === 0 ? [] : [{ what, figures: figuresOf(values), ...rest }];
  }
  return [
    ...row(baseline.name, (round) => round.baseline.rate, { unit }),
    ...row(service.name, (round) => round.service.rate, { unit }),
    ...row(`${service.name} / ${baseline.name}`, (round) => round.service.rate / round.baseline.rate, {
      unit: 'ratio',
      ...(goals.ratio !== undefined && { goal: { atLeast: goals.ratio } }),
    }),
    ...row('p50', (round) => round.service.p50Ms, { unit: 'ms' }),
    ...row('p99', (round) => round.service.p99Ms, {
      unit: 'ms',
      ...(goals.p99Ms !== undefined && { goal: { atMost: goals.p99Ms } }),
    }),
    ...row('processor per request', (round) => round.service.processorUs, { unit: 'µs' }),
    ...row('processor, relative', processorRatio, {
      unit: 'ratio',
      ...(goals.processorRatio !== undefined && { goal: { atMost: goals.processorRatio } }),
    }),
  ];
}

function processorRatio({ service, baseline }: Round): number | undefined {
  if (service.processorUs === undefined || baseline.processorUs === undefined) return undefined;
  return service.processorUs / baseline.processorUs;
}
