import type { Options } from '../src/service/config/options.ts';
import type { Connection } from './connection.ts';
import type { Output } from './output.ts';
import type { Environment } from './settings.ts';

export type { Options } from '../src/service/config/options.ts';

/** The values of the given options. */
export type Values<Known extends Options> = {
  [Name in keyof Known]?: Known[Name]['type'] extends 'boolean' ? boolean : string;
};

/** The parts of the program that a command may use. */
export type Context = {
  output: Output;
  environment: Environment;
  /** Connects to the service of the options, the environment or the configuration file. */
  connect(): Connection;
  /** The value of `--server`. */
  server: string | undefined;
};

/**
 * A command in the list of all, which is loaded only when it is needed. `words`: its arguments in the help, in capitals or
 * marks what the user chooses.
 */
export type Listed<Loaded> = {
  name: string;
  words: string;
  summary: string;
  load(): Promise<Loaded>;
};

/** A command of the tool. */
export type Command<Known extends Options = Options> = {
  /** The number of arguments that it takes. */
  count: { min: number; max: number };
  details?: string;
  options: Known;
  examples: readonly string[];
  run(words: string[], values: Values<Known>, context: Context): Promise<void>;
};

/** Forgets which options a command has, so that commands fit into one table. */
export function defineCommand<const Known extends Options>(command: Command<Known>): Command {
  // The values come from parsing with these very options.
  return {
    ...command,
    run: (words, values, context) => command.run(words, values as Values<Known>, context),
  };
}

/** The options of every command. */
export const COMMON_OPTIONS = {
  server: { type: 'string', value: 'URL', help: 'The address of the service, in place of POSTERN_URL' },
  json: { type: 'boolean', help: 'Prints JSON for programs, also for an error' },
  help: { type: 'boolean', short: 'h', help: 'Shows this help' },
} as const satisfies Options;
