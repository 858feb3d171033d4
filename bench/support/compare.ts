import { figuresOf } from './figures.ts';
import type { Effort, Row, Unit } from './scenario.ts';

const WARM_UP_SECONDS = 2;

/** What one measurement gave; what is left out is not told. */
export type Measured = {
  /** Requests, hashes or megabytes per second. */
  rate: number;
  p50Ms?: number;
  p99Ms?: number;
  /** Time on all processors for one request. */
  processorUs?: number;
};

/** One of two things that are measured beside each other. */
export type Subject = { name: string; measure(seconds: number): Promise<Measured> };

/**
 * Measures the service beside its baseline, in turn, round by round: the machine's moods meet both, and the
 * ratio is taken within a round.
 */
export async function compare(options: {
  service: Subject;
  baseline: Subject;
  unit: Unit;
  effort: Effort;
  goals?: { ratio?: number; p99Ms?: number };
}): Promise<Row[]> {
  const { service, baseline, unit, effort, goals = {} } = options;
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, effort.seconds);
  await baseline.measure(warmUpSeconds);
  await service.measure(warmUpSeconds);
  const rounds: { ours: Measured; theirs: Measured }[] = [];
  for (let round = 0; round < effort.rounds; round++) {
    const theirs = await baseline.measure(effort.seconds);
    rounds.push({ theirs, ours: await service.measure(effort.seconds) });
  }
  const ratios = figuresOf(rounds.map(({ ours, theirs }) => ours.rate / theirs.rate));
  /** Of the service; nothing where it does not tell. */
  function row(
    what: string,
    pick: (ours: Measured) => number | undefined,
    rest: Omit<Row, 'what' | 'figures'>,
  ) {
    const told = rounds.map(({ ours }) => pick(ours)).filter((value) => value !== undefined);
    return told.length === 0 ? [] : [{ what, figures: figuresOf(told), ...rest }];
  }
  return [
    { what: baseline.name, figures: figuresOf(rounds.map(({ theirs }) => theirs.rate)), unit },
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
  ];
}
