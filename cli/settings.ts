import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { codeOf, messageOf } from '../src/common/error-details.ts';
import { Failure, usageFailure } from './failure.ts';

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The address of the service, and the key for it. `source`: what named the address, for errors. */
export type Settings = { url: string; key: string | undefined; source: string };

const DEFAULT_URL = 'http://localhost:8080';
/** Rights of the group and of others. */
const FOREIGN_RIGHTS = 0o077;

/** Returns the path of the configuration file. A relative XDG_CONFIG_HOME is invalid by its standard, and ignored. */
export function settingsPath(environment: Environment): string {
  const base = environment['XDG_CONFIG_HOME'] ?? '';
  const home = environment['HOME'] || homedir();
  return join(isAbsolute(base) ? base : join(home, '.config'), 'postern', 'config.json');
}

/**
 * Reads the address and the key. The key of the file is sent to no other address than that of the file.
 *
 * @param server the value of `--server`
 */
export function readSettings(environment: Environment, server: string | undefined): Settings {
  const path = settingsPath(environment);
  const file = readSettingsFile(path);
  const [address, source] = firstOf(
    [server, '--server'],
    [environment['POSTERN_URL'], 'POSTERN_URL'],
    [file.url, path],
    [DEFAULT_URL, 'the default; set POSTERN_URL, or run postern login'],
  );
  const url = parseServerUrl(address, source);
  const isOfFile = file.url !== undefined && parseServerUrl(file.url, path) === url;
  const key = environment['POSTERN_KEY'] || (isOfFile ? file.key : undefined);
  if (key !== undefined) requireHeaderText(key);
  return { url, key, source };
}

function firstOf(...candidates: [string | undefined, string][]): [string, string] {
  for (const [value, source] of candidates) if (value) return [value, source];
  throw new Error('the last candidate is empty');
}

/** Returns an address without its last slashes. */
export function parseServerUrl(text: string, source: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw usageFailure(
      `the address of the service (${source}) is not valid: ${text}`,
      'Write it with http:// or https://, such as https://links.example.',
    );
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Refuses a key that no header can carry. The error does not show it. */
export function requireHeaderText(key: string): void {
  if (/^[!-~]+$/.test(key)) return;
  throw usageFailure('the key has spaces or other characters that no key has', 'Copy the key once more.');
}

type SettingsFile = { url?: string; key?: string };

export function readSettingsFile(path: string): SettingsFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
    if (process.platform !== 'win32' && statSync(path).mode & FOREIGN_RIGHTS) {
      throw usageFailure(`${path} can be read by others, and may hold a key`, `Run: chmod 600 ${path}`);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return {};
    if (error instanceof Failure) throw error;
    throw usageFailure(`${path} cannot be read: ${messageOf(error)}`);
  }
  const value = parseObject(text);
  const { url, key } = value ?? {};
  if (value && isText(url) && isText(key)) return { ...(url && { url }), ...(key && { key }) };
  throw usageFailure(
    `${path} is not valid`,
    'It is a JSON object with the texts "url" and "key". Run postern login to write it.',
  );
}

const isText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the configuration file. Only its owner can read it, at every moment. */
export function writeSettingsFile(path: string, settings: SettingsFile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(temporary, 0o600); // a umask may have taken rights of the owner
  renameSync(temporary, path);
}
