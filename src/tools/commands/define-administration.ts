import { describeDatabase } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import type { Parser } from '../../core/config/parsers.ts';
import { loadSettings, type Report } from '../../service/config/load-settings.ts';
import { type Arguments, describeUnknown, readFlag } from '../../service/config/read-flags.ts';
import { quote } from '../../service/config/read-property.ts';
import { type Administration, administrate, RefusedRequest } from './administration.ts';
import { defineCommand, type Option, type Options, refuse, type ServiceCommand } from './command.ts';
import { print } from './terminal.ts';

/** What an action gets: the name after it, and its options. An option without a value is an empty text. */
type Given = { name: string; flags: Arguments['flags']; config: Config };

/** An option of an action. `missing`: what to write, where the action needs it. `parse` only checks it. */
type ActionOption = Option & { missing?: string; parse?: Parser<unknown> };

/** An action of a command, such as `create` of `postern keys`. */
export type Action = {
  /** What the name after the action names, with an example; undefined: it takes no name. */
  named?: string;
  /** Checks the name of something new, before the action may create the database. */
  parseName?: Parser<string>;
  options?: Record<string, ActionOption>;
  /** True if the action may create the database. */
  creates?: true;
  /** Sends the requests. Returns what to print. */
  run(administration: Administration, given: Given): Promise<string>;
};

type Definition = Pick<ServiceCommand, 'examples'> & {
  /** The name of the command, by which histories name the author of its changes. */
  name: string;
  details: string;
  failure: string;
  actions: Record<string, Action>;
  /** What to do about errors, by their codes. */
  remedies: Partial<Record<string, string>>;
};

/** Returns a command of several actions, which sends requests to the service as the local administrator. */
export function defineAdministration({ name, actions, remedies, ...texts }: Definition): ServiceCommand {
  const options: Options = {};
  for (const each of Object.values(actions)) Object.assign(options, each.options);
  return defineCommand({
    ...texts,
    options,
    load: (sources) => loadSettings(sources, options, (args, report) => readAction(actions, args, report)),
    async run({ settings: { action, ...given }, config }): Promise<undefined> {
      const { creates = false } = action;
      const running = administrate(config, { command: name, creates }, (administration) =>
        action.run(administration, { ...given, config }),
      );
      print(
        await running.catch((error: unknown) => {
          if (!(error instanceof RefusedRequest)) throw error;
          const remedy = remedies[error.code];
          const message = remedy === undefined ? error.message : `${error.message}; ${remedy}`;
          return refuse(texts.failure, [message], { exitCode: error.status === 400 ? 2 : 1 });
        }),
      );
    },
  });
}

/** Returns undefined after an error that leaves no action. */
function readAction(
  actions: Record<string, Action>,
  { words, flags, errors }: Arguments,
  report: Report,
): { action: Action; name: string; flags: Arguments['flags'] } | undefined {
  const [word, name = '', ...more] = words;
  const action = Object.entries(actions).find(([known]) => known === word)?.[1];
  for (const other of more) report(`unexpected argument ${quote(other)}; quote a name that has spaces`);
  if (!action) {
    report(describeUnknown('command', word, Object.keys(actions), 'see --help'));
    return undefined;
  }
  const { named, parseName, options = {} } = action;
  if (named === undefined && name !== '') report(`unexpected argument ${quote(name)}; ${word} takes no name`);
  if (named !== undefined && name === '') report(`${word} needs the name of the ${named}`);
  const parsed = name === '' ? undefined : parseName?.(name);
  if (parsed?.ok === false) report(`name ${quote(name)} ${parsed.error}`);
  for (const flag of flags.keys()) {
    const having = Object.entries(actions).filter(([, each]) => each.options && flag in each.options);
    if (having.length > 0 && !(flag in options))
      report(`--${flag} is only for ${having.map(([known]) => known).join(' and ')}; leave it out`);
  }
  for (const [flag, { missing, parse }] of Object.entries(options)) {
    if (parse) readFlag(flags, flag, parse, report);
    if (missing !== undefined && !flags.has(flag) && errors.length === 0)
      report(`--${flag} is missing; ${missing}`);
  }
  return { action, name, flags };
}

/** Returns the words of a list with commas. */
export const listOf = (text = ''): string[] => text.split(',').map((word) => word.trim());

/** Returns where a new key or person is valid. */
export const describeValidity = ({ database }: Config, isDatabaseNew: boolean): string =>
  `It is valid for services on the database ${describeDatabase(database)}${isDatabaseNew ? ', which is new' : ''}.\n`;
