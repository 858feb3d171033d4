import { Readable } from 'node:stream';
import { composeUseCases, openStores } from '../compose.ts';
import { describeDatabase } from '../config/config.ts';
import type { NewLink, Target } from '../links/link.ts';
import type { ResolveRequest } from '../links/resolve-link.ts';
import { DAY_MS } from '../links/time-units.ts';
import { readConfig, refuse } from './command.ts';
import { seededRandom } from './seeded-random.ts';

const PURPOSE =
  'Fills an empty store with links in every state, with files, and with two weeks of attempts.\n' +
  'Takes the properties of the service, which must not run meanwhile.';

const HISTORY_MS = 14 * DAY_MS;
const ATTEMPTS = 5_000;
const PASSWORD = 'open sesame';
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 20_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/604.1',
  'curl/8.17.0',
];

const { config } = readConfig(PURPOSE);
const endsAt = Date.now();
let now = endsAt - HISTORY_MS;
const random = seededRandom(1);
const stores = await openStores(config);
const { store } = stores;
const service = composeUseCases(config, stores, () => now);
const { ACTIVE, EXPIRED, REVOKED } = await store.statistics.linkCounts();
if (ACTIVE + EXPIRED + REVOKED > 0) {
  await store.close();
  refuse('The store is not empty:', [
    `${describeDatabase(config.database)} has links; seed a new one with --app.database.url=…`,
  ]);
}

const NO_RESTRICTIONS = { expiresAt: null, maxViews: null, password: null };

async function file(fileName: string, text: string): Promise<Target> {
  const received = await service.receiveFile(Readable.from([Buffer.from(text)]));
  return { type: 'DOWNLOAD', file: { ...received, fileName } };
}

function url(target: string): Target {
  return { type: 'REDIRECT', url: target };
}

/**
 * What is made, what a person can do with it, and how often it is opened, relative to the others: with a password
 * seldom, because each takes the time of a hash.
 */
const plan = [
  { what: 'Open redirect', target: url('https://example.com/handbook'), weight: 90 },
  { what: 'Redirect outside ASCII', target: url('https://example.com/füße?q=日本'), weight: 24 },
  {
    what: 'Redirect for 1,000 views',
    target: url('https://example.com/release-notes'),
    maxViews: 1_000,
    weight: 60,
  },
  { what: 'View limit reached (410)', target: url('https://example.com/voucher'), maxViews: 3, weight: 12 },
  {
    what: 'Expires tomorrow',
    target: url('https://example.com/offer'),
    expiresAt: endsAt + DAY_MS,
    weight: 30,
  },
  {
    what: 'Expired last week (410)',
    target: url('https://example.com/sale'),
    expiresAt: endsAt - 7 * DAY_MS,
    weight: 36,
  },
  { what: 'Revoked (410)', target: url('https://example.com/mistake'), weight: 9, revoke: true },
  {
    what: `Protected: ${PASSWORD}`,
    target: url('https://example.com/salaries'),
    password: PASSWORD,
    weight: 2,
  },
  {
    what: 'File',
    target: await file('invoice-2026-117.txt', 'Invoice 117\nTotal: 1,250.00 EUR\n'),
    weight: 27,
  },
  {
    what: `Protected file: ${PASSWORD}`,
    target: await file('Vertrag – Müller.txt', 'Contract\n§ 1 Subject\n'),
    password: PASSWORD,
    maxViews: 50,
    weight: 1,
  },
];

const links: (NewLink & { what: string; weight: number; revoke: boolean; isProtected: boolean })[] = [];
for (const { what, target, weight, revoke = false, ...restrictions } of plan) {
  const link = await service.createLink(target, { ...NO_RESTRICTIONS, ...restrictions });
  links.push({ ...link, what, weight, revoke, isProtected: link.passwordHash !== null });
}
const weights = links.flatMap((link) => Array<typeof link>(link.weight).fill(link));

for (let index = 0; index < ATTEMPTS; index++) {
  now = Math.floor(endsAt - HISTORY_MS + ((index + random()) / ATTEMPTS) * HISTORY_MS);
  const link = pick(weights);
  if (link.revoke && now > endsAt - HISTORY_MS / 2) await service.revokeLink(link.shortCode);
  const resolution = await service.resolveLink(attemptOn(link));
  if (resolution.kind === 'FILE') await resolution.file.close();
}
for (const link of links.filter(({ revoke }) => revoke)) await service.revokeLink(link.shortCode);
await store.expireDue(endsAt, links.length);
await store.close();

process.stdout.write(
  `Seeded ${links.length} links and ${ATTEMPTS} attempts. Start the service, then try:\n\n`,
);
for (const { what, shortCode, isProtected } of links) {
  const password = isProtected ? ` -H 'X-Link-Password: ${PASSWORD}'` : '';
  process.stdout.write(`  ${what}\n    curl -i${password} ${config.baseUrl}/l/${shortCode}\n`);
}
process.stdout.write(`\n  Statistics\n    curl ${config.baseUrl}/api/stats/access/summary\n`);

/** One attempt as people make them: mostly right, now and then a mistyped code or password, or a preview. */
function attemptOn({ shortCode, isProtected }: { shortCode: string; isProtected: boolean }): ResolveRequest {
  const luck = random();
  return {
    shortCode: luck < 0.02 ? `${shortCode.slice(1)}0` : shortCode,
    password: isProtected && luck < 0.9 ? (luck < 0.3 ? 'guess' : PASSWORD) : null,
    isConfirmed: true,
    purpose: luck > 0.97 ? 'PREVIEW' : 'OPEN',
    ipAddress: `203.0.113.${Math.floor(random() * 200)}`,
    userAgent: pick(AGENTS),
  };
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from');
  return item;
}
