/**
 * What can be wrong with a database or a storage that still responds, with its cause, its effect and its remedy for the
 * operator. Each is a label of a metric and a field of health.
 */
export const PROBLEMS = {
  database_not_durable:
    'synchronous_commit or fsync of PostgreSQL is off, so a crash would lose views. Requests that need the database ' +
    'fail until both are on.',
  database_settings_ignored:
    'A connection to PostgreSQL lacks a time-out or a setting of app.database.url, as behind a pooler. Requests that ' +
    'need the database fail. The log has the setting and the remedy.',
  storage_not_writable:
    'Files cannot be written to the storage, so uploads fail. Mount it, or let the user of the service write to it.',
} as const satisfies Record<string, string>;
export type Problem = keyof typeof PROBLEMS;
