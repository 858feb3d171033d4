/** One step of a move. `total` is undefined for a step that takes no time. */
export type ProgressStep = { label: string; unit: 'rows' | 'bytes'; total: number | undefined };

/** Shows how far a move is. */
export type ProgressReporter = {
  begin(step: ProgressStep): { update(done: number): void; end(): void };
};
