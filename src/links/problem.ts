/**
 * What can be wrong with a database or a storage that still responds, with its cause, its effect and its remedy for the
 * operator. Each is a label of a metric and a field of health.
 */
export const PROBLEMS = {
  database_damaged:
    'The database file is damaged, so some requests fail. Stop the service and restore the last backup.',
  database_commits_lost:
    'Transactions that were committed are missing from the database, such as after its -wal file was removed or an ' +
    'older copy put in its place. Links that were used up or revoked may open again. Restore the files, or accept ' +
    'the loss: stop the service, delete the -state file of the database, and start again.',
  database_log_growing:
    'The write-ahead log of the database only grows, because a program reads the database in one long transaction. ' +
    'End that program, otherwise the log fills the disk.',
  database_checkpoint_failing:
    'The write-ahead log cannot be copied into the database file, so it grows. Free some space on the disk of the ' +
    'database, or repair the disk.',
  storage_not_writable:
    'Files cannot be written to the storage, so uploads fail. Mount it, or let the user of the service write to it.',
} as const satisfies Record<string, string>;
export type Problem = keyof typeof PROBLEMS;
