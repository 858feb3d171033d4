import Bowser from 'bowser';

// Loaded only by the page of a link: the parser is larger than the rest of a page.

/** The program that sent a user agent, as far as it says. Versions of systems are left out: browsers freeze them. */
export type Program = { name: string; system: string | null; isBot: boolean };

/** Parsing takes up to 1 ms, and the list is rendered again each time it changes. */
const parsed = new Map<string, Program | undefined>();

/** Reads the program from a user agent. Returns undefined for one that the parser does not know. */
export function parseUserAgent(userAgent: string): Program | undefined {
  if (!parsed.has(userAgent)) parsed.set(userAgent, parse(userAgent));
  return parsed.get(userAgent);
}

function parse(userAgent: string): Program | undefined {
  if (userAgent.trim() === '') return undefined;
  const { browser, os, platform } = Bowser.parse(userAgent);
  if (!browser.name) return undefined;
  const version = /^\d+/.exec(browser.version ?? '')?.[0];
  return {
    name: version === undefined ? browser.name : `${browser.name} ${version}`,
    system: os.name ?? null,
    isBot: platform.type === 'bot',
  };
}
