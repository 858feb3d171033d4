import assert from 'node:assert/strict';
import type { Config } from '../../src/core/config/config.ts';
import { ALL_PROPERTIES } from '../../src/core/config/properties.ts';
import { environmentName } from '../../src/core/config/property.ts';
import { loadConfig } from '../../src/service/config/load-config.ts';
import { GIVE_UP_AFTER_MS } from '../../src/tools/commands/serve.ts';
import { sourcesIn } from './config.ts';

/** Settings that the SDK of the object storage reads itself. */
const SDK_SETTINGS = ['AWS_SHARED_CREDENTIALS_FILE'];

/**
 * The connections of a PostgreSQL with default settings: max_connections without
 * superuser_reserved_connections.
 */
export const POSTGRES_CONNECTIONS = 100 - 3;

/** Loads the configuration from an environment and the files that it names. Fails on errors and warnings. */
export function configFrom(env: Record<string, string>, files: Record<string, string>): Config {
  const loaded = loadConfig(sourcesIn({ env, files }));
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.errors.join('; '));
  // The network of the deployment takes care of it; tests of it hold that.
  const expected = /^app\.storage\.endpoint \S+ is not encrypted/;
  assert.deepEqual(
    loaded.warnings.filter((warning) => !expected.test(warning)),
    [],
  );
  return loaded.config;
}

/** Asserts that every variable is a setting, and that secrets are in files below this directory. */
export function assertSettings(env: Record<string, string>, secretsDirectory: string): void {
  for (const [name, value] of Object.entries(env)) {
    const isFile = name.endsWith('_FILE');
    const property = ALL_PROPERTIES.find((each) => environmentName(each) === name.replace(/_FILE$/, ''));
    assert.ok(property || SDK_SETTINGS.includes(name), `${name} is no setting`);
    if (isFile) assert.ok(value.startsWith(`${secretsDirectory}/`), `${name} names a secret`);
    else assert.doesNotMatch(value, /\/\/[^/]*@/, `${name} has no credentials`);
    assert.ok(isFile || property?.name !== 'app.database.url', 'the database has a password');
    assert.doesNotMatch(name, /(PASSWORD|SECRET|KEY|TOKEN)(?!.*_FILE$)/);
  }
}

/** The service has ended so long after the signal, even when something hangs. */
export const STOP_AT_LAST_SECONDS = GIVE_UP_AFTER_MS / 1000;
