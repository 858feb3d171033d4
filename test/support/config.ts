import assert from 'node:assert/strict';
import type { Config } from '../../src/core/config/config.ts';
import { loadConfig } from '../../src/service/config/load-config.ts';
import type { Sources } from '../../src/service/config/read-property.ts';

/** Everything that a configuration is read from; `files` are texts by path. */
export type World = {
  argv?: string[];
  env?: Record<string, string>;
  files?: Record<string, string | Buffer>;
};

/** Makes the sources of a configuration up. */
export function sourcesIn({ argv = [], env = {}, files = {} }: World): Sources {
  const readFile = (path: string): Buffer => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
    return Buffer.from(text);
  };
  return { argv, env, readFile };
}

export const load = (world: World = {}) => loadConfig(sourcesIn(world));

export function configOf(world?: World): Config {
  const loaded = load(world);
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.errors.join('\n'));
  return loaded.config;
}

export function warningsOf(world: World): string[] {
  const loaded = load(world);
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.errors.join('\n'));
  return loaded.warnings;
}

export function errorsOf(world: World): string[] {
  const loaded = load(world);
  assert.ok(!loaded.ok, `${JSON.stringify(world)} must be refused`);
  return loaded.errors;
}

/** Returns the only error. */
export function errorOf(world: World): string {
  const errors = errorsOf(world);
  assert.equal(errors.length, 1, errors.join('\n'));
  return errors.join();
}

export const withFlag = (name: string, text: string): World => ({ argv: [`--${name}=${text}`] });

/** Asserts one error, which names the property and its flag, and matches `expected`. */
export function assertRefused(name: string, text: string, expected = /must/): void {
  const error = errorOf(withFlag(name, text));
  assert.match(error, new RegExp(`^${RegExp.escape(name)}: .* from flag --${RegExp.escape(name)} `));
  assert.match(error, expected);
}

/** Asserts that each of some texts, between bars, is refused. */
export function assertEachRefused(name: string, texts: string, expected?: RegExp): void {
  for (const text of texts.split('|')) assertRefused(name, text, expected);
}
