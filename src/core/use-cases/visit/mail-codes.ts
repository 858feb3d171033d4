import type { EpochMs } from '../../model/link.ts';
import type { Delivery } from '../../ports/notifications.ts';
import type { Clock } from '../../ports/ports.ts';

/** A mail with a code. It has no link: scanners of mail run what is behind one. */
export type CodeMail = { address: string; code: string; shortCode: string; language: string; at: EpochMs };

/** The result of sending a code. `isSignedIn`: the mail server was reached, and took the name and password of the service. */
export type CodeOutcome = Delivery & { isSignedIn: boolean };

/** How codes are sent, until `signal` is aborted. */
export type CodeDelivery = {
  /** Sends a mail. One that is not to be sent takes the same steps as far as the sign-in. */
  send(mail: CodeMail, isSent: boolean, signal: AbortSignal): Promise<CodeOutcome>;
  /** Signs in, and sends nothing. */
  check(signal: AbortSignal): Promise<CodeOutcome>;
};

/**
 * What becomes of a mail. `PREPARE`: the link does not name its address. `WITHHOLD`: a limit is reached. To a clock, each looks like
 * a mail that is sent.
 */
export type CodePurpose = 'SEND' | 'PREPARE' | 'WITHHOLD';

/** Mails codes. They are in memory alone, so that no database has a code: one that a stop drops is asked for again. */
export type CodeMailer = {
  /** Returns for how long no code is taken, because the mail server just failed. */
  restingMs(): number;
  /** Sends a code later, or only prepares that. */
  add(mail: CodeMail, purpose: CodePurpose): void;
  /** Returns why the mail server takes no codes, until it takes a sign-in. */
  findProblem(): string | undefined;
  /** Looks whether a mail server that failed is back, unless codes rest or are sent. */
  checkServer(): void;
  /** Resolves when nothing waits. */
  settled(): Promise<void>;
  /** Drops what waits, and cuts off what is being sent. */
  stop(): Promise<void>;
};

const MAX_AT_ONCE = 4;
const MAX_WAITING = 500;
/** Preparations beyond these are left out: nothing of them can be seen, and they must take no place from codes. */
const MAX_PREPARATIONS = 20;
/** After an error, codes are refused for a while: to all visitors, for any address. */
const REST_MS = 30_000;
const TOO_MANY = `${MAX_WAITING} codes wait for the mail server`;
const TOO_MANY_SENT = 'The limit of codes for this mailbox or link is reached';

/**
 * An error that any mail would have, also one that is not sent: such a mail ends with the sign-in. No other error is shown, by
 * responses, health or metrics: visitors would learn that the link names their address.
 */
type Failure = { at: EpochMs; error: string };

/** @param onFailed is called with the error of a mail to a recipient that was not sent */
export function createCodeMailer(
  { send, check }: CodeDelivery,
  clock: Clock,
  onFailed: (mail: Pick<CodeMail, 'shortCode'>, error: string) => void,
): CodeMailer {
  const waiting: CodeMail[] = [];
  const preparing: CodeMail[] = [];
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let failure: Failure | undefined;

  const restingMs = (): number =>
    failure ? Math.max(0, Math.min(REST_MS, failure.at + REST_MS - clock())) : 0;

  async function run(sending: Promise<CodeOutcome>, sent?: CodeMail): Promise<void> {
    const outcome = await sending;
    if (stopping.signal.aborted) return;
    const error = outcome.kind === 'DELIVERED' ? undefined : outcome.error;
    if (sent && error !== undefined) onFailed(sent, error);
    failure = outcome.isSignedIn || error === undefined ? undefined : { at: clock(), error };
  }

  function track(work: Promise<void>): void {
    const done = work.finally(() => {
      running.delete(done);
      start();
    });
    running.add(done);
  }

  function start(): void {
    const { signal } = stopping;
    while (running.size < MAX_AT_ONCE) {
      const sent = waiting.shift();
      const mail = sent ?? preparing.shift();
      if (mail === undefined) return;
      track(run(send(mail, sent !== undefined, signal), sent));
    }
  }

  return {
    restingMs,
    add(mail, purpose) {
      const [queue, max] = purpose === 'SEND' ? [waiting, MAX_WAITING] : [preparing, MAX_PREPARATIONS];
      const isTooMany = queue.length >= max;
      if (!isTooMany) queue.push(mail);
      // After the response: what a mail takes of the processor must not show whether the address is named.
      setImmediate(() => {
        if (purpose === 'WITHHOLD') onFailed(mail, TOO_MANY_SENT);
        else if (purpose === 'SEND' && isTooMany) onFailed(mail, TOO_MANY);
        start();
      });
    },
    findProblem: () => failure?.error,
    checkServer() {
      const { signal } = stopping;
      if (failure && restingMs() === 0 && running.size === 0 && !signal.aborted) track(run(check(signal)));
    },
    async settled() {
      await new Promise(setImmediate);
      while (running.size > 0) await Promise.all(running);
    },
    async stop() {
      waiting.length = 0;
      preparing.length = 0;
      stopping.abort();
      await Promise.all(running);
    },
  };
}
