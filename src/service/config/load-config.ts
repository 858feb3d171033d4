import { closestName } from '../../common/closest-name.ts';
import { type Config, type ReadPem, toConfig } from '../../core/config/config.ts';
import { parsePemFile } from '../../core/config/database-url.ts';
import { findConflicts } from '../../core/config/find-conflicts.ts';
import { ALL_PROPERTIES, PROPERTIES } from '../../core/config/properties.ts';
import { environmentName, type Property, readTable } from '../../core/config/property.ts';
import { accept } from '../../core/model/parsed.ts';
import { readConfigFile } from './config-file.ts';
import { type Arguments, readFlags } from './read-flags.ts';
import { findSetting, quote, readProperty, type Setting, type Sources } from './read-property.ts';
import { findWarnings } from './start-warnings.ts';

/**
 * A configuration with the warnings for its administrator, or every reason not to start. `settings`: what sets each
 * property that does not have its default.
 */
export type LoadedConfig =
  | { ok: true; config: Config; warnings: string[]; settings: ReadonlyMap<Property<unknown>, Setting> }
  | { ok: false; errors: string[] };

/** Returns what was loaded for a command: only the service creates a database where no setting says whether it must exist. */
export function forCommand(loaded: LoadedConfig): LoadedConfig {
  if (!loaded.ok || loaded.settings.has(PROPERTIES.databaseMustExist)) return loaded;
  return { ...loaded, config: { ...loaded.config, databaseMustExist: 'FOR_COMMAND' } };
}

/** The flags that set the configuration: one for each property, and the path of the configuration file. */
export const CONFIG_FLAGS = ['config', ...ALL_PROPERTIES.map(({ name }) => name)];

/**
 * Reads the whole configuration from arguments, the environment, the configuration file, and the files that these name
 * (DECISIONS, Configuration).
 * Reports all errors at once and shows no secret.
 *
 * @param args the arguments after the program's name, if they have flags besides those of properties
 */
export function loadConfig(
  given: Sources,
  args: Arguments = readFlags(given.argv, { properties: CONFIG_FLAGS }),
): LoadedConfig {
  const file = readConfigFile(
    args.flags.get('config') ?? (given.env['POSTERN_CONFIG'] || undefined),
    given,
    ALL_PROPERTIES,
  );
  const sources: Sources = { ...given, fromFile: file.settings };
  const errors = [...args.errors, ...findMisspeltVariables(sources.env), ...file.errors];
  // After an error the default is used, so that errors in the properties that follow are found too.
  const refused = new Set<string>();
  const values = readTable(PROPERTIES, (property) => {
    const parsed = readProperty(property, args.flags, sources);
    if (parsed.ok) return parsed.value;
    errors.push(parsed.error);
    refused.add(property.name);
    return property.fallback;
  });
  const readPem: ReadPem = (parameter, path) => {
    const parsed = path === null ? accept(null) : parsePemFile(path, sources.readFile);
    if (parsed.ok) return parsed.value;
    errors.push(`${PROPERTIES.database.url.name}: ${parameter} ${quote(path ?? '')} ${parsed.error}`);
    return null;
  };
  const config = toConfig(values, readPem);
  errors.push(...findConflicts(config, refused));
  if (errors.length > 0) return { ok: false, errors };
  const settings = ALL_PROPERTIES.flatMap((property) => {
    const setting = findSetting(property, args.flags, sources);
    return setting.ok && setting.value ? [[property, setting.value] as const] : [];
  });
  const warnings = [...findWarnings({ ...config, baseUrl: values.baseUrl }, sources.env), ...file.warnings];
  return { ok: true, config, warnings, settings: new Map(settings) };
}

/**
 * Returns an error for each variable that is a misspelling of a known one. Others are ignored: Kubernetes
 * sets APP_PORT, APP_PORT_8080_TCP_ADDR and the like where a service is called "app".
 */
function findMisspeltVariables(env: Sources['env']): string[] {
  const names = ALL_PROPERTIES.map(environmentName);
  const known = names.flatMap((name) => [name, `${name}_FILE`]);
  return Object.keys(env)
    .filter((name) => /^(APP|SERVER|SPRING|MANAGEMENT)_/.test(name) && env[name] && !known.includes(name))
    .flatMap((name) => {
      const closest = closestName(name, known);
      return closest === undefined
        ? []
        : [`environment variable ${name} sets no property, did you mean ${closest}? Rename or unset it`];
    });
}
