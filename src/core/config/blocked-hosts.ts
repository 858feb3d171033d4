import { isUtf8 } from 'node:buffer';
import { accept, type Parsed } from '../model/parsed.ts';
import { type BlockedHosts, parseBlockedHosts } from '../rules/blocked-hosts.ts';
import { fileParser, type PropertyParser, refuse } from './parsers.ts';

/** Room for about 170,000 names, which occupy the request thread for 0.2 s. */
export const MAX_LIST = { maxBytes: 4 * 1024 ** 2, limit: '4 MiB' };

/** Parses the path of a list of blocked hosts, which it reads to check it. */
export const parseBlockedHostsPath: PropertyParser<string> = (path, readFile) => {
  const parsed = parseFile(path, readFile);
  return parsed.ok ? accept(path) : parsed;
};

const parseFile = fileParser<BlockedHosts>({
  content: 'a text file with one host per line',
  ...MAX_LIST,
  parse(bytes) {
    const parsed = parseListOfHosts(bytes);
    return parsed.ok ? parsed : refuse(`is not a list of hosts: ${parsed.error}`);
  },
});

/** Parses the content of such a file. */
export function parseListOfHosts(bytes: Buffer): Parsed<BlockedHosts, string> {
  if (!isUtf8(bytes)) return refuse('the file must be UTF-8 text');
  return parseBlockedHosts(new TextDecoder().decode(bytes));
}
