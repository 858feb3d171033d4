const MAX_SHOWN = 100;

/** What is wrong, in words: the first hundred, and how many there are. */
export type Findings = {
  readonly count: number;
  readonly shown: readonly string[];
  add(finding: string): void;
  /** Adds all that others found, those they do not show too. */
  addAll(others: Pick<Findings, 'count' | 'shown'>): void;
};

export function createFindings(): Findings {
  const shown: string[] = [];
  let count = 0;
  return {
    shown,
    get count() {
      return count;
    },
    add(finding) {
      count += 1;
      if (shown.length < MAX_SHOWN) shown.push(finding);
    },
    addAll(others) {
      count += others.count;
      shown.push(...others.shown.slice(0, MAX_SHOWN - shown.length));
    },
  };
}
