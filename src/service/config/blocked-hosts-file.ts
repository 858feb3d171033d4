import { readFile, stat } from 'node:fs/promises';
import { codeOf } from '../../common/error-details.ts';
import { MAX_LIST, parseListOfHosts } from '../../core/config/blocked-hosts.ts';
import type { BlockedHosts } from '../../core/rules/blocked-hosts.ts';

/** The list of `app.links.blocked-hosts`. */
export type BlockedHostsFile = {
  /** Returns the last list that could be read. */
  current(): BlockedHosts;
  /** Reads the file again if it changed. Returns true if it did. @throws if the file cannot be used */
  refresh(): Promise<boolean>;
};

/** Reads a list of blocked hosts. @throws if the file cannot be used */
export async function openBlockedHostsFile(path: string): Promise<BlockedHostsFile> {
  let version = '';
  let hosts: BlockedHosts = new Set();

  async function refresh(): Promise<boolean> {
    const found = await versionOf(path);
    if (found === version) return false;
    const parsed = parseListOfHosts(await readFile(path));
    if (!parsed.ok) throw new Error(parsed.error);
    hosts = parsed.value;
    version = found;
    return true;
  }

  await refresh();
  return { current: () => hosts, refresh };
}

/** Returns a text that changes with the file. */
async function versionOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch((error: unknown) => {
    throw new Error(`the file cannot be read (${codeOf(error)})`, { cause: error });
  });
  if (!found.isFile()) throw new Error('this is not a file');
  if (found.size > MAX_LIST.maxBytes) throw new Error(`the file must be at most ${MAX_LIST.limit}`);
  return [found.dev, found.ino, found.size, found.mtimeNs].join();
}
