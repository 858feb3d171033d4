import { parseArgs } from 'node:util';
import { closestName } from '../src/closest-name.ts';
import { codeOf, messageOf } from '../src/error-details.ts';
import { VERSION } from '../src/version.ts';
import { COMMON_OPTIONS, type Command } from './command.ts';
import { KEYS, runKeys } from './commands/keys.ts';
import { COMMANDS } from './commands.ts';
import { connectTo } from './connection.ts';
import { EXIT_CODES, Failure, usageFailure } from './failure.ts';
import { commandHelp, toolHelp } from './help.ts';
import { createOutput, type Streams } from './output.ts';
import { type Environment, readSettings } from './settings.ts';

/** The environment and the streams of a process. */
export type Terminal = Streams & { environment: Environment };

const NAMES = [...COMMANDS.map(({ name }) => name), KEYS.name];

/** Runs the command of the arguments, and prints its error. Returns the exit code of the process. */
export async function runTool(argv: string[], terminal: Terminal): Promise<number> {
  try {
    return await run(argv, terminal);
  } catch (error) {
    return report(error, argv.includes('--json'), terminal);
  }
}

async function run([name, ...argv]: string[], terminal: Terminal): Promise<number> {
  if (name === KEYS.name) return runKeys(argv);
  if (name === '--version') terminal.stdout.write(`${VERSION}\n`);
  else if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    const command = COMMANDS.find((each) => each.name === argv[0]);
    terminal.stdout.write(command ? commandHelp(command) : toolHelp(COMMANDS, KEYS));
    return name === undefined ? EXIT_CODES.usage : 0;
  } else await runCommand(findCommand(name), argv, terminal);
  return 0;
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command) return command;
  const suggestion = closestName(name, NAMES);
  throw usageFailure(
    `unknown command "${name}"${suggestion ? `, did you mean ${suggestion}?` : ''}`,
    'postern --help lists the commands.',
  );
}

async function runCommand(command: Command, argv: string[], terminal: Terminal): Promise<void> {
  const { words, values, server, isJson, isHelp } = readArguments(command, argv);
  if (isHelp) return void terminal.stdout.write(commandHelp(command));
  const { min, max } = command.count;
  if (words.length < min || words.length > max) {
    const found =
      words.length < min ? 'an argument is missing' : `too many arguments: ${words.slice(max).join(' ')}`;
    throw usageFailure(
      found,
      `Usage: postern ${[command.name, command.words].filter(Boolean).join(' ')}. See postern ${command.name} --help.`,
    );
  }
  const { environment } = terminal;
  const connect = () => connectTo(readSettings(environment, server));
  const output = createOutput(isJson, terminal);
  await command.run(words, values, { output, environment, connect, server });
}

function readArguments(command: Command, args: string[]) {
  try {
    const options = { ...command.options, ...COMMON_OPTIONS };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { server, json = false, help = false, ...own } = values;
    return { words: positionals, values: own, server, isJson: json, isHelp: help };
  } catch (error) {
    if (!String(codeOf(error)).startsWith('ERR_PARSE_ARGS')) throw error;
    throw usageFailure(describeParseError(error, command), `See postern ${command.name} --help.`);
  }
}

/** Returns the message of an argument that cannot be parsed. Suggests the name of a misspelt option. */
function describeParseError(error: unknown, command: Command): string {
  const message = messageOf(error);
  const [, option = ''] = /^Unknown option '(-[^']+)'/.exec(message) ?? [];
  if (option === '') return message;
  const names = Object.keys({ ...command.options, ...COMMON_OPTIONS }).map((name) => `--${name}`);
  const suggestion = option.length > 2 ? closestName(option, names) : undefined;
  return `unknown option "${option}"${suggestion ? `, did you mean ${suggestion}?` : ''}`;
}

/** Prints an error with its remedy, as JSON for a program, and returns the exit code. */
export function report(error: unknown, isJson: boolean, { stderr }: Terminal): number {
  const failure = error instanceof Failure ? error : new Failure('failed', messageOf(error));
  const { message, remedy, code, exitCode } = failure;
  const record = { error: { message, code, remedy, exitCode } };
  const text = `postern: ${message}${remedy === undefined ? '' : `\n  ${remedy}`}`;
  stderr.write(`${isJson ? JSON.stringify(record) : text}\n`);
  return exitCode;
}
