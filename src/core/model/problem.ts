/**
 * The problems of what the service depends on, each with its cause, its effect and its remedy for the
 * administrator. Each is a label of a metric and a field of health.
 */
export const PROBLEMS = {
  database_unavailable:
    'The database cannot be reached, does not respond in time, or is locked by another program, so requests that need ' +
    'it get 503. Start it, repair the network, or end that program: the log has the error.',
  database_file_missing:
    'The database file or its -wal was moved, deleted or replaced while the service runs, so changes and attempts are refused. Put it back, or stop the service and restore a backup.',
  database_disk_full:
    'The disk of the database is full, so changes and attempts fail. Free some space on it.',
  database_not_writable:
    'The database cannot be written, so changes and attempts fail. Make its disk or server writable: the log has the error.',
  database_not_durable:
    'synchronous_commit or fsync of PostgreSQL is off, so a crash would lose views. Requests that need the database ' +
    'fail until both are on.',
  database_damaged:
    'The database file is damaged, so some requests fail. Stop the service and restore the last backup.',
  projection_failing:
    'An entry of the history cannot be counted, so statistics and lists fail. Links open, and histories are complete. The log ' +
    'and postern verify name the entry. Stop the service and run postern rebuild; if it refuses, restore the last backup, ' +
    'or start the newest version.',
  month_not_begun:
    'The history goes on in the partition of an earlier month, so that single months cannot be detached. Let the user of ' +
    'the database own the table entry, and create tables: the log has the error.',
  checkpoint_refused:
    'No checkpoint of the log is signed, so new entries are not yet vouched for. Links open, and histories are complete. The ' +
    'log has the error, with what to do about it.',
  witness_unavailable:
    'A witness has not signed the newest checkpoints. It is asked again every minute. Start it, or correct ' +
    'app.evidence.witnesses.',
  storage_not_writable:
    'Files cannot be written to the storage, so uploads fail. Mount it, or let the user of the service write to it.',
  storage_unavailable:
    'The storage of the files fails, refuses requests or does not respond in time, so uploads and downloads get 503. Start it, ' +
    'repair the network, or correct its permissions: the log has the error.',
  storage_full:
    'The storage has no room for another file, so uploads fail; links still open. Free space or inodes, or raise the quota.',
  mail_failing:
    'The mail server cannot be reached, or refuses the sign-in, so links that name their recipients do not open. Start it, or ' +
    'correct app.mail.url: the log has the error.',
} as const satisfies Record<string, string>;
export type Problem = keyof typeof PROBLEMS;

/** The problems of the storage. Health shows all others with the database. */
export const STORAGE_PROBLEMS: readonly Problem[] = [
  'storage_not_writable',
  'storage_unavailable',
  'storage_full',
];

/** Problems with which links open: health stays UP, and shows them. */
export const MINOR_PROBLEMS: readonly Problem[] = [
  'projection_failing',
  'month_not_begun',
  'mail_failing',
  'checkpoint_refused',
  'witness_unavailable',
];
