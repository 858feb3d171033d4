import { accept } from '../../model/parsed.ts';
import { type LinkHosts, parseTargetUrl } from '../../rules/target-url.ts';
import { isHostName, type Parser, punycodeHint, refuse } from '../parsers.ts';
import { define, unset } from '../property.ts';

/** Parses `name` or `name=URL` entries. */
const parseHosts: Parser<LinkHosts> = (text) => {
  const hosts = new Map<string, string | null>();
  for (const entry of text.split(',')) {
    const [, name = '', root] = /^([^=]*)(?:=(.*))?$/.exec(entry.trim()) ?? [];
    const host = name.toLowerCase();
    if (!isHostName(host) || (root !== undefined && !parseTargetUrl(root).ok) || hosts.has(host))
      return refuse(
        `must be different host names separated by commas, each with = and an http or https URL for its root or without, such as go.example.com=https://example.com/,files.example.com; a comma in a URL is written %2C${punycodeHint(text)}`,
      );
    hosts.set(host, root ?? null);
  }
  return accept(hosts);
};

const SHORT_PATH = /^\/(?:[A-Za-z0-9_-]{1,40}\/?)?$/;

const parseShortPath: Parser<string> = (text) =>
  SHORT_PATH.test(text)
    ? accept(text.endsWith('/') ? text : `${text}/`)
    : refuse('must be / or one segment of a path, such as /go/, of letters, digits, - or _');

/** Under which addresses links are shown and opened. */
export const HOST_PROPERTIES = {
  shortPath: define({
    name: 'app.short-path',
    byDefault: '/l/',
    parse: parseShortPath,
    meaning:
      'path below which links are shown: /l/, / or another segment such as /go/; /l/ always opens links too',
  }),
  hosts: unset(
    {
      name: 'app.hosts',
      parse: parseHosts,
      meaning:
        'further host names for links, separated by commas, each with or without = and the URL to which its root leads',
    },
    new Map(),
  ),
};
