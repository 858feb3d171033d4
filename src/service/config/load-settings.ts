import type { Config } from '../../core/config/config.ts';
import { CONFIG_FLAGS, forCommand, loadConfig } from './load-config.ts';
import { type Arguments, type OwnFlags, readFlags } from './read-flags.ts';
import type { Sources } from './read-property.ts';

export type Report = (error: string) => void;

/** The settings of a command, and the configuration of the service; or every reason not to begin. */
export type LoadedSettings<Settings> =
  | { ok: true; settings: Settings; config: Config }
  | { ok: false; errors: string[] };

/**
 * Reads what a command needs from its arguments, with options of its own, and the configuration of the service.
 *
 * @param read returns undefined after an error that leaves no settings
 */
export function loadSettings<Settings>(
  sources: Sources,
  own: OwnFlags,
  read: (args: Arguments, report: Report) => Settings | undefined,
): LoadedSettings<Settings> {
  const args = readFlags(sources.argv, { own, properties: CONFIG_FLAGS, takesWords: true });
  const errors: string[] = [];
  const settings = read(args, (error) => errors.push(error));
  const loaded = forCommand(loadConfig(sources, args));
  if (!loaded.ok) errors.push(...loaded.errors);
  return settings && loaded.ok && errors.length === 0
    ? { ok: true, settings, config: loaded.config }
    : { ok: false, errors };
}
