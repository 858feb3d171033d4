import { describeDatabase } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import type { Parser } from '../../core/config/parsers.ts';
import type { Settings } from '../../http/routes/settings.ts';
import { CONFIG_FLAGS } from '../../service/config/load-config.ts';
import { loadSettings, type Report } from '../../service/config/load-settings.ts';
import type { Options, OptionValues } from '../../service/config/options.ts';
import { describeUnknown, readFlags } from '../../service/config/read-flags.ts';
import { quote } from '../../service/config/read-property.ts';
import { defineCommand, refuse, type ServiceCommand } from './command.ts';
import { type Administration, administrate, RefusedRequest } from './send-to-service.ts';
import { print } from './terminal.ts';

/** An action of a command, such as `create` of `postern keys`. */
export type Action<Known extends Options = Options> = {
  /** The subject of the name after the action, with an example; undefined: it takes no name. */
  named?: string;
  /** Checks the name of something new, before the action may create the database. */
  parseName?: Parser<string>;
  options?: Known;
  /** True if the action may create the database. */
  creates?: true;
  /** Sends the requests. Returns what to print. */
  run(
    administration: Administration,
    given: { name: string; options: OptionValues<Known>; config: Config },
  ): Promise<string>;
};

/** Returns an action whose own options are all that it takes. */
export function defineAction<const Known extends Options>(action: Action<Known>): Action {
  return action;
}

type Definition = Pick<ServiceCommand, 'examples'> & {
  /** The name of the command, by which histories name the author of its changes. */
  name: string;
  details: string;
  failure: string;
  actions: Record<string, Action>;
  /** The remedies of errors, by their codes. */
  remedies: Partial<Record<string, string>>;
};

/** Returns a command of several actions, which sends requests to the service as the local administrator. */
export function defineAdministration({ name, actions, remedies, ...texts }: Definition): ServiceCommand {
  const options = Object.assign({}, ...Object.values(actions).map((each) => each.options)) as Options;
  return defineCommand({
    ...texts,
    options,
    load(sources) {
      const { words, errors } = readFlags(sources.argv, {
        own: options,
        properties: CONFIG_FLAGS,
        takesWords: true,
      });
      const action = Object.entries(actions).find(([known]) => known === words[0])?.[1];
      if (!action) {
        const unknown = describeUnknown('command', words[0], Object.keys(actions), 'see --help');
        return { ok: false, errors: errors.length > 0 ? errors : [unknown] }; // a wrong flag may have taken the word
      }
      return loadSettings(sources, action.options ?? {}, ({ words, options }, report) => ({
        action,
        options,
        name: readName(action, words, report),
      }));
    },
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

function readName({ named, parseName }: Action, words: readonly string[], report: Report): string {
  const [word, name = '', ...more] = words;
  for (const other of more) report(`unexpected argument ${quote(other)}; quote a name that has spaces`);
  if (named === undefined && name !== '') report(`unexpected argument ${quote(name)}; ${word} takes no name`);
  if (named !== undefined && name === '') report(`${word} needs the name of the ${named}`);
  const parsed = name === '' ? undefined : parseName?.(name);
  if (parsed?.ok === false) report(`name ${quote(name)} ${parsed.error}`);
  return name;
}

/** Returns where a new key or person is valid. */
export const describeValidity = ({ database }: Config, isDatabaseNew: boolean): string =>
  `It is valid for services on the database ${describeDatabase(database)}${isDatabaseNew ? ', which is new' : ''}.\n`;

/** Returns the note that the service needs no sign-in yet, with the next command; an empty text where it needs one. */
export async function describeOpenAccess(send: Administration['send']): Promise<string> {
  const { access } = await send<Settings>('GET', '/api/settings');
  return access.mode === 'open'
    ? 'app.access is open: without signing in, anyone who can reach the service can create and revoke links.\n' +
        'To end that, set app.access=keys and restart the service: postern serve --app.access=keys\n'
    : '';
}
