import assert from 'node:assert/strict';
import { type Config, loadConfig } from '../../src/config/config.ts';
import { environmentName, PROPERTIES } from '../../src/config/properties.ts';
import { readProjectFile } from './documents.ts';

/** What the SDK of the object storage reads for itself; the service has no setting for it. */
const OF_THE_SDK = ['AWS_SHARED_CREDENTIALS_FILE'];

/** The configuration that the service reads from an environment and the files that it names, without a fault. */
export function configFrom(env: Record<string, string>, files: Record<string, string>): Config {
  const readFile = (path: string): string => {
    const text = files[path];
    assert.ok(text !== undefined, `no secret is mounted at ${path}`);
    return text;
  };
  const loaded = loadConfig({ argv: [], env, readFile });
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.errors.join('; '));
  // What the networks of the deployment take care of; tests of it hold that.
  const expected = /^(Listening on all interfaces|app\.storage\.endpoint \S+ is not encrypted)/;
  assert.deepEqual(
    loaded.warnings.filter((warning) => !expected.test(warning)),
    [],
  );
  return loaded.config;
}

/** Every variable is a setting; what may hold a secret, and every credential, is a file below this directory. */
export function assertSettings(env: Record<string, string>, secretsDirectory: string): void {
  const properties = Object.values(PROPERTIES);
  for (const [name, value] of Object.entries(env)) {
    const isFile = name.endsWith('_FILE');
    const property = properties.find((each) => environmentName(each) === name.replace(/_FILE$/, ''));
    assert.ok(property || OF_THE_SDK.includes(name), `${name} is no setting`);
    if (isFile) assert.ok(value.startsWith(`${secretsDirectory}/`), `${name} names a secret`);
    else assert.doesNotMatch(value, /\/\/[^/]*@/, `${name} has no credentials`);
    assert.ok(isFile || property?.name !== 'app.database.url', 'the database has a password');
    assert.doesNotMatch(name, /(PASSWORD|SECRET|KEY|TOKEN)(?!.*_FILE$)/);
  }
}

/** A number that a source declares and keeps for itself. */
export function constantIn(path: string, name: string): number {
  const [, digits] = new RegExp(`^const ${name} = ([\\d_]+);`, 'm').exec(readProjectFile(path)) ?? [];
  assert.ok(digits, `${path} declares ${name}`);
  return Number(digits.replaceAll('_', ''));
}

/** After so long a service that was told to stop has ended, whatever hangs. */
export const STOP_AT_LAST_SECONDS = constantIn('src/main.ts', 'GIVE_UP_AFTER_MS') / 1000;
