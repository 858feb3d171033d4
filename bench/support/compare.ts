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
  const rounds: { service: Measured; baseline: Measured }[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const baselineResult = await baseline.measure(effort.seconds);
    rounds.push({ baseline: baselineResult, service: await service.measure(effort.seconds) });
  }
  const ratios = figuresOf(rounds.map((round) => round.service.rate / round.baseline.rate));
  /** Returns a row of the service; none where it does not measure the value. */
  function row(
    what: string,
    pick: (measured: Measured) => number | undefined,
    rest: Omit<Row, 'what' | 'figures'>,
  ) {
    const values = rounds.map((round) => pick(round.service)).filter((value) => value !== undefined);
    return values.length === 0 ? [] : [{ what, figures: figuresOf(values), ...rest }];
  }
  const processorRatios = rounds.flatMap(({ service: { processorUs }, baseline: bare }) =>
    processorUs === undefined || bare.processorUs === undefined ? [] : [processorUs / bare.processorUs],
  );
  return [
    { what: baseline.name, figures: figuresOf(rounds.map((round) => round.baseline.rate)), unit },
    ...row(service.name, ({ rate }) => rate, { unit }),
    {
      what: `${service.name} / ${baseline.name}`,
      figures: ratios,
      unit: 'ratio',
      ...(goals.ratio !== undefined && { goal: { atLeast: goals.ratio } }),
    },
    ...row('p50', ({ p50Ms }) => p50Ms, { unit: 'ms' }),
    ...row('p99', ({ p99Ms }) => p99Ms, {
      unit: 'ms',
      ...(goals.p99Ms !== undefined && { goal: { atMost: goals.p99Ms } }),
    }),
    ...row('processor per request', ({ processorUs }) => processorUs, { unit: 'µs' }),
    ...(processorRatios.length === 0
      ? []
      : [
          {
            what: 'processor, relative',
            figures: figuresOf(processorRatios),
            unit: 'ratio' as const,
            ...(goals.processorRatio !== undefined && { goal: { atMost: goals.processorRatio } }),
          },
        ]),
  ];
}
