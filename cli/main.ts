import { parseArgs } from 'node:util';
import { closestName } from '../src/config/closest-name.ts';
import { codeOf, messageOf } from '../src/error-details.ts';
import { VERSION } from '../src/version.ts';
import { COMMON_OPTIONS, type Command } from './command.ts';
import { KEYS, runKeys } from './commands/keys.ts';
import { COMMANDS } from './commands.ts';
import { connectTo } from './connection.ts';
import { EXIT_CODES, Failure, usageFailure } from './failure.ts';
import { commandHelp, toolHelp } from './help.ts';
import { createOutput } from './output.ts';
import { readSettings } from './settings.ts';

// The command line: `bin/postern`.

const NAMES = [...COMMANDS.map(({ name }) => name), KEYS.name];

/** Runs one command. Returns the exit code of the process. */
async function run([name, ...argv]: string[]): Promise<number> {
  if (name === KEYS.name) return runKeys(argv);
  if (name === '--version') process.stdout.write(`${VERSION}\n`);
  else if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    const command = COMMANDS.find((each) => each.name === argv[0]);
    process.stdout.write(command ? commandHelp(command) : toolHelp(COMMANDS, KEYS));
    return name === undefined ? EXIT_CODES.usage : 0;
  } else await runCommand(findCommand(name), argv);
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

async function runCommand(command: Command, argv: string[]): Promise<void> {
  const { words, values, server, isJson, isHelp } = readArguments(command, argv);
  if (isHelp) return void process.stdout.write(commandHelp(command));
  const { min, max } = command.count;
  if (words.length < min || words.length > max) {
    const found =
      words.length < min ? 'an argument is missing' : `too many arguments: ${words.slice(max).join(' ')}`;
    throw usageFailure(
      found,
      `Usage: postern ${command.name} ${command.words}. See postern ${command.name} --help.`,
    );
  }
  const environment = process.env;
  const connect = () => connectTo(readSettings(environment, server));
  const output = createOutput(isJson, process.stdout.columns);
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
    throw usageFailure(messageOf(error), `See postern ${command.name} --help.`);
  }
}

/** Prints an error with its remedy, as JSON for a program, and returns the exit code. */
function report(error: unknown, isJson: boolean): number {
  const failure = error instanceof Failure ? error : new Failure('failed', messageOf(error));
  const { message, remedy, code, exitCode } = failure;
  const record = { error: { message, code, remedy, exitCode } };
  const text = `postern: ${message}${remedy === undefined ? '' : `\n  ${remedy}`}`;
  process.stderr.write(`${isJson ? JSON.stringify(record) : text}\n`);
  return exitCode;
}

// `postern list | head` closes the pipe early, which is no error.
process.stdout.on('error', (error) => {
  if (codeOf(error) === 'EPIPE') process.exit(0);
  throw error;
});

const argv = process.argv.slice(2);
try {
  process.exitCode = await run(argv);
} catch (error) {
  process.exitCode = report(error, argv.includes('--json'));
}
