import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino';

/** The event names of the log, each line's `msg`. */
export const LOG_EVENTS = [
  'secure_link_created',
  'secure_link_resolve_attempt',
  'secure_link_resolve_success',
  'secure_link_resolve_denied',
  'secure_link_preview',
  'secure_link_revoked',
  'secure_link_revoke_denied',
  'secure_link_expiration_job',
  'upload_sweep',
  'job_failed',
  'unexpected_error',
  'response_aborted',
  'service_started',
  'service_warning',
  'service_stopping',
  'service_stopped',
] as const;
export type LogEvent = (typeof LOG_EVENTS)[number];

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Writes one line: JSON, with the event as `msg`. In a request, `correlationId` is among the fields. */
export type Log = {
  write(level: LogLevel, event: LogEvent, fields: Record<string, unknown>): void;
  /** Blocks until every line so far is out, for the moment before the process ends. */
  flush(): void;
};

/**
 * A log of JSON lines on standard output, or on `stream`. Lines are gathered and written in blocks, off the
 * path of the request. Text that clients send stays inside its JSON string.
 */
export function createLog(level: string, stream?: DestinationStream & { flushSync?(): void }): Log {
  const out = stream ?? destination({ dest: 1, sync: false, minLength: 4096 });
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    out,
  );
  const flushing = stream ? undefined : setInterval(() => logger.flush(), FLUSH_AFTER_MS).unref();
  return {
    write: (lineLevel, event, fields) => logger[lineLevel](fields, event),
    flush() {
      clearInterval(flushing);
      out.flushSync?.();
    },
  };
}

/** A quiet service's lines are seen this soon, though its blocks are not full. */
const FLUSH_AFTER_MS = 200;
