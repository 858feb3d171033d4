import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { type Config, describeDatabase, helpText, loadConfig, PROPERTY_NAMES } from '../config/config.ts';
import type { ReadFile } from '../config/parsers.ts';
import { type Arguments, type OwnFlags, readFlags } from '../config/read-flags.ts';
import { messageOf } from '../error-details.ts';
import { type Findings, listFindings } from '../move/findings.ts';
import type { StoreEvents } from '../open-stores.ts';
import { VERSION } from '../version.ts';

/** The texts of a program: how to start it, what it does, and the headline above its errors. */
export type Command = Usage & { failure: string };

/** `parameters`: what the program takes besides properties. */
type Usage = { usage: string; parameters?: string; purpose: string };

/** Returns what a command prints when it creates the database of a configuration. */
export const announceDatabase = ({ database }: Config): StoreEvents => ({
  onDatabaseCreated: () =>
    void process.stderr.write(`The database ${describeDatabase(database)} is new: there was none.\n`),
});

/**
 * Runs a program on its configuration. A wrong setting or an error ends the process with a text, without a stack.
 *
 * @param own the flags of the program itself, which are no properties
 */
export async function runCommand(
  command: Command,
  run: (config: Config, warnings: string[], flags: Arguments['flags']) => Promise<void>,
  own: OwnFlags = {},
): Promise<void> {
  const argv = readArguments(command, helpText());
  const args = readFlags(argv, { own, properties: PROPERTY_NAMES });
  const loaded = loadConfig({ argv, env: process.env, readFile }, args);
  if (!loaded.ok) refuse(command.failure, loaded.errors);
  try {
    await run(loaded.config, loaded.warnings, args.flags);
  } catch (error) {
    refuse(command.failure, [messageOf(error)]);
  }
}

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

/** Returns the arguments of the process. Prints and ends the process for `--help` and `--version`. */
export function readArguments({ usage, parameters, purpose }: Usage, help: string): string[] {
  const argv = process.argv.slice(2);
  if (argv.includes('--help') || argv.includes('-h')) {
    const own = parameters === undefined ? '' : `${parameters} `;
    printAndExit(`Usage: ${usage} -- ${own}[--name=value ...]\n\n${purpose}\n\n${help}`);
  }
  if (argv.includes('--version')) printAndExit(`${VERSION}\n`);
  return argv;
}

function printAndExit(text: string): never {
  process.stdout.write(text);
  process.exit(0);
}

/** Prints errors on standard error, then what to do about all of them, and ends the process with exit code 1. */
export function refuse(headline: string, errors: string[], remedy?: string): never {
  const lines = [
    headline,
    ...errors.map((error) => `  - ${error}`),
    ...(remedy === undefined ? [] : [remedy]),
  ];
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  process.exit(1);
}

const MAX_SHOWN = 20;

/** Returns lines with the first differences, and how many more there are. */
export function listDifferences({ count, shown }: Findings): string[] {
  return listFindings({ count, shown: shown.slice(0, MAX_SHOWN) });
}

export function countDifferences({ count }: Findings): string {
  return count === 1 ? '1 difference' : `${count} differences`;
}

/** Prints the number of differences, the first of them, and the remedy, and ends the process with exit code 1. */
export function refuseDifferences(findings: Findings, place: string, remedy?: string): never {
  refuse(`${countDifferences(findings)} in ${place}:`, listDifferences(findings), remedy);
}
