/** A part of a move that takes time: of how many `of` are `done` already; null where nobody knows. */
export type Part = {
  step: 'copy' | 'compare';
  what: string;
  unit: 'rows' | 'bytes';
  done: number;
  of: number | null;
};

/** Told how a move gets on. */
export type ProgressReporter = {
  begin(part: Part): { at(done: number): void; end(): void };
};
