import { type Findings, listFindings } from '../move/findings.ts';
import { refuse } from './command.ts';

const MAX_SHOWN = 20;

/** Returns lines with the first differences, and how many more there are. */
export function listDifferences({ count, shown }: Findings): string[] {
  return listFindings({ count, shown: shown.slice(0, MAX_SHOWN) });
}

export function countDifferences({ count }: Findings): string {
  return count === 1 ? '1 difference' : `${count} differences`;
}

/** Prints the number of differences, the first of them, and the remedy, and ends the process with exit code 1. */
export function refuseDifferences(findings: Findings, place: string, remedy?: string): never {
  refuse(`${countDifferences(findings)} in ${place}:`, listDifferences(findings), remedy);
}
