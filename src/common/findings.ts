const MAX_SHOWN = 100;

/** The findings of a check, mostly in words: the first hundred, and how many there are. */
export type Findings<Finding = string> = { count: number; shown: Finding[] };

export function createFindings<Finding = string>(): Findings<Finding> {
  return { count: 0, shown: [] };
}

export function addFinding<Finding>(findings: Findings<Finding>, finding: Finding): void {
  findings.count += 1;
  if (findings.shown.length < MAX_SHOWN) findings.shown.push(finding);
}

export function toFindings(all: readonly string[]): Findings {
  return { count: all.length, shown: all.slice(0, MAX_SHOWN) };
}

/** Returns the lines to print. */
export function listFindings({ count, shown }: Findings): string[] {
  const hidden = count - shown.length;
  return hidden > 0 ? [...shown, `and ${hidden.toLocaleString('en-US')} more`] : shown;
}
