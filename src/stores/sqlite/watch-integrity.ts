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
  let needsCheck = !isChecked;
  let checking: Promise<void> | undefined;
  let retryAt = Number.NEGATIVE_INFINITY;
  const stopping = new AbortController();

  /** Keeps the first findings: a damaged file causes many errors. */
  function noteDamage(findings: string[]): void {
    if (damage.length > 0) return;
    damage = findings;
    setChecked(false).catch(() => {}); // the thread has died, and so does the process
  }

  async function check(): Promise<void> {
    const findings = await runQuickCheck(path, stopping.signal);
    needsCheck = false;
    if (findings.length > 0) noteDamage(findings);
    else if (damage.length === 0) await setChecked(true);
  }

  /** A check that could not run is repeated when problems are looked for. */
  function startCheck(): void {
    if (!needsCheck || checking || stopping.signal.aborted || performance.now() < retryAt) return;
    checking = check()
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        if (retryAt === Number.NEGATIVE_INFINITY) onCheckError?.(error);
        retryAt = performance.now() + RETRY_AFTER_MS;
      })
      .finally(() => {
        checking = undefined;
      });
  }
  startCheck();

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
      startCheck();
      return damage.length > 0 ? ['database_damaged'] : [];
    },
    explainProblem(problem: Problem): string | undefined {
      return problem === 'database_damaged' ? damage.slice(0, MAX_SHOWN).join('; ') : undefined;
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
