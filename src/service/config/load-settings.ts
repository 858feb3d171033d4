import type { Config } from '../../core/config/config.ts';
import { CONFIG_FLAGS, forCommand, loadConfig } from './load-config.ts';
import { type Options, type OptionValues, readOptions } from './options.ts';
import { readFlags } from './read-flags.ts';
import type { Sources } from './read-property.ts';

export type Report = (error: string) => void;

/** The arguments of a command: words, and the values of its options. */
export type Given<Known extends Options> = { words: readonly string[]; options: OptionValues<Known> };

/** The settings of a command, and the configuration of the service; or every reason not to begin. */
export type LoadedSettings<Settings> =
  | { ok: true; settings: Settings; config: Config }
  | { ok: false; errors: string[] };

/** The settings that a function has loaded without an error. */
export type LoadedBy<Load extends (sources: Sources) => { ok: boolean }> = Extract<
  ReturnType<Load>,
  { ok: true }
>;

/**
 * Reads what a command needs from its arguments, with options of its own, and the configuration of the service.
 *
 * @param read returns undefined after an error that leaves no settings
 */
export function loadSettings<const Known extends Options, Settings>(
  sources: Sources,
  own: Known,
  read: (given: Given<Known>, report: Report) => Settings | undefined,
  { takesWords = true } = {},
): LoadedSettings<Settings> {
  const args = readFlags(sources.argv, { own, properties: CONFIG_FLAGS, takesWords });
  const errors: string[] = [];
  const report = (error: string): void => void errors.push(error);
  const options = readOptions(own, args, sources.readFile, report);
  const settings = read({ words: args.words, options }, report);
  const loaded = forCommand(loadConfig(sources, args));
  if (!loaded.ok) errors.push(...loaded.errors);
  return settings && loaded.ok && errors.length === 0
    ? { ok: true, settings, config: loaded.config }
    : { ok: false, errors };
}

/** Returns how a command without words reads its configuration, with the values of its own options as its settings. */
export const loadWith =
  <const Known extends Options>(own: Known) =>
  (sources: Sources): LoadedSettings<OptionValues<Known>> =>
    loadSettings(sources, own, ({ options }) => options, { takesWords: false });

/** Reads the configuration of a command that has neither words nor options. */
export const loadAlone = loadWith({});
