import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Config } from '../src/core/config/config.ts';
import { anonymous } from '../src/core/model/author.ts';
import { newApiKey } from '../src/core/model/people/api-key.ts';
import { SCOPES, type Scope } from '../src/core/model/people/caller.ts';
import { hashSecret } from '../src/core/model/people/hash-secret.ts';
import { newPerson } from '../src/core/model/people/person.ts';
import type { PersonStore } from '../src/core/ports/people.ts';
import { fileOf } from '../src/core/use-cases/files/receive-file.ts';
import { createLog } from '../src/observability/log.ts';
import { composeService } from '../src/service/compose.ts';
import { composeUseCases } from '../src/service/compose-use-cases.ts';
import { loadConfig } from '../src/service/config/load-config.ts';
import { openStores } from '../src/service/open-stores.ts';
import { seededRandom } from '../src/tools/commands/seeded-random.ts';
import { buildPages } from '../test/support/build-pages.ts';
import { findChromium } from '../test/support/chromium-binary.ts';
import { chooseFiles } from '../test/support/create-page.ts';
import { createOpened, type Opened } from './make-opened-link.ts';

// `npm run screenshots`: takes the pictures of the documents, of generated data at a fixed time. Short codes are
// random, so no two runs are identical. With a directory (`-- /tmp/pages`) it writes the views there in every form,
// as PNG, for a review.

const NOW = Date.parse('2026-06-17T14:20:00Z');
const DAY_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
const FORMS = {
  'desktop-light': { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  'desktop-dark': { viewport: { width: 1280, height: 860 }, colorScheme: 'dark' },
  'phone-light': {
    viewport: { width: 390, height: 844 },
    colorScheme: 'light',
    isMobile: true,
    hasTouch: true,
  },
  'phone-dark': {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    isMobile: true,
    hasTouch: true,
  },
} as const;
type Form = keyof typeof FORMS;
type View =
  | ('create' | 'result' | 'my-links' | 'link' | 'certificate' | 'links' | 'edit' | 'people' | 'dashboard')
  | ('password' | 'confirm' | 'expired');

/** The pictures that documents show. The other views are for a review alone. */
const IN_DOCUMENTS: Record<View, Form[]> = {
  create: ['desktop-light'],
  result: ['phone-light'],
  link: ['desktop-light'],
  certificate: [],
  confirm: ['phone-light'],
  'my-links': [],
  links: [],
  edit: [],
  people: ['desktop-light'],
  dashboard: [],
  password: [],
  expired: [],
};

type ShortCodes = { confirm: string; password: string; expired: string; opened: Opened; key: string };

const [reviewDirectory] = process.argv.slice(2);

function configIn(directory: string): Config {
  const loaded = loadConfig({
    argv: [
      '--server.host=127.0.0.1',
      '--app.base-url=https://go.example.com',
      `--app.database.url=sqlite:${join(directory, 'postern.db')}`,
      `--app.storage.path=${join(directory, 'files')}`,
    ],
    env: {},
    readFile: () => Buffer.alloc(0),
  });
  if (!loaded.ok) throw new Error(loaded.errors.join('; '));
  return loaded.config;
}

/** Creates a month of links and attempts through the use cases: most by day, few at the weekend. */
async function createHistory(config: Config): Promise<ShortCodes> {
  const stores = await openStores(config);
  const random = seededRandom(7);
  let now = NOW - 30 * DAY_MS;
  const { createLink, receiveFile, resolveLink, revokeLink } = composeUseCases(config, stores, () => now);
  const none = { expiresAt: null, maxViews: null, password: null };
  const author = anonymous('203.0.113.1');
  const toUrl = async (url: string, restrictions = {}) =>
    (await createLink({ type: 'REDIRECT', url }, { ...none, ...restrictions }, author)).link;

  const links = [];
  for (const weight of [34, 21, 13, 9, 6, 4, 3, 2]) {
    links.push({ weight, password: null, ...(await toUrl(`https://example.com/${weight}`)) });
  }
  const protectedLinks = [
    { weight: 5, ...(await toUrl('https://example.com/plans', { password: 'sesame' })) },
    { weight: 2, ...(await toUrl('https://example.com/pay', { password: 'sesame' })) },
  ].map((link) => ({ ...link, password: 'sesame' }));
  const ended = [
    {
      weight: 7,
      password: null,
      ...(await toUrl('https://example.com/sale', { expiresAt: NOW - 9 * DAY_MS })),
    },
    { weight: 3, password: null, ...(await toUrl('https://example.com/gift', { maxViews: 40 })) },
    { weight: 2, password: null, ...(await toUrl('https://example.com/typo')) },
  ];
  const all = [...links, ...protectedLinks, ...ended];
  const choices = all.flatMap((link) => Array<(typeof all)[number]>(link.weight).fill(link));
  const revoked = ended.at(-1)?.shortCode ?? '';

  for (let hour = NOW - 30 * DAY_MS; hour < NOW; hour += HOUR_MS) {
    now = hour;
    if (hour === NOW - 12 * DAY_MS) await revokeLink(revoked, author);
    const attempts = Math.round(averageAttemptsAt(new Date(hour)) * (0.6 + 0.8 * random()));
    const opening = Array.from({ length: attempts }, () => {
      const link = choices[Math.floor(random() * choices.length)];
      const luck = random();
      if (!link) throw new Error('There is no link to open');
      const password = luck < 0.25 ? 'guess' : luck < 0.9 ? 'sesame' : null;
      return resolveLink({
        shortCode: luck > 0.985 ? 'Unknown1' : link.shortCode,
        password: link.password && password,
        confirmation: 'GIVEN',
        purpose: luck > 0.94 && luck < 0.97 ? 'PREVIEW' : 'OPEN',
        ipAddress: `203.0.113.${Math.floor(random() * 180)}`,
        userAgent: 'Mozilla/5.0',
      });
    });
    await Promise.all(opening);
  }
  const opened = await createOpened(
    composeUseCases(config, stores, () => now),
    NOW,
    (at) => {
      now = at;
    },
  );
  now = NOW - DAY_MS;
  const file = await receiveFile(
    fileOf('Floor plan, second draft.pdf', Buffer.alloc(2_480_000), 'ANONYMOUS'),
    async (stored) => stored,
  );
  const confirm = await createLink(
    { type: 'DOWNLOAD', file },
    { ...none, maxViews: 3, expiresAt: NOW + 5 * DAY_MS, terms: { confirm: true } },
    author,
  );
  await createLabelled(composeUseCases(config, stores, () => NOW));
  const key = newApiKey();
  const stored = {
    name: 'operator',
    hash: hashSecret(key),
    scopes: [...SCOPES],
    owner: null,
    createdAt: NOW,
  };
  await stores.store.keys.addKey({ ...stored, expiresAt: null, lastUsedAt: null, revokedAt: null });
  await addPeople(stores.store.people);
  await stores.store.expireDue(NOW, 100);
  await stores.store.close();
  return {
    confirm: confirm.link.shortCode,
    password: protectedLinks[0]?.shortCode ?? '',
    expired: ended[0]?.shortCode ?? '',
    opened,
    key,
  };
}

/** Adds the people of a small team, as docs/operations/access.md describes it. */
async function addPeople(people: PersonStore): Promise<void> {
  const team: [name: string, scopes: Scope[], lastSignInAt: number | null][] = [
    ['admin', [...SCOPES], NOW - HOUR_MS],
    ['ann', ['create'], NOW - 2 * HOUR_MS],
    ['bob', ['create', 'read'], NOW - DAY_MS],
    ['carla', ['create', 'read', 'manage'], NOW - 3 * DAY_MS],
    ['dan', ['create'], null],
  ];
  for (const [name, scopes, lastSignInAt] of team) {
    const passwordHash = lastSignInAt === null ? null : 'none';
    await people.addPerson(
      newPerson({ name, scopes, lastSignInAt, passwordHash, createdAt: NOW - 20 * DAY_MS }),
    );
  }
}

/** Creates links of each state except those that have ended, as a key with a name. */
async function createLabelled({ createLink }: ReturnType<typeof composeUseCases>): Promise<void> {
  const author = { kind: 'KEY', name: 'marketing', ipAddress: '203.0.113.1' } as const;
  const none = { expiresAt: null, maxViews: null, password: null };
  const invite = (recipient: string) => ({ label: 'Invitation', note: null, tags: ['event'], recipient });
  const links = [
    { url: 'https://example.com/events/summer?guest=1', maxViews: 3, labels: invite('Ann Example') },
    { url: 'https://example.com/events/summer?guest=2', maxViews: 3, labels: invite('Bob Example') },
    { url: 'https://example.com/jobs/designer', startsAt: NOW + DAY_MS, password: 'sesame' },
    {
      url: 'https://example.com/reports/2026/spring',
      customCode: 'spring-report',
      labels: { label: 'Spring report', note: null, tags: ['board', 'finance'], recipient: null },
    },
  ];
  for (const { url, ...terms } of links)
    await createLink({ type: 'REDIRECT', url }, { ...none, ...terms }, author);
}

/** Returns the average number of attempts in an hour. */
function averageAttemptsAt(at: Date): number {
  const hour = at.getUTCHours();
  const isWeekend = [0, 6].includes(at.getUTCDay());
  const byHour = 14 * Math.exp(-((hour - 10) ** 2) / 9) + 11 * Math.exp(-((hour - 15) ** 2) / 8) + 0.6;
  return byHour * (isWeekend ? 0.25 : 1);
}

async function takePictures(browser: Browser, url: string, shortCodes: ShortCodes): Promise<void> {
  const target = reviewDirectory ?? fileURLToPath(new URL('screenshots', import.meta.url));
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(target)) {
    if (/\.(webp|png)$/.test(name)) rmSync(join(target, name));
  }
  for (const form of Object.keys(FORMS) as Form[]) {
    const context = await browser.newContext({
      ...FORMS[form],
      deviceScaleFactor: reviewDirectory === undefined && form.startsWith('phone') ? 1.5 : 1,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(NOW);
    await page.addInitScript(`localStorage.setItem('postern.open-notice', 'dismissed')`);
    for (const [view, forms] of Object.entries(IN_DOCUMENTS) as [View, Form[]][]) {
      // Every view is visited in each form: the next one starts from its result. From `links` on, the key is signed in.
      await VIEWS[view](page, url, shortCodes);
      if (reviewDirectory === undefined && !forms.includes(form)) continue;
      const png = await page.screenshot({
        fullPage: view !== 'edit' && (view !== 'create' || form.startsWith('phone')),
      });
      const name = join(target, `${view}-${form}`);
      if (reviewDirectory !== undefined) writeFileSync(`${name}.png`, png);
      else writeFileSync(`${name}.webp`, await toWebp(browser, png));
    }
    await context.close();
  }
}

/** Opens each view. */
const VIEWS: Record<View, (page: Page, url: string, shortCodes: ShortCodes) => Promise<void>> = {
  create: async (page, url) => {
    await page.goto(url);
    await page.getByLabel('Paste a URL').fill('https://example.com/reports/2026/spring');
    await page.getByRole('radio', { name: 'In 1 week' }).click();
    await page.getByRole('radio', { name: 'One view' }).click();
    await page.getByRole('heading', { name: 'New link' }).click();
  },
  result: async (page) => {
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
    await page.locator('.my-link .badge').first().waitFor();
  },
  'my-links': async (page, url) => {
    await page.goto(url);
    const files = [
      { name: 'minutes.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(48_000) },
      { name: 'Photos of the workshop.zip', mimeType: 'application/zip', buffer: Buffer.alloc(910_000) },
    ];
    for (const file of files) {
      await page.getByRole('heading', { name: 'New link' }).waitFor();
      await chooseFiles(page, file);
      await page.getByRole('radio', { name: 'In 1 day' }).click();
      await page.getByRole('button', { name: 'Create link' }).click();
      await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
      await page.goto(url);
    }
    await page.locator('.my-link .badge').nth(2).waitFor();
  },
  link: async (page, url, { opened: { shortCode, token } }) => {
    await page.addInitScript(`sessionStorage.setItem('postern.token.${shortCode}', '${token}')`);
    await page.goto(`${url}/links/${shortCode}`);
    await page.locator('.entry').first().waitFor();
    await page.waitForLoadState('networkidle');
  },
  certificate: async (page) => {
    await page.getByRole('link', { name: 'Delivery record' }).click();
    await page.getByRole('article').waitFor();
  },
  links: async (page, url, { key }) => {
    await page.addInitScript(`sessionStorage.setItem('postern.key', '${key}')`);
    await page.goto(`${url}/links`);
    await page.locator('tbody tr').nth(5).waitFor();
  },
  edit: async (page) => {
    await page.getByRole('button', { name: 'Actions: spring-report' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('View limit').waitFor();
  },
  people: async (page, url) => {
    await page.goto(`${url}/people`);
    await page.locator('tbody tr').nth(3).waitFor();
  },
  dashboard: async (page, url) => {
    await page.goto(`${url}/dashboard?range=month`);
    await page.getByText('Latest openings and refused attempts').waitFor();
    await page.waitForLoadState('networkidle');
  },
  password: (page, url, { password }) => openPath(page, `${url}/l/${password}`),
  confirm: (page, url, { confirm }) => openPath(page, `${url}/l/${confirm}`),
  expired: (page, url, { expired }) => openPath(page, `${url}/l/${expired}`),
};

async function openPath(page: Page, url: string): Promise<void> {
  await page.goto(url);
}

/** Converts a picture with the browser, which needs no package. */
async function toWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const address = `data:image/png;base64,${png.toString('base64')}`;
  const webp = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = ${JSON.stringify(address)};
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext('2d').drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.86);
  })()`);
  await page.close();
  return Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64');
}

const scratch = mkdtempSync(join(tmpdir(), 'postern-screenshots-'));
try {
  buildPages();
  const config = configIn(scratch);
  const shortCodes = await createHistory(config);
  const service = await composeService(config, createLog('error', process.stderr), { clock: () => NOW });
  await service.startJobs();
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = service.app.server.address() as AddressInfo;
  const { path, env } = findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    chromiumSandbox: false,
    args: [
      ...['--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
      // The certificate names the address of its page.
      `--host-resolver-rules=MAP go.example.com 127.0.0.1:${port}`,
    ],
  });
  try {
    await takePictures(browser, 'http://go.example.com', shortCodes);
  } finally {
    await browser.close();
    await service.stop();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
