import { messageOf } from '../../src/common/error-details.ts';
import { type Cleanup, withCleanup } from '../support/cleanup.ts';
import { type Options, readOptions, type ValuesOf } from './options.ts';
import { problemsOf, type Result, toLines } from './report.ts';

/** One thing that a driver tries, on services that it starts itself. */
export type Trial = {
  name: string;
  /** The text that is printed before it runs. */
  about: string;
  /** Set if it cannot run on this machine. */
  whyNotHere?: string | undefined;
  run(cleanup: Cleanup): Promise<Result>;
  /** The command that repeats it, without `npm run`. */
  repeat: string;
};

/** A program that tries to break the service. */
export type Driver<Of extends Options, Name extends string> = {
  usage: string;
  options: Of;
  /** The names that may follow the options. */
  names?: readonly Name[];
  plan(values: ValuesOf<Of>, chosen: readonly Name[]): readonly Trial[];
  /** Called at the end. */
  finish?(values: ValuesOf<Of>): void;
};

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Runs each trial of a driver, and ends the process: with 0 if all of them are as they must be. */
export async function drive<Of extends Options, Name extends string>(
  driver: Driver<Of, Name>,
): Promise<never> {
  const { values, chosen } = readOrExit(driver);
  const trials = driver.plan(values, chosen);
  const failed: string[] = [];
  let ran = 0;
  for (const trial of trials) {
    if (trial.whyNotHere !== undefined) {
      print(`${trial.name}: skipped, ${trial.whyNotHere}\n`);
      continue;
    }
    print(`${trial.name}: ${trial.about}`);
    const result = await runTrial(trial);
    for (const line of toLines(result)) print(line);
    const isOk = problemsOf(result).length === 0;
    print(isOk ? '  ok\n' : `  FAILED; repeat it: npm run ${trial.repeat}\n`);
    ran += 1;
    if (!isOk) failed.push(trial.name);
    if (ENDING.signal.aborted) break;
  }
  driver.finish?.(values);
  if (ran === 0) print('Nothing ran: what was chosen does not exist, or was skipped');
  else print(failed.length === 0 ? `All ${ran} are as they must be` : `FAILED: ${failed.join(', ')}`);
  process.exit(ran > 0 && failed.length === 0 ? 0 : 1);
}

/** Reads the options, or prints what they are and ends. */
function readOrExit<Of extends Options, Name extends string>({ options, names, usage }: Driver<Of, Name>) {
  let code = 0;
  try {
    const read = readOptions(options, names ?? []);
    if (!read.asksForHelp) return read;
  } catch (error) {
    print(`${messageOf(error)}\n`);
    code = 1;
  }
  print(usage);
  process.exit(code);
}

/** Aborted by a signal that ends the run. The next one ends it at once. */
const ENDING = new AbortController();

/** Runs a trial, and stops what it started, also after a signal. A trial that throws is a finding too. */
async function runTrial({ run }: Trial): Promise<Result> {
  const interrupted = new Promise<never>((_, reject) => {
    ENDING.signal.addEventListener('abort', () => reject(ENDING.signal.reason));
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => ENDING.abort(new Error(`${signal} ended it`)));
  try {
    return await withCleanup((cleanup) => Promise.race([interrupted, run(cleanup)]));
  } catch (error) {
    return { findings: [`The run failed: ${messageOf(error).slice(0, 1_000)}`] };
  }
}
