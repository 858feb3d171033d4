import { COMMON_OPTIONS, type Command, type Options } from './command.ts';

/** The names and summaries of the commands. */
type Summary = Pick<Command, 'name' | 'words' | 'summary'>;

const EXIT_CODES_HELP = `Exit codes:
  0  done
  1  the service refused it, or it failed
  2  wrong arguments or settings
  3  the service cannot be reached
`;

const SETTINGS_HELP = `Settings:
  POSTERN_URL  the address of the service; http://localhost:8080 without it and without a file
  POSTERN_KEY  an API key
  The file $XDG_CONFIG_HOME/postern/config.json, or ~/.config/postern/config.json, has the same as "url" and
  "key". postern login writes it. Its key is sent only to its address. Others must not be able to read it.
`;

/** Returns the help of the tool. */
export function toolHelp(commands: readonly Summary[], keys: Summary): string {
  const rows = [...commands, keys].map(({ name, words, summary }) => [`${name} ${words}`, summary] as const);
  return `Usage: postern COMMAND [ARGUMENTS] [OPTIONS]

Creates, opens and manages short links of a Postern service.

Commands (postern COMMAND --help shows the options and examples):
${columnsOf(rows)}

Every command has:
${optionsHelp(COMMON_OPTIONS)}

${SETTINGS_HELP}
${EXIT_CODES_HELP}
Example:
  postern create https://example.com/offer --expires 7d
`;
}

/** Returns the help of a command. */
export function commandHelp({ name, words, summary, details, options, examples }: Command): string {
  const usage = `Usage: postern ${[name, words].filter(Boolean).join(' ')} [OPTIONS]`;
  const about = `${summary}.${details === undefined ? '' : `\n${details}`}`;
  const shown = optionsHelp({ ...options, ...COMMON_OPTIONS });
  const example = `Examples:\n${examples.map((each) => `  ${each}`).join('\n')}`;
  return `${usage}\n\n${about}\n\nOptions:\n${shown}\n\n${example}\n\n${EXIT_CODES_HELP}`;
}

function optionsHelp(options: Options): string {
  return columnsOf(
    Object.entries(options).map(([name, { short, value, help }]) => {
      const names = `${short ? `-${short}, ` : '    '}--${name}`;
      return [value === undefined ? names : `${names} ${value}`, help] as const;
    }),
  );
}

function columnsOf(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
