import { readFile, stat } from 'node:fs/promises';
import { codeOf } from '../error-details.ts';
import { type BlockedHosts, parseBlockedHosts } from '../links/rules/blocked-hosts.ts';

/** Room for about 170,000 names, which occupy the request thread for 0.2 s. */
const MAX_MIB = 4;

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
    hosts = parse(await readFile(path));
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
  if (found.size > MAX_MIB * 1024 ** 2) throw new Error(`the file must be at most ${MAX_MIB} MiB`);
  return [found.dev, found.ino, found.size, found.mtimeNs].join();
}

function parse(bytes: Buffer): BlockedHosts {
  const parsed = parseBlockedHosts(decode(bytes));
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error('the file must be UTF-8 text', { cause });
  }
}
