import { describeDatabase } from '../../common/locations.ts';
import type { Config } from '../../core/config/config.ts';
import { anonymous } from '../../core/model/author.ts';
import type { Target } from '../../core/model/link.ts';
import { DAY_MS } from '../../core/model/time-units.ts';
import { fileOf } from '../../core/use-cases/files/receive-file.ts';
import type { ResolveRequest } from '../../core/use-cases/visit/resolution.ts';
import { composeUseCases } from '../../service/compose-use-cases.ts';
import { loadAlone } from '../../service/config/load-settings.ts';
import { openStores, type Stores } from '../../service/open-stores.ts';
import { announceDatabase, defineCommand } from './command.ts';
import { seededRandom } from './seeded-random.ts';
import { print } from './terminal.ts';

const HISTORY_MS = 14 * DAY_MS;
const ATTEMPTS = 5_000;
const PASSWORD = 'open sesame';
const AUTHOR = anonymous('127.0.0.1');
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 20_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/604.1',
  'curl/8.17.0',
];

/** A link to create. `weight` is how often it is opened: hashing makes passwords slow. */
type PlannedLink = {
  what: string;
  target: Target;
  weight: number;
  maxViews?: number;
  expiresAt?: number;
  password?: string;
  isRevoked?: true;
};
type SeededLink = PlannedLink & { shortCode: string };
type Service = ReturnType<typeof composeUseCases>;

const random = seededRandom(1);
const endsAt = Date.now();
let now = endsAt - HISTORY_MS;

async function seed({ config }: { config: Config }): Promise<undefined> {
  const stores = await openStores(config, { onDatabaseCreated: () => announceDatabase(config) });
  try {
    await assertEmpty(stores, config);
    const service = composeUseCases(config, stores, () => now);
    const links = await createLinks(service);
    await openLinks(service, links);
    await stores.store.expireDue(endsAt, links.length);
    printLinks(links, config.baseUrl);
  } finally {
    await stores.store.close();
  }
}

async function assertEmpty({ store }: Stores, { database }: Config): Promise<void> {
  const { ACTIVE, EXPIRED, REVOKED } = await store.statistics.linkCounts();
  if (ACTIVE + EXPIRED + REVOKED === 0) return;
  throw new Error(
    `The store is not empty: ${describeDatabase(database)} has links; seed a new one, see --help`,
  );
}

async function createLinks(service: Service): Promise<SeededLink[]> {
  const file = async (fileName: string, text: string): Promise<Target> => {
    return service.receiveFile(fileOf(fileName, Buffer.from(text), 'COMMAND seed'), async (stored) => ({
      type: 'DOWNLOAD',
      file: stored,
    }));
  };
  const invoice = await file('invoice-2026-117.txt', 'Invoice 117\nTotal: 1,250.00 EUR\n');
  const contract = await file('Vertrag – Müller.txt', 'Contract\n§ 1 Subject\n');
  const plan: PlannedLink[] = [
    ...redirects(),
    { what: 'File', target: invoice, weight: 27 },
    { what: `Protected file: ${PASSWORD}`, target: contract, password: PASSWORD, maxViews: 50, weight: 1 },
  ];
  const links: SeededLink[] = [];
  for (const planned of plan) {
    const { target, expiresAt = null, maxViews = null, password = null } = planned;
    const { link } = await service.createLink(target, { expiresAt, maxViews, password }, AUTHOR);
    links.push({ ...planned, shortCode: link.shortCode });
  }
  return links;
}

function redirects(): PlannedLink[] {
  const to = (path: string): Target => ({ type: 'REDIRECT', url: `https://example.com/${path}` });
  return [
    { what: 'Open redirect', target: to('handbook'), weight: 90 },
    { what: 'Redirect outside ASCII', target: to('füße?q=日本'), weight: 24 },
    { what: 'Redirect for 1,000 views', target: to('release-notes'), maxViews: 1_000, weight: 60 },
    { what: 'View limit reached (410)', target: to('voucher'), maxViews: 3, weight: 12 },
    { what: 'Expires tomorrow', target: to('offer'), expiresAt: endsAt + DAY_MS, weight: 30 },
    { what: 'Expired last week (410)', target: to('sale'), expiresAt: endsAt - 7 * DAY_MS, weight: 36 },
    { what: 'Revoked (410)', target: to('mistake'), weight: 9, isRevoked: true },
    { what: `Protected: ${PASSWORD}`, target: to('salaries'), password: PASSWORD, weight: 2 },
  ];
}

/** Spreads the attempts evenly over the history. Revoked links are revoked after its first half. */
async function openLinks(service: Service, links: readonly SeededLink[]): Promise<void> {
  const weighted = links.flatMap((link) => Array<SeededLink>(link.weight).fill(link));
  for (let index = 0; index < ATTEMPTS; index++) {
    now = Math.floor(endsAt - HISTORY_MS + ((index + random()) / ATTEMPTS) * HISTORY_MS);
    const link = pick(weighted);
    if (link.isRevoked && now > endsAt - HISTORY_MS / 2) await service.revokeLink(link.shortCode, AUTHOR);
    const resolution = await service.resolveLink(attemptOn(link));
    if (resolution.kind === 'FILE') await resolution.file.close();
  }
  for (const link of links.filter(({ isRevoked }) => isRevoked))
    await service.revokeLink(link.shortCode, AUTHOR);
}

/** Returns an attempt: mostly right, sometimes with a mistyped code or password, or a preview. */
function attemptOn({ shortCode, password }: SeededLink): ResolveRequest {
  const luck = random();
  return {
    shortCode: luck < 0.02 ? `${shortCode.slice(1)}0` : shortCode,
    password: password && luck < 0.9 ? (luck < 0.3 ? 'guess' : password) : null,
    confirmation: 'GIVEN',
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

function printLinks(links: readonly SeededLink[], baseUrl: string): void {
  const examples = links.map(({ what, shortCode, password }) => {
    const header = password ? ` -H 'X-Link-Password: ${password}'` : '';
    return `  ${what}\n    curl -i${header} ${baseUrl}/l/${shortCode}\n`;
  });
  print(
    `Seeded ${links.length} links and ${ATTEMPTS} attempts. Start the service, then try:\n\n${examples.join('')}` +
      `\n  Statistics\n    curl ${baseUrl}/api/stats/access/summary\n`,
  );
}

export const command = defineCommand({
  details:
    'Open, protected, ended and revoked links, files, and two weeks of attempts. The service must not be running.',
  options: {},
  examples: ['postern seed --app.database.must-exist=false --app.database.url=sqlite:example.db'],
  failure: 'The store could not be seeded:',
  load: loadAlone,
  run: seed,
});
