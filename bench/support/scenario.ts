import type { Figures } from './figures.ts';

/** How long and how often each measurement is made. */
export type Effort = { rounds: number; seconds: number };

/** One measured figure. `goal` says what it should be at least (or at most, for times and memory). */
export type Row = {
  what: string;
  figures: Figures;
  unit: 'req/s' | 'ratio' | 'ms' | 'MB' | 'MB/s';
  goal?: { atLeast: number } | { atMost: number };
};

/** One thing to measure, by the name that it is asked for. */
export type Scenario = { name: string; about: string; run(effort: Effort): Promise<Row[]> };
