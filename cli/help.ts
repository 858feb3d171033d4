import type { Options } from '../src/service/config/options.ts';
import type { ServiceCommand } from '../src/tools/commands/command.ts';
import { COMMON_OPTIONS, type Command, type Listed } from './command.ts';

/** A command in the list of all. */
export type Summary = Pick<Listed<Command>, 'name' | 'words' | 'summary'>;

const EXIT_CODES_HELP = `Exit codes:
  0  done
  1  it failed, the service refused it, or a check found a difference
  2  wrong arguments or settings
  3  the service cannot be reached
  4  done, but import skipped links, or backup or restore lacks files or records
`;

const SETTINGS_HELP = `Settings of the commands for links:
  POSTERN_URL  the address of the service; http://localhost:8080 without it and without a file
  POSTERN_KEY  an API key
  The file $XDG_CONFIG_HOME/postern/config.json, or ~/.config/postern/config.json, has the same as "url" and "key". postern login writes it. Its key is sent only to its address. Others must not be able to read it.
`;

const COLUMNS = 100;

/** Joins the lines of each paragraph, and fits all lines into 100 columns. */
export const fitLines = (help: string): string =>
  help
    .replaceAll(/(?<=\S)\n(?=\S)/g, ' ')
    .split('\n')
    .map(fitLine)
    .join('\n');

/** Breaks a line, which goes on below its last column. */
function fitLine(line: string): string {
  if (line.length <= COLUMNS) return line;
  const [start = ''] = /^(?:.*\S {2,}| *)/.exec(line) ?? [];
  const [first = '', ...words] = line.slice(start.length).split(' ');
  const lines = [start + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(' '.repeat(start.length) + word);
  }
  return lines.join('\n');
}

/** Returns the help of the program. */
export function toolHelp(service: readonly Summary[], links: readonly Summary[]): string {
  const all = [...service, ...links].map(nameOf);
  const width = Math.max(...all.map(({ length }) => length));
  const listOf = (commands: readonly Summary[]) =>
    columnsOf(
      commands.map((command) => [nameOf(command), command.summary] as const),
      width,
    );
  return `Usage: postern COMMAND [ARGUMENTS] [OPTIONS]

Serves short links to URLs and files, and creates, opens and manages those of any Postern service.

Service, on its machine, with its properties (postern serve --help lists them):
${listOf(service)}

Links:
${listOf(links)}

postern COMMAND --help shows the options and examples of a command, postern --version the version.

Every command for links has:
${optionsHelp(COMMON_OPTIONS)}

${SETTINGS_HELP}
${EXIT_CODES_HELP}
Examples:
  postern serve --app.base-url=https://links.example
  postern create https://example.com/offer --expires 7d
`;
}

/** Returns the help of a command for links. */
export function commandHelp(summary: Summary, command: Command): string {
  return textOf({ ...summary, ...command }, { ...command.options, ...COMMON_OPTIONS });
}

/** Returns the help of a command of the service. `properties`: the text about its properties. */
export function serviceCommandHelp(summary: Summary, command: ServiceCommand, properties: string): string {
  return `${textOf({ ...summary, ...command }, { ...command.options, help: COMMON_OPTIONS.help })}\n${properties}`;
}

type Texts = Summary & { details?: string; examples: readonly string[] };

function textOf(command: Texts, options: Options): string {
  const { summary, details, examples } = command;
  const about = `${summary}.${details === undefined ? '' : `\n${details}`}`;
  const example = `Examples:\n${examples.map((each) => `  ${each}`).join('\n')}`;
  return `Usage: postern ${nameOf(command)} [OPTIONS]\n\n${about}\n\nOptions:\n${optionsHelp(options)}\n\n${example}\n\n${EXIT_CODES_HELP}`;
}

const nameOf = ({ name, words }: Summary): string => [name, words].filter(Boolean).join(' ');

function optionsHelp(options: Options): string {
  return columnsOf(
    Object.entries(options).map(([name, { short, value, help }]) => {
      const names = `${short ? `-${short}, ` : '    '}--${name}`;
      return [value === undefined ? names : `${names} ${value}`, help] as const;
    }),
  );
}

function columnsOf(rows: readonly (readonly [string, string])[], least = 0): string {
  const width = Math.max(least, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
