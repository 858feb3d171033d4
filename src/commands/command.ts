import { readFileSync } from 'node:fs';
import { type Config, helpText, loadConfig } from '../config/config.ts';
import { type LoadedMove, loadMove, MOVE_HELP } from '../config/load-move.ts';
import type { Sources } from '../config/read-property.ts';
import { VERSION } from '../version.ts';

/** Represents what a program says of itself: how it is called, what it does, and the headline of its errors. */
export type Command = { usage: string; purpose: string; failure: string };

/** Runs a program on its configuration. An error ends the process with a text, without a stack. */
export async function runCommand(
  command: Command,
  run: (config: Config, warnings: string[]) => Promise<void>,
): Promise<void> {
  const { config, warnings } = readConfig(command);
  try {
    await run(config, warnings);
  } catch (error) {
    refuse(command.failure, [error instanceof Error ? error.message : String(error)]);
  }
}

/** Returns the configuration. Ends the process for `--help`, for `--version`, and when the configuration is wrong. */
function readConfig(command: Command): { config: Config; warnings: string[] } {
  const sources = readSources(command, helpText());
  const loaded = loadConfig(sources);
  if (!loaded.ok) refuse(command.failure, loaded.errors);
  return loaded;
}

/** Returns both sides of a move. Ends the process as `readConfig` does. */
export function readMove(purpose: string): Extract<LoadedMove, { ok: true }> {
  const command = { usage: 'npm run move', purpose, failure: 'Nothing can be moved:' };
  const sources = readSources(command, `${MOVE_HELP}\n\n${helpText()}`);
  const loaded = loadMove(sources);
  if (!loaded.ok) refuse(command.failure, loaded.errors);
  return loaded;
}

function readSources({ usage, purpose }: Command, help: string): Sources {
  const argv = process.argv.slice(2);
  const isAsked = (...flags: string[]) => flags.some((flag) => argv.includes(flag));
  if (isAsked('--help', '-h'))
    printAndExit(`Usage: ${usage} -- [--property=value ...]\n\n${purpose}\n\n${help}`);
  if (isAsked('--version', '-v')) printAndExit(`${VERSION}\n`);
  return { argv, env: process.env, readFile: (path) => readFileSync(path, 'utf8') };
}

function printAndExit(text: string): never {
  process.stdout.write(text);
  process.exit(0);
}

/** Prints errors on standard error, and ends the process with exit code 1. */
export function refuse(headline: string, errors: string[]): never {
  process.stderr.write(`${headline}\n${errors.map((error) => `  - ${error}\n`).join('')}`);
  process.exit(1);
}
