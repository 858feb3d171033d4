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

type Round = { service: Measured; baseline: Measured; others: Measured[] };

/** One of two programs that are compared. */
export type Subject = { name: string; measure(seconds: number): Promise<Measured> };

/**
 * Measures the service and its baseline in turn, round by round. Load from other processes affects both
 * equally, because the ratio is taken within a round. `others`: further baselines, each with goals of its own.
 */
export async function compare(options: {
  service: Subject;
  baseline: Subject;
  unit: Unit;
  effort: Effort;
  goals?: Goals;
  others?: readonly (Goals & { baseline: Subject })[];
}): Promise<Row[]> {
  const { service, baseline, unit, effort, goals = {}, others = [] } = options;
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, effort.seconds);
  const measureAll = async (seconds: number): Promise<Round> => {
    const results: Measured[] = [];
    for (const { measure } of [baseline, ...others.map((other) => other.baseline)])
      results.push(await measure(seconds));
    const [first = { rate: Number.NaN }, ...rest] = results;
    return { baseline: first, others: rest, service: await service.measure(seconds) };
  };
  await measureAll(warmUpSeconds);
  const rounds: Round[] = [];
  for (let round = 0; round < effort.rounds; round++) rounds.push(await measureAll(effort.seconds));
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
    ...row('processor, relative', (round) => processorRatio(round.service, round.baseline), {
      unit: 'ratio',
      ...(goals.processorRatio !== undefined && { goal: { atMost: goals.processorRatio } }),
    }),
    ...others.flatMap(({ baseline: { name }, processorRatio: most }, index) => [
      ...row(name, (round) => round.others[index]?.rate, { unit }),
      ...row(
        `processor, relative to ${name}`,
        (round) => processorRatio(round.service, round.others[index]),
        { unit: 'ratio', ...(most !== undefined && { goal: { atMost: most } }) },
      ),
    ]),
  ];
}

function processorRatio(service: Measured, baseline: Measured | undefined): number | undefined {
  if (service.processorUs === undefined || baseline?.processorUs === undefined) return undefined;
  return service.processorUs / baseline.processorUs;
}
