import type { EpochMs } from '../../model/link.ts';
import type { Delivery } from '../../ports/notifications.ts';
import type { Clock } from '../../ports/ports.ts';

/** A mail with a code. It has no link: scanners of mail run what is behind one. */
export type CodeMail = { address: string; code: string; shortCode: string; language: string; at: EpochMs };

/** The result of sending a code. `isSignedIn`: the mail server was reached, and took the name and password of the service. */
export type CodeOutcome = Delivery & { isSignedIn: boolean };

/** How codes are sent, until `signal` is aborted. */
export type CodeDelivery = {
  /** Sends a mail. One that is not `isNamed` takes the same steps as far as the sign-in. */
  send(mail: CodeMail, isNamed: boolean, signal: AbortSignal): Promise<CodeOutcome>;
  /** Signs in, and sends nothing. */
  check(signal: AbortSignal): Promise<CodeOutcome>;
};

/** Mails codes. They are in memory alone, so that no database has a code: one that a stop drops is asked for again. */
export type CodeMailer = {
  /** Returns for how long no code is taken, because the mail server just failed. */
  restingMs(): number;
  /** Sends a code later, or only prepares that, if the link does not name its address: to a clock, both look the same. */
  add(mail: CodeMail, isNamed: boolean): void;
  /** Returns the last error of the mail server, until it takes mails again, and looks now and then whether it does. */
  findProblem(): string | undefined;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
  /** Drops what waits, and cuts off what is being sent. */
  stop(): Promise<void>;
};

const MAX_AT_ONCE = 4;
const MAX_WAITING = 500;
/** After an error, codes are refused for a while: to all visitors, whatever address they type. */
const REST_MS = 30_000;
const TOO_MANY = `${MAX_WAITING} codes wait for the mail server`;

type Waiting = { mail: CodeMail; isNamed: boolean };

/**
 * The last error. `isOfAll`: any mail would fail so, also one that is not sent, for which nothing but the sign-in is tried. Visitors
 * learn of no other: it would show that the link names their address.
 */
type Failure = { at: EpochMs; error: string; isOfAll: boolean };

/** @param onFailed is called with the error of a mail that was not sent */
export function createCodeMailer(
  { send, check }: CodeDelivery,
  clock: Clock,
  onFailed: (mail: Pick<CodeMail, 'shortCode'>, error: string) => void,
): CodeMailer {
  /** `CHECK`: whether the server is back. */
  const waiting: (Waiting | 'CHECK')[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let failure: Failure | undefined;

  const restingMs = (): number =>
    failure?.isOfAll ? Math.max(0, Math.min(REST_MS, failure.at + REST_MS - clock())) : 0;

  async function deliver(next: Waiting | 'CHECK'): Promise<void> {
    const { signal } = stopping;
    const outcome = await (next === 'CHECK' ? check(signal) : send(next.mail, next.isNamed, signal));
    if (signal.aborted) return;
    const sent = next !== 'CHECK' && next.isNamed ? next.mail : undefined;
    if (outcome.kind === 'DELIVERED') {
      if (sent || failure?.isOfAll) failure = undefined;
      return;
    }
    if (sent) onFailed(sent, outcome.error);
    // A mailbox that refuses mail says nothing of the server.
    if (outcome.kind === 'RECEIVER_DOWN')
      failure = { at: clock(), error: outcome.error, isOfAll: !outcome.isSignedIn };
  }

  function start(): void {
    while (running.size < MAX_AT_ONCE) {
      const next = waiting.shift();
      if (next === undefined) return;
      const done = deliver(next).finally(() => {
        running.delete(done);
        start();
      });
      running.add(done);
    }
  }

  return {
    restingMs,
    add(mail, isNamed) {
      if (waiting.length >= MAX_WAITING) failure = { at: clock(), error: TOO_MANY, isOfAll: true };
      else waiting.push({ mail, isNamed });
      // After the response: what a mail takes of the processor must not show whether the address is named.
      setImmediate(start);
    },
    findProblem() {
      const mayBeBack = failure?.isOfAll && restingMs() === 0 && running.size === 0;
      if (mayBeBack && !stopping.signal.aborted) {
        waiting.push('CHECK');
        start();
      }
      return failure?.error;
    },
    async settled() {
      await new Promise(setImmediate);
      while (running.size > 0) await Promise.all(running);
    },
    async stop() {
      waiting.length = 0;
      stopping.abort();
      await Promise.all(running);
    },
  };
}
