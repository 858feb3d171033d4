import { randomUUID } from 'node:crypto';
import type { Attempt, Prechecks, Purpose } from '../../src/core/model/attempt.ts';
import { anonymous } from '../../src/core/model/author.ts';
import type { EpochMs, NewLink } from '../../src/core/model/link.ts';
import type { LinkChange } from '../../src/core/model/link-change.ts';
import { prepareRandomBytes } from '../../src/core/model/people/link-token.ts';
import { NO_TERMS } from '../../src/core/model/terms.ts';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import { seededRandom } from '../../src/tools/commands/seeded-random.ts';

// Links and a year of attempts, as a busy service has them.

const randomBytes = prepareRandomBytes();
const newSalt = (): string => randomBytes(16).toString('hex');

export const YEAR_MS = 365 * 24 * 3_600_000;

/** PLAIN has no restrictions; EXPIRED ends in mid-year; DUE is over, but still marked as active. */
export const LINK_KINDS = ['PLAIN', 'EXPIRED', 'PROTECTED', 'DUE'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];
export type LinkCounts = Record<LinkKind, number>;

const CODE_LENGTH = 8;
/** The number of codes without the last digit, which stands for the kind. */
const CODES = 36 ** (CODE_LENGTH - 1);

/**
 * Returns the code of a link. Codes grow with the index, so that millions are inserted in the order of the
 * store's index; yet they are spread over it as evenly as random ones.
 */
export function shortCodeOf(kind: LinkKind, index: number, counts: LinkCounts): string {
  const number = Math.floor(((index + 0.5) * CODES) / counts[kind]);
  return `${number.toString(36)}${LINK_KINDS.indexOf(kind)}`.padStart(CODE_LENGTH, '0');
}

const UNREADABLE_HASH = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Returns a link that was created when the year began. */
export function madeUpLink(
  kind: LinkKind,
  index: number,
  data: { counts: LinkCounts; yearStart: EpochMs },
): NewLink {
  const { counts, yearStart } = data;
  const shortCode = shortCodeOf(kind, index, counts);
  const expiresAt = {
    PLAIN: null,
    PROTECTED: null,
    EXPIRED: yearStart + YEAR_MS / 2,
    DUE: yearStart + Math.floor(((index + 1) / (counts.DUE + 1)) * YEAR_MS),
  };
  return {
    shortCode,
    target: {
      type: 'REDIRECT',
      url: `https://example.com/campaigns/2026/autumn/${shortCode}?utm_source=mail`,
    },
    definitionVersion: 0,
    terms: NO_TERMS,
    createdAt: yearStart,
    startsAt: null,
    expiresAt: expiresAt[kind],
    maxViews: null,
    passwordHash: kind === 'PROTECTED' ? UNREADABLE_HASH : null,
    tokenHash: 'A'.repeat(43),
    ...{ owner: 'ANONYMOUS', team: null },
  };
}

const CITIES = ['Amsterdam', 'Berlin', 'Lisbon', 'Oslo', 'Paris', 'Porto', 'Rome', 'Vienna'];
const CAMPAIGNS = 1_000;
/** Odd and no multiple of three, so that each index has a code of its own. */
const CODE_STEP = 29_986_577_341;

/**
 * Returns a link as a list of managed links has them: one of 1,000 campaigns, a recipient of its own, and a code
 * that says nothing of its time. They are created evenly over the year.
 */
export function managedLink(index: number, data: { count: number; yearStart: EpochMs }): NewLink {
  const { count, yearStart } = data;
  const shortCode = Number((BigInt(index + 1) * BigInt(CODE_STEP)) % BigInt(CODES))
    .toString(36)
    .padStart(8, 'x');
  const campaign = `campaign ${(index * 7_919) % CAMPAIGNS}`;
  const city = CITIES[index % CITIES.length] ?? '';
  return {
    ...madeUpLink('PLAIN', 0, { counts: { PLAIN: 1, EXPIRED: 1, PROTECTED: 1, DUE: 1 }, yearStart }),
    shortCode,
    owner: `KEY ${keyOf(index)}`,
    target: {
      type: 'REDIRECT',
      url: `https://www.example.com/offers/${city.toLowerCase()}/${index}?utm_source=mail`,
    },
    terms: {
      ...NO_TERMS,
      ...{ label: campaign, tags: ['mailing', city], recipient: `person${index}@example.org` },
    },
    createdAt: yearStart + Math.floor((index / count) * YEAR_MS),
    expiresAt: index % 10 === 0 ? yearStart + Math.floor((index / count) * YEAR_MS) + 1 : null,
    maxViews: index % 20 === 1 ? 1 : null,
  };
}

/** Returns the name of the key that created a managed link: one of 100. */
const keyOf = (index: number) => `team-${index % 100}`;

/** The address from which managed links were created. */
export const CREATOR_ADDRESS = '203.0.113.1';

/** Returns who created a managed link. */
export function managedCreation(index: number, { createdAt }: NewLink): LinkChange {
  const author = { kind: 'KEY', name: keyOf(index), ipAddress: CREATOR_ADDRESS } as const;
  return { id: uuidV7(createdAt, randomUUID()), salt: newSalt(), author, at: createdAt };
}

/** Returns who created a link, and when. */
export function madeUpCreation({ createdAt }: NewLink): LinkChange {
  return {
    id: uuidV7(createdAt, randomUUID()),
    salt: newSalt(),
    author: anonymous('203.0.113.1'),
    at: createdAt,
  };
}

export const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 20_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 17; Pixel 11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.1 Safari/605.1.15',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'curl/8.17.0',
];

const UNRESTRICTED = { password: 'NOT_NEEDED', file: 'NOT_NEEDED', confirmation: 'NOT_NEEDED' } as const;

type Behaviour = { kind: LinkKind; purpose?: Purpose; prechecks: Prechecks };
/** The actions of visitors, out of 100. An EXPIRED link can be opened in the first half of the year. */
const BEHAVIOURS: readonly (Behaviour & { share: number })[] = [
  { share: 86, kind: 'PLAIN', prechecks: UNRESTRICTED },
  { share: 1, kind: 'PLAIN', prechecks: UNRESTRICTED, purpose: 'PREVIEW' },
  { share: 4, kind: 'EXPIRED', prechecks: UNRESTRICTED },
  { share: 2, kind: 'PROTECTED', prechecks: { ...UNRESTRICTED, password: 'RIGHT' } },
  { share: 3, kind: 'PROTECTED', prechecks: { ...UNRESTRICTED, password: 'WRONG' } },
  { share: 1, kind: 'PROTECTED', prechecks: { ...UNRESTRICTED, password: 'MISSING' } },
  { share: 3, kind: 'PLAIN', prechecks: 'LINK_NOT_FOUND' },
];
const WEIGHTED: readonly Behaviour[] = BEHAVIOURS.flatMap(({ share, ...behaviour }) =>
  Array<Behaviour>(share).fill(behaviour),
);

const POPULAR_SHARE = 0.8;
/** The number of links of a kind that are opened at all, and of those that get most of the attempts. */
const OPENED = 100_000;
const POPULAR = OPENED / 100;

/**
 * Returns attempts in the order of time, spread evenly over the year, most of them on few links. `onOneLink` of them,
 * also spread evenly, are on the first one.
 */
export function prepareAttempts(data: {
  counts: LinkCounts;
  records: number;
  onOneLink?: number;
  yearStart: EpochMs;
}) {
  const { counts, records, onOneLink = 0, yearStart } = data;
  const isOnOneLink = (index: number) =>
    Math.floor((index * onOneLink) / records) < Math.floor(((index + 1) * onOneLink) / records);
  const random = seededRandom(1);
  const below = (bound: number) => Math.floor(random() * bound);

  function codeFor({ kind, prechecks }: Behaviour): string {
    if (prechecks === 'LINK_NOT_FOUND') return `missing${below(10)}`;
    const opened = Math.min(random() < POPULAR_SHARE ? POPULAR : OPENED, counts[kind]);
    return shortCodeOf(kind, Math.floor((below(opened) * counts[kind]) / opened), counts);
  }

  return (index: number): Attempt => {
    const at = yearStart + Math.floor((index / records) * YEAR_MS);
    const granted: Behaviour = { kind: 'PLAIN', prechecks: UNRESTRICTED };
    const behaviour = (!isOnOneLink(index) && WEIGHTED[below(WEIGHTED.length)]) || granted;
    return {
      id: uuidV7(at, randomUUID()),
      at,
      salt: newSalt(),
      shortCode: isOnOneLink(index) ? shortCodeOf('PLAIN', 0, counts) : codeFor(behaviour),
      ipAddress: madeUpAddress(below),
      userAgent: AGENTS[below(AGENTS.length)] ?? null,
      purpose: behaviour.purpose ?? 'OPEN',
      prechecks: behaviour.prechecks,
      version: 0,
    };
  };
}

/** Returns attempts in the order of time, spread evenly over the second half of the year, on the managed links so far. */
export function prepareManagedAttempts(data: { count: number; records: number; yearStart: EpochMs }) {
  const random = seededRandom(1);
  const below = (bound: number) => Math.floor(random() * bound);
  return (index: number): Attempt => {
    const share = 0.5 + index / data.records / 2;
    const { shortCode } = managedLink(below(share * data.count), data);
    const at = data.yearStart + Math.ceil(share * YEAR_MS);
    return {
      ...viewOf(shortCode),
      ...{ id: uuidV7(at, randomUUID()), at, ipAddress: madeUpAddress(below) },
      userAgent: AGENTS[below(AGENTS.length)] ?? null,
    };
  };
}

/** Returns one of half a million addresses; every seventh is IPv6. */
function madeUpAddress(below: (bound: number) => number): string {
  const host = below(500_000);
  return host % 7 === 0
    ? `2001:db8::${(host >>> 16).toString(16)}:${(host & 0xffff).toString(16)}`
    : `10.${host >>> 16}.${(host >>> 8) & 255}.${host & 255}`;
}

/** Returns a view of a link. */
export function viewOf(shortCode: string): Attempt {
  const at = Date.now();
  const prechecks = UNRESTRICTED;
  const ipAddress = '203.0.113.7';
  return {
    id: uuidV7(at, randomUUID()),
    at,
    salt: newSalt(),
    shortCode,
    version: 0,
    ipAddress,
    userAgent: null,
    purpose: 'OPEN',
    prechecks,
  };
}
