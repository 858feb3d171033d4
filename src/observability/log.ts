import { LOG_THRESHOLDS } from '../core/config/properties/server.ts';
import { createBlockWriter, openStandardOutput, type TryWrite } from './block-writer.ts';

/** The event names of the log, each line's `msg`. */
export const LOG_EVENTS = [
  'request_finished',
  'secure_link_created',
  'secure_link_resolve_attempt',
  'secure_link_resolve_success',
  'secure_link_resolve_denied',
  'secure_link_refusals_not_logged',
  'secure_link_preview',
  'secure_link_changed',
  'secure_link_revoked',
  'secure_link_revoke_denied',
  'secure_link_expiration_job',
  'upload_sweep',
  'ended_links_erased',
  'access_denied',
  'access_changed',
  'blocked_hosts_reloaded',
  'blocked_hosts_unusable',
  'job_failed',
  'notification_failed',
  'notification_retried',
  'notifications_given_up',
  'recipient_code_failed',
  'notified_entry_unreadable',
  'problem_found',
  'problem_solved',
  'unexpected_error',
  'download_broken_off',
  'file_damaged',
  'log_lines_dropped',
  'database_created',
  'service_started',
  'service_warning',
  'settings_reread',
  'settings_refused',
  'service_stopping',
  'service_stopped',
] as const;
export type LogEvent = (typeof LOG_EVENTS)[number];

export type LogThreshold = (typeof LOG_THRESHOLDS)[number];
export type LogLevel = Exclude<LogThreshold, 'silent'>;

type Fields = Record<string, unknown>;

/** Writes one line of JSON, with the event as `msg`. In a request, the fields include `correlationId`. */
export type Log = {
  /** @param fields also as text of `formatFields`, which several lines can share */
  write(level: LogLevel, event: LogEvent, fields: Fields | string): void;
  /** Writes every line so far, unless the reader is too slow. Called before the process ends. */
  flush(): void;
  /** Returns how many lines were dropped because the reader was behind or gone. */
  droppedLines(): number;
};

/** A log whose threshold can change. `writeAlways` ignores it: a person waits for such a line. */
export type AdjustableLog = Log & {
  writeAlways(level: LogLevel, event: LogEvent, fields: Fields): void;
  setLevel(level: LogThreshold): void;
};

/** Receives the lines of a log, each with its line feed. */
export type LogDestination = { write(line: string): void; flush?(): void; droppedLines?(): number };

/**
 * Characters that JSON leaves as they are, although a terminal may obey them: DEL, C1 controls, separators of lines, and
 * characters that change the direction of text.
 */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const EVERY_UNSAFE = new RegExp(UNSAFE, 'g');

const escapeUnsafe = (json: string): string =>
  json.replace(EVERY_UNSAFE, (unsafe) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Creates a destination that never waits for its reader, by default standard output. */
export const createLogWriter = (tryWrite: TryWrite = openStandardOutput()): LogDestination =>
  createBlockWriter(tryWrite, (lines) => formatLine('warn', 'log_lines_dropped', { lines }));

/**
 * Creates a log of JSON lines from `level` upwards. Text from clients cannot leave its JSON string, and every
 * line is safe to print.
 */
export function createLog(level: LogThreshold, out: LogDestination = createLogWriter()): AdjustableLog {
  let threshold = LOG_THRESHOLDS.indexOf(level);
  return {
    writeAlways: (lineLevel, event, fields) => out.write(formatLine(lineLevel, event, fields)),
    setLevel(changed) {
      threshold = LOG_THRESHOLDS.indexOf(changed);
    },
    write(lineLevel, event, fields) {
      if (LOG_THRESHOLDS.indexOf(lineLevel) < threshold) return;
      out.write(formatLine(lineLevel, event, fields));
    },
    flush: () => out.flush?.(),
    droppedLines: () => out.droppedLines?.() ?? 0,
  };
}

function formatLine(level: LogLevel, event: LogEvent, fields: Fields | string): string {
  const text = typeof fields === 'string' ? fields : formatFields(fields);
  return `{"level":"${level}","time":"${isoTime()}"${text && ','}${text},"msg":"${event}"}\n`;
}

/** Returns fields as JSON without its braces. Text from clients cannot leave its JSON string. */
export function formatFields(fields: Fields): string {
  const json = JSON.stringify(fields, fields['err'] === undefined ? undefined : describeErrors);
  return (UNSAFE.test(json) ? escapeUnsafe(json) : json).slice(1, -1);
}

/** Far above the errors of the service; a message may quote a client's text. */
const MAX_ERROR_CHARACTERS = 8_192;

/** Adds the properties of an error that JSON.stringify omits: its message, stack and cause. */
function describeErrors(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return {
    type: name,
    message: message.slice(0, MAX_ERROR_CHARACTERS),
    stack: stack?.slice(0, MAX_ERROR_CHARACTERS),
    ...('code' in value && { code: value.code }),
    ...(cause !== undefined && { cause }),
  };
}

let lastMs = 0;
let lastIsoTime = '';

/** Returns the current time, formatted once per millisecond: under load, dozens of lines share it. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastIsoTime = new Date(now).toISOString();
  }
  return lastIsoTime;
}
