/** One step of work that takes long. `total` is undefined where it is unknown: then the step is not shown. */
export type ProgressStep = { label: string; unit: 'rows' | 'bytes'; total: number | undefined };

/** Shows how far a step is. */
export type ProgressReporter = {
  begin(step: ProgressStep): { update(done: number): void; end(): void };
};
