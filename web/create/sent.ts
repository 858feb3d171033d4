import type { Created } from '../service/contract.ts';
import type { Outcome } from '../service/outcome.ts';

/** A link as it was created. */
export type Sent = Created & {
  /** The target URL, the name of the file, or the word for a text. */
  title: string;
  /** The key of what this browser encrypted: behind `#` in the link, or a passphrase. */
  encryption: { fragment: string | null; passphrase: string } | null;
};

/** The statuses of a service that is away for a moment, and the error of a creation whose response was lost while it runs. */
const AWAY = [408, 502, 503, 504];

const RUNNING = 'IDEMPOTENT_REQUEST_RUNNING';

/** Returns true if a link may have been created all the same. */
export function isAway(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'REFUSED') return outcome.kind === 'UNREACHABLE';
  return AWAY.includes(outcome.status) || outcome.code === RUNNING;
}

/** Adds what only this page knows of a link. */
export function toSent(
  outcome: Outcome<Created>,
  title: string,
  encryption: Sent['encryption'] = null,
): Outcome<Sent> {
  return outcome.kind === 'DONE' ? { kind: 'DONE', value: { ...outcome.value, title, encryption } } : outcome;
}
