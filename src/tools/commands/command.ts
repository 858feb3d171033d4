import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { setPriority, constants as systemConstants } from 'node:os';
import { messageOf } from '../../common/error-details.ts';
import { type Findings, listFindings } from '../../common/findings.ts';
import { countOf } from '../../common/format.ts';
import { describeDatabase } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import type { ReadFile } from '../../core/config/parsers.ts';
import type { Options } from '../../service/config/options.ts';
import type { Sources } from '../../service/config/read-property.ts';
import { printNote } from './terminal.ts';

/** A command that runs on the machine of the service, with its configuration. */
export type ServiceCommand = {
  /** The text of the help after the summary. */
  details?: string;
  /** Its own options, besides the properties of the service. */
  options: Options;
  examples: readonly string[];
  /** Returns the exit code. The command may go on then, as the service does. */
  run(argv: readonly string[]): Promise<number>;
};

/** The parts of a command. `failure`: the headline above its errors. `run` returns nothing for the exit code 0. */
type Definition<Loaded extends { ok: true }> = Omit<ServiceCommand, 'run'> & {
  failure: string;
  load(sources: Sources): Loaded | { ok: false; errors: string[] };
  run(loaded: NoInfer<Loaded>): Promise<number | undefined>;
};

/** Returns a command that reports wrong settings with exit code 2, and other errors with theirs or 1, without a stack. */
export function defineCommand<Loaded extends { ok: true }>({
  failure,
  load,
  run,
  ...texts
}: Definition<Loaded>): ServiceCommand {
  return {
    ...texts,
    async run(argv) {
      try {
        const loaded = load({ argv, env: process.env, readFile, isReadableByAll });
        if (loaded.ok) return (await run(loaded)) ?? 0;
        throw new Refusal(failure, loaded.errors, { exitCode: 2 });
      } catch (error) {
        const refusal = error instanceof Refusal ? error : new Refusal(failure, [messageOf(error)]);
        printNote(refusal.text);
        return refusal.exitCode;
      }
    },
  };
}

/** Lowers the priority of this process, so that the service on the same machine goes first. */
export const yieldToService = (): void => setPriority(systemConstants.priority.PRIORITY_BELOW_NORMAL);

/** Prints that a command has created the database of a configuration. */
export const announceDatabase = ({ database }: Config): void =>
  printNote(`The database ${describeDatabase(database)} is new: there was none.\n`);

/** Returns whether every user of the machine can read a file. */
const isReadableByAll = (path: string): boolean => (statSync(path).mode & constants.S_IROTH) !== 0;

/** Reads a file that a setting names. */
export const readFile: ReadFile = (path, maxBytes) =>
  maxBytes === undefined ? readFileSync(path) : readStart(path, maxBytes + 1);

/** Refuses pipes and devices, which may have no end or never any data. Messages show `code` as the reason. */
class IrregularFileError extends Error {
  readonly code = 'not a regular file';
}

/** Reads at most `length` bytes of a file of any size. */
function readStart(path: string, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe without a writer does not wait
  try {
    if (!fstatSync(file).isFile()) throw new IrregularFileError();
    let end = 0;
    for (;;) {
      const bytesRead = readSync(file, buffer, end, length - end, null);
      end += bytesRead;
      if (bytesRead === 0 || end === length) return buffer.subarray(0, end);
    }
  } finally {
    closeSync(file);
  }
}

/** Ends a command with errors for a person: a headline, the errors, then what to do about all of them. */
class Refusal extends Error {
  readonly exitCode: number;
  readonly text: string;

  constructor(
    headline: string,
    errors: readonly string[],
    { remedy, exitCode = 1 }: { remedy?: string | undefined; exitCode?: number } = {},
  ) {
    super(headline);
    this.exitCode = exitCode;
    const lines = [
      headline,
      ...errors.map((error) => `  - ${error}`),
      ...(remedy === undefined ? [] : [remedy]),
    ];
    this.text = lines.map((line) => `${line}\n`).join('');
  }
}

/** Ends the command with errors. `exitCode`: 1 if it is not given. */
export function refuse(
  headline: string,
  errors: readonly string[],
  more: { remedy?: string | undefined; exitCode?: number } = {},
): never {
  throw new Refusal(headline, errors, more);
}

const MAX_SHOWN = 20;

/** Returns lines with the first differences, and how many more there are. */
export function listDifferences({ count, shown }: Findings): string[] {
  return listFindings({ count, shown: shown.slice(0, MAX_SHOWN) });
}

export function countDifferences({ count }: Findings): string {
  return countOf(count, 'difference');
}

/** The exit code of a command that has done its work, but not for all. */
const INCOMPLETE = 4;

/** Prints what is lost although the command has done its work. Returns its exit code. */
export function reportLosses(headline: string, losses: Findings): number {
  const lines = listDifferences(losses).map((loss) => `  - ${loss}\n`);
  printNote(`${headline}:\n${lines.join('')}`);
  return INCOMPLETE;
}

/** Ends the command with the number of differences, the first of them, and the remedy. */
export function refuseDifferences(findings: Findings, place: string, remedy?: string): never {
  refuse(`${countDifferences(findings)} in ${place}:`, listDifferences(findings), { remedy });
}
