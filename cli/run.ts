import { parseArgs } from 'node:util';
import { closestName, closestOption } from '../src/common/closest-name.ts';
import { codeOf, messageOf } from '../src/common/error-details.ts';
import { VERSION } from '../src/common/version.ts';
import { toPrintableJson } from '../src/tools/commands/terminal.ts';
import { COMMON_OPTIONS, type Command, type Listed } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT_CODES, Failure, usageFailure } from './failure.ts';
import { commandHelp, fitLines, serviceCommandHelp, toolHelp } from './help.ts';
import { createOutput, type SafeStreams, type Streams, toSafeStream } from './output.ts';
import { type ListedCommand, SERVICE_COMMANDS } from './service-commands.ts';
import { type Environment, readSettings } from './settings.ts';

/** The environment and the streams of a process. */
export type Terminal = Streams & { environment: Environment };
type SafeTerminal = SafeStreams & { environment: Environment };

type Loaded = Listed<Command> & Command;

const NAMES = [...SERVICE_COMMANDS, ...COMMANDS].map(({ name }) => name);

/** Runs the command of the arguments, and prints its error. Returns the exit code of the process. */
export async function runTool(argv: string[], given: Terminal): Promise<number> {
  const terminal = { ...given, stdout: toSafeStream(given.stdout), stderr: toSafeStream(given.stderr) };
  try {
    return await run(argv, terminal);
  } catch (error) {
    return report(error, argv.includes('--json'), terminal);
  }
}

async function run([name, ...argv]: string[], terminal: SafeTerminal): Promise<number> {
  const print = (text: string) => void terminal.stdout.write(text);
  if (name === '--version' || argv.includes('--version')) print(`${VERSION}\n`);
  else if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    const about = name === 'help' ? argv[0] : undefined;
    print(fitLines(about === undefined ? toolHelp(SERVICE_COMMANDS, COMMANDS) : await helpOf(about)));
    return name === undefined ? EXIT_CODES.usage : 0;
  } else {
    const listed = COMMANDS.find((each) => each.name === name);
    if (listed) await runCommand({ ...listed, ...(await listed.load()) }, argv, terminal);
    else print(fitLines(await helpOf(name))); // a command of the service runs elsewhere
  }
  return 0;
}

/** Returns the help of a command. */
async function helpOf(name: string): Promise<string> {
  const command = COMMANDS.find((each) => each.name === name);
  if (command) return commandHelp(command, await command.load());
  const listed = SERVICE_COMMANDS.find((each) => each.name === name);
  if (listed) return serviceCommandHelp(listed, await listed.load(), await propertiesHelp(listed));
  if (name.startsWith('-'))
    throw usageFailure(`${name} stands before the command`, 'Write options after it: postern list --json.');
  const suggestion = closestName(name, NAMES);
  throw usageFailure(
    `unknown command "${name}"${suggestion ? `, did you mean ${suggestion}?` : ''}`,
    'postern --help lists the commands.',
  );
}

async function propertiesHelp({ name }: ListedCommand): Promise<string> {
  if (name !== 'serve')
    return 'It takes the properties of the service, too: postern serve --help lists them.\n';
  const { helpText } = await import('../src/service/config/help-text.ts');
  return `Properties:\n\n${helpText()}`;
}

async function runCommand(command: Loaded, argv: string[], terminal: SafeTerminal): Promise<void> {
  const { words, values, server, isJson, isHelp } = readArguments(command, argv);
  if (isHelp) return void terminal.stdout.write(fitLines(commandHelp(command, command)));
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
  const { connectTo } = await import('./connection.ts');
  const connect = () => connectTo(readSettings(environment, server));
  const output = createOutput(isJson, terminal);
  await command.run(words, values, { output, environment, connect, server });
}

function readArguments(command: Loaded, args: string[]) {
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
function describeParseError(error: unknown, command: Loaded): string {
  const message = messageOf(error);
  const [, option = ''] = /^Unknown option '(-[^']+)'/.exec(message) ?? [];
  if (option === '') return message;
  const names = Object.keys({ ...command.options, ...COMMON_OPTIONS });
  const suggestion = option.startsWith('--') ? closestOption(option.slice(2), names) : undefined;
  return `unknown option "${option}"${suggestion ? `, did you mean --${suggestion}?` : ''}`;
}

/** Prints an error with its remedy, as JSON for a program, and returns the exit code. */
export function report(error: unknown, isJson: boolean, { stderr }: Terminal): number {
  const failure = error instanceof Failure ? error : new Failure('failed', messageOf(error));
  const { message, remedy, code, exitCode } = failure;
  const record = { error: { message, code, remedy, exitCode } };
  const text = `postern: ${message}${remedy === undefined ? '' : `\n  ${remedy}`}`;
  stderr.write(`${isJson ? toPrintableJson(record) : text}\n`);
  return exitCode;
}
