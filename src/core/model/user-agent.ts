import type { AuditResult } from './verdict.ts';

/** The program that sent a user agent, as far as it says. Versions of systems are left out: browsers freeze them. */
export type Program = { name: string; version: string | null; system: string | null; isBot: boolean };

/** The products by which browsers are known. Most name others too, so the first of these that a text has counts. */
const BROWSERS: Readonly<Record<string, string>> = {
  ...{ Edg: 'Microsoft Edge', EdgA: 'Microsoft Edge', EdgiOS: 'Microsoft Edge', Edge: 'Microsoft Edge' },
  ...{ OPR: 'Opera', OPT: 'Opera', Opera: 'Opera', SamsungBrowser: 'Samsung Internet', Vivaldi: 'Vivaldi' },
  ...{ YaBrowser: 'Yandex Browser', DuckDuckGo: 'DuckDuckGo', Ddg: 'DuckDuckGo', UCBrowser: 'UC Browser' },
  ...{ Firefox: 'Firefox', FxiOS: 'Firefox', CriOS: 'Chrome', Chrome: 'Chrome', HeadlessChrome: 'Chrome' },
  ...{ Chromium: 'Chromium', Trident: 'Internet Explorer', Version: 'Safari' },
};
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/windows/i, 'Windows'],
  [/android/i, 'Android'],
  [/iphone|ipad|ipod/i, 'iOS'],
  [/\bcros\b/i, 'ChromeOS'],
  [/macintosh|mac os x/i, 'macOS'],
  [/linux|x11/i, 'Linux'],
];
const IS_BOT = /bot|crawl|spider|slurp|externalhit|preview/i;
/** Looks at links by itself. It does not call itself a bot, and opens links for people in their browsers. */
const PREVIEWER = 'WhatsApp';
const IS_NAME = /^[a-z][\w.-]{1,39}$/i;

/** Reads the program from a user agent. Returns undefined for one that is not known. */
export function parseUserAgent(userAgent: string): Program | undefined {
  const parts = userAgent.split(/[\s;()]+/).map((part) => part.split('/'));
  const versions = new Map<string, string | null>();
  for (const [index, [name = '', version = '']] of parts.entries())
    if (IS_NAME.test(name) && (/^v?\d/.test(version) || (index === 0 && IS_BOT.test(name))))
      versions.set(name, /\d+/.exec(version)?.[0] ?? null);
  const [first] = versions.keys();
  const bot = [...versions.keys()].find(
    (name) => IS_BOT.test(name) || (name === first && name === PREVIEWER),
  );
  const browser = Object.keys(BROWSERS).find((name) => versions.has(name));
  const product = bot ?? browser ?? (first === 'Mozilla' ? undefined : first);
  if (product === undefined) return undefined;
  return {
    name: product === browser ? (BROWSERS[product] ?? product) : product,
    version: product === 'Trident' ? null : (versions.get(product) ?? null),
    system: SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null,
    isBot: bot !== undefined,
  };
}

/** Returns whether a user agent names a browser, and no bot. */
export function isBrowser(userAgent: string): boolean {
  const program = parseUserAgent(userAgent);
  return program !== undefined && !program.isBot && Object.values(BROWSERS).includes(program.name);
}

/** A long history has few user agents, and most of its entries are by one of these. */
const MAX_KNOWN = 1_000;
const known = new Map<string, boolean>();

/** Returns whether a user agent names a bot, such as that of a chat which shows what a link leads to. */
function isBot(userAgent: string): boolean {
  const before = known.get(userAgent);
  if (before !== undefined) return before;
  if (known.size >= MAX_KNOWN) known.clear();
  const result = parseUserAgent(userAgent)?.isBot === true;
  known.set(userAgent, result);
  return result;
}

/** What of an attempt says whether a bot made it. */
type FetchFacts = { result: AuditResult; userAgent: string | null; recipientAddress?: string | undefined };

/**
 * Returns whether a known bot, such as that of a chat or of a scanner, fetched what a link leads to. It has no mailbox whose
 * code a recipient needs. A fetch counts as a view; what people read does not call it an opening. With a file request, bots
 * send files too.
 */
export function isFetch({ result, userAgent, recipientAddress }: FetchFacts): boolean {
  return result === 'SUCCESS' && recipientAddress === undefined && userAgent !== null && isBot(userAgent);
}

/** Returns when a link was last opened, as people read it: without what known bots fetched. */
export const lastOpeningOf = <Time>({
  lastOpenedAt,
  fetches,
}: {
  lastOpenedAt?: Time | undefined;
  fetches?: { openedAt: Time } | undefined;
}): Time | undefined => (fetches ? fetches.openedAt : lastOpenedAt);

/** A number of views by a name; null: without one. */
export type NameCount = { name: string | null; count: number };

/** Sums counts by the name that `nameOf` returns. The largest first; ties by name, null last. */
export function sumNames<Item extends { count: number }>(
  items: Iterable<Item>,
  nameOf: (item: Item) => string | null,
): NameCount[] {
  const counts = new Map<string | null, number>();
  for (const item of items) {
    const name = nameOf(item);
    counts.set(name, (counts.get(name) ?? 0) + item.count);
  }
  const isBefore = (a: string | null, b: string | null) => b === null || (a !== null && a < b);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (isBefore(a.name, b.name) ? -1 : 1));
}

/** Sums the views of user agents by browser, and by operating system. */
export function countDevices(agents: readonly NameCount[]): { browsers: NameCount[]; systems: NameCount[] } {
  const parsed = agents.map(({ name, count }) => ({
    program: name === null ? undefined : parseUserAgent(name),
    count,
  }));
  return {
    browsers: sumNames(parsed, ({ program }) => program?.name ?? null),
    systems: sumNames(parsed, ({ program }) => program?.system ?? null),
  };
}
