import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { messageOf } from '../../error-details.ts';
import type { Problem } from '../../links/problem.ts';
import { DatabaseUnavailableError } from '../../links/unavailable.ts';
import { type Operation, translateErrors } from '../translate-errors.ts';
import { isDamageError, isUnavailable } from './errors.ts';

const QUICK_CHECK = fileURLToPath(new URL('quick-check.ts', import.meta.url));
/** As many findings as fit into a line of the log. */
const MAX_SHOWN = 3;
/** A check that could not run begins again after this time: each takes a process. */
const RETRY_AFTER_MS = 60_000;

/** Called once, when the file of a store could not be checked. */
export type OnCheckError = (error: unknown) => void;

/**
 * Watches whether the file of a store is whole: finds out in the background after an unclean stop, and from every error
 * of an operation.
 *
 * @param options.isChecked whether the file is known to be whole
 * @param options.onCheckError gets the first error of a check that could not run
 * @param options.setChecked keeps for the next start whether the file is known to be whole
 */
export function watchIntegrity(options: {
  path: string;
  isChecked: boolean;
  setChecked: (isChecked: boolean) => Promise<unknown>;
  onCheckError?: OnCheckError | undefined;
}) {
  const { path, isChecked, setChecked, onCheckError } = options;
  let damage: string[] = [];
  const checks = createChecks({
    path,
    onCheckError,
    async onChecked(findings) {
      if (findings.length > 0) noteDamage(findings);
      else if (damage.length === 0) await setChecked(true);
    },
  });
  if (!isChecked) checks.start();

  /** Keeps the first findings: a damaged file causes many errors. */
  function noteDamage(findings: string[]): void {
    if (damage.length > 0) return;
    damage = findings;
    setChecked(false).catch(() => {}); // the thread has died, and so does the process
  }

  /** Notes an error by which SQLite reports a damaged file. Returns what its caller gets. */
  function translate(error: unknown): unknown {
    if (isDamageError(error)) noteDamage([messageOf(error)]);
    return isUnavailable(error) ? new DatabaseUnavailableError(messageOf(error), { cause: error }) : error;
  }

  return {
    /** Guards operations: their errors show whether the file is whole and can be used. */
    guardAll: <Operations extends Record<keyof Operations, Operation>>(operations: Operations) =>
      translateErrors(operations, translate),
    findProblems(): Problem[] {
      checks.restart();
      return damage.length > 0 ? ['database_damaged'] : [];
    },
    explainProblem(problem: Problem): string | undefined {
      return problem === 'database_damaged' ? damage.slice(0, MAX_SHOWN).join('; ') : undefined;
    },
    stop: checks.stop,
  };
}

type CheckParts = {
  path: string;
  onCheckError: OnCheckError | undefined;
  onChecked: (findings: string[]) => Promise<void>;
};

/** Checks a file once in the background. */
function createChecks({ path, onCheckError, onChecked }: CheckParts) {
  const stopping = new AbortController();
  let checking: Promise<void> | undefined;
  let retryAt: number | undefined;

  function start(): void {
    checking = runQuickCheck(path, stopping.signal)
      .then((findings) => {
        retryAt = undefined;
        return onChecked(findings);
      })
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        if (retryAt === undefined) onCheckError?.(error);
        retryAt = performance.now() + RETRY_AFTER_MS;
      })
      .finally(() => {
        checking = undefined;
      });
  }

  return {
    start,
    /** Starts the check again if it could not run. To be called when problems are looked for. */
    restart(): void {
      if (retryAt === undefined || checking || stopping.signal.aborted) return;
      if (performance.now() >= retryAt) start();
    },
    /** Ends a check, which may take minutes; the next start begins it again. */
    async stop(): Promise<void> {
      stopping.abort();
      await checking;
    },
  };
}

/**
 * Checks the structure of a database in a process of its own. A thread cannot be ended while SQLite works, so that it
 * would delay the end of the service by minutes.
 */
async function runQuickCheck(path: string, signal: AbortSignal): Promise<string[]> {
  const child = await promisify(execFile)(process.execPath, [QUICK_CHECK, path], {
    signal,
    killSignal: 'SIGKILL',
    env: {},
  });
  const findings: unknown = JSON.parse(child.stdout);
  if (!Array.isArray(findings)) throw new TypeError(`The check of ${path} printed ${child.stdout}`);
  return findings.map(String);
}
