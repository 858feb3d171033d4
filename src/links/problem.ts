/**
 * What can be wrong with a database or a storage that still responds, with its cause, its effect and its remedy for the
 * operator. Each is a label of a metric and a field of health.
 */
export const PROBLEMS = {
  storage_not_writable:
    'Files cannot be written to the storage, so uploads fail. Mount it, or let the user of the service write to it.',
} as const satisfies Record<string, string>;
export type Problem = keyof typeof PROBLEMS;
