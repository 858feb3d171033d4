import { type Findings, listFindings } from '../move/findings.ts';
import { refuse } from './command.ts';

const MAX_SHOWN = 20;

/** Prints the number of differences, the first of them, and the remedy, and ends the process with exit code 1. */
export function refuseDifferences({ count, shown }: Findings, place: string, remedy?: string): never {
  const differences = count === 1 ? '1 difference' : `${count} differences`;
  refuse(`${differences} in ${place}:`, listFindings({ count, shown: shown.slice(0, MAX_SHOWN) }), remedy);
}
