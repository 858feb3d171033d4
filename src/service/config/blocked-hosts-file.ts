import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { codeOf } from '../../common/error-details.ts';
import { accept, type Parsed } from '../../core/model/parsed.ts';
import { type BlockedHosts, parseBlockedHosts } from '../../core/rules/blocked-hosts.ts';
import { fileParser, type PropertyParser, refuse } from './parsers.ts';

/** Room for about 170,000 names, which occupy the request thread for 0.2 s. */
const MAX_BYTES = 4 * 1024 ** 2;
const LIMIT = '4 MiB';

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
    const parsed = parse(await readFile(path));
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
  if (found.size > MAX_BYTES) throw new Error(`the file must be at most ${LIMIT}`);
  return [found.dev, found.ino, found.size, found.mtimeNs].join();
}

/** Parses the path of a list of blocked hosts, which it reads to check it. */
export const parseBlockedHostsPath: PropertyParser<string> = (path, readFile) => {
  const parsed = parseFile(path, readFile);
  return parsed.ok ? accept(path) : parsed;
};

const parseFile = fileParser<BlockedHosts>({
  content: 'a text file with one host per line',
  maxBytes: MAX_BYTES,
  limit: LIMIT,
  parse(bytes) {
    const parsed = parse(bytes);
    return parsed.ok ? parsed : refuse(`is not a list of hosts: ${parsed.error}`);
  },
});

function parse(bytes: Buffer): Parsed<BlockedHosts, string> {
  if (!isUtf8(bytes)) return refuse('the file must be UTF-8 text');
  return parseBlockedHosts(new TextDecoder().decode(bytes));
}
