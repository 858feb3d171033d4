export const MAX_SHOWN = 100;

/** Differences in words: the first hundred, and how many there are. */
export type Findings = { count: number; shown: string[] };

export function createFindings(): Findings {
  return { count: 0, shown: [] };
}

export function addFinding(findings: Findings, finding: string): void {
  findings.count += 1;
  if (findings.shown.length < MAX_SHOWN) findings.shown.push(finding);
}

export function toFindings(shown: string[]): Findings {
  return { count: shown.length, shown };
}

/** Returns the lines to print. */
export function listFindings({ count, shown }: Findings): string[] {
  const hidden = count - shown.length;
  return hidden > 0 ? [...shown, `and ${hidden.toLocaleString('en-US')} more`] : shown;
}
