/**
 * What can be wrong with a database or a storage that still responds, with its cause, its effect and its remedy for the
 * operator. Each is a label of a metric and a field of health.
 */
export const PROBLEMS = {
  storage_not_writable:
    'Files cannot be written to the storage, so uploads fail. Mount it, or let the user of the service write to it.',
  storage_full:
    'The storage has no room for another file, so uploads fail; links still open. Free space or inodes, or raise the quota.',
} as const satisfies Record<string, string>;
export type Problem = keyof typeof PROBLEMS;

/** The problems of the storage. All others are problems of the database. */
export const STORAGE_PROBLEMS: readonly Problem[] = ['storage_not_writable', 'storage_full'];
