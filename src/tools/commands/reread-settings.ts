import { ALL_PROPERTIES, PROPERTIES } from '../../core/config/properties.ts';
import type { AdjustableLog } from '../../observability/log.ts';
import type { LoadedConfig } from '../../service/config/load-config.ts';

type Settings = Extract<LoadedConfig, { ok: true }>['settings'];

/**
 * Returns a function that reads the settings of a running service again. It takes over the log level and the list of
 * blocked hosts, and logs which other properties need a restart. Settings with an error change nothing.
 *
 * @param parts.settings what the service was started with
 */
export function prepareReread(parts: {
  settings: Settings;
  reload(): LoadedConfig;
  log: AdjustableLog;
  refreshBlockedHosts(): Promise<void>;
}): () => Promise<void> {
  const { settings, reload, log, refreshBlockedHosts } = parts;
  const running = new Map(settings);
  return async () => {
    const loaded = reload();
    if (!loaded.ok) return log.writeAlways('error', 'settings_refused', { errors: loaded.errors });
    const changed = ALL_PROPERTIES.filter(
      (property) => running.get(property)?.text !== loaded.settings.get(property)?.text,
    );
    const needRestart = changed
      .filter((property) => property !== PROPERTIES.log.level)
      .map(({ name }) => name);
    const level = loaded.settings.get(PROPERTIES.log.level);
    if (level) running.set(PROPERTIES.log.level, level);
    else running.delete(PROPERTIES.log.level);
    log.setLevel(loaded.config.log.level);
    log.writeAlways('info', 'settings_reread', { changed: changed.map(({ name }) => name), needRestart });
    await refreshBlockedHosts();
  };
}
