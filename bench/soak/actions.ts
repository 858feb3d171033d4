import type { RequestOptions, TestResponse } from '../../test/support/http-client.ts';
import { shortCodeOf } from '../../test/support/links.ts';
import { encodeForm, fields, file, MULTIPART_HEADERS } from '../../test/support/multipart.ts';
import { pick as pickOne } from '../../test/support/random.ts';
import { type Client, readAtMost } from './client.ts';

/** The links and the means from which the load chooses. */
export type Scene = {
  client: Client;
  randomInt: (max: number) => number;
  /** Short codes of links that stay as they are, at most `MAX_LINKS`. */
  redirects: string[];
  protectedLinks: string[];
  files: Record<FileSize, string[]>;
};

/** One kind of client. It throws when a response is not the expected one. */
export type Action = {
  name: string;
  /** The number of runs in a minute, of the default rate. */
  perMinute: number;
  run(scene: Scene): Promise<unknown>;
};

type FileSize = keyof typeof FILE_BYTES;
const FILE_BYTES = { small: 2_000, medium: 200_000, large: 4_000_000, huge: 40_000_000 } as const;
const CONTENT = Buffer.alloc(FILE_BYTES.huge, 'Postern ');
const MAX_FILES = 40;

/** More than the service caches. */
export const MAX_LINKS = 110_000;
const MAX_PROTECTED_LINKS = 300;
const PREPARED_PROTECTED_LINKS = 5;
const PASSWORD = 'soak password';
const PASSWORD_HEADER = { 'x-link-password': PASSWORD };
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'de, en;q=0.5' };
const SLOWLY = readAtMost(200_000);
const DAY_MS = 86_400_000;

const STATISTICS = [
  'access/summary',
  'access/hourly',
  'access/daily',
  'access/over-time?unit=hour',
  'access/by-result',
  'access/failures',
  'links',
  'links/top',
  'security/exceptions',
];
const PAGES = ['/', '/dashboard', '/sign-in', '/docs', '/openapi.json', '/api/settings'];

export const ACTIONS: Action[] = [
  { name: 'open', perMinute: 5_400, run: (scene) => open(scene, pick(scene, scene.redirects), 302) },
  { name: 'open a hot link', perMinute: 600, run: (scene) => open(scene, scene.redirects[0] ?? '', 302) },
  {
    name: 'HEAD',
    perMinute: 240,
    run: (scene) => open(scene, pick(scene, scene.redirects), 200, { method: 'HEAD' }),
  },
  { name: 'unknown code', perMinute: 120, run: (scene) => open(scene, 'unknown0', 404) },
  {
    name: 'unknown code, page',
    perMinute: 60,
    run: (scene) => open(scene, 'unknown0', 404, { headers: HTML }),
  },
  {
    name: 'create',
    perMinute: 600,
    run: async (scene) => keep(scene, scene.redirects, MAX_LINKS, await create(scene)),
  },
  { name: 'create protected', perMinute: 20, run: createProtected },
  { name: 'right password', perMinute: 120, run: (scene) => openProtected(scene, 302, PASSWORD_HEADER) },
  {
    name: 'wrong password',
    perMinute: 60,
    run: (scene) => openProtected(scene, 401, { 'x-link-password': 'a guess' }),
  },
  { name: 'password form', perMinute: 60, run: (scene) => openProtected(scene, 401, HTML) },
  { name: 'confirm', perMinute: 30, run: openConfirmed },
  { name: 'view limit', perMinute: 60, run: useViewsUp },
  { name: 'revoke', perMinute: 120, run: revoke },
  { name: 'upload 2 kB', perMinute: 120, run: (scene) => upload(scene, 'small') },
  { name: 'upload 200 kB', perMinute: 40, run: (scene) => upload(scene, 'medium') },
  { name: 'upload 4 MB', perMinute: 6, run: (scene) => upload(scene, 'large') },
  { name: 'upload 40 MB', perMinute: 1, run: (scene) => upload(scene, 'huge') },
  { name: 'download 2 kB', perMinute: 240, run: (scene) => download(scene, 'small') },
  { name: 'download 200 kB', perMinute: 120, run: (scene) => download(scene, 'medium') },
  { name: 'download 40 MB', perMinute: 4, run: (scene) => download(scene, 'huge') },
  { name: 'download slowly', perMinute: 20, run: (scene) => download(scene, 'large', { read: SLOWLY }) },
  { name: 'statistics', perMinute: 60, run: readStatistics },
  { name: 'pages', perMinute: 60, run: (scene) => expectStatus(scene, pick(scene, PAGES), 200) },
  { name: 'health', perMinute: 30, run: (scene) => expectStatus(scene, '/actuator/health', 200) },
  { name: 'metrics', perMinute: 8, run: (scene) => expectStatus(scene, '/actuator/prometheus', 200) },
];

export const DEFAULT_PER_SECOND = ACTIONS.reduce((sum, { perMinute }) => sum + perMinute, 0) / 60;

/** Creates what the actions open: one link of each kind. */
export async function prepareScene(client: Client, randomInt: Scene['randomInt']): Promise<Scene> {
  const files: Scene['files'] = { small: [], medium: [], large: [], huge: [] };
  const scene: Scene = { client, randomInt, redirects: [], protectedLinks: [], files };
  scene.redirects.push(await create(scene));
  for (let made = 0; made < PREPARED_PROTECTED_LINKS; made++) await createProtected(scene);
  for (const size of Object.keys(FILE_BYTES) as FileSize[]) await upload(scene, size);
  return scene;
}

/** Creates a link without restrictions and opens it, so that it is cached. */
export async function addOpenedLink(scene: Scene): Promise<void> {
  const shortCode = await create(scene);
  await open(scene, shortCode, 302);
  keep(scene, scene.redirects, MAX_LINKS, shortCode);
}

const pick = <T>({ randomInt }: Scene, from: readonly T[]): T => pickOne(randomInt, from);

/** Adds an entry to a bounded list, in the place of a random one when it is full. The first one stays. */
function keep({ randomInt }: Scene, list: string[], max: number, entry: string): void {
  if (list.length < max) list.push(entry);
  else list[1 + randomInt(max - 1)] = entry;
}

/** Sends a request as one of many clients behind a trusted proxy. */
async function expectStatus(
  { client, randomInt }: Scene,
  path: string,
  status: number,
  options: RequestOptions = {},
): Promise<TestResponse> {
  const address = [10 + randomInt(90), randomInt(256), randomInt(256), randomInt(256)].join('.');
  const headers = { 'user-agent': 'Postern soak', ...options.headers, 'x-forwarded-for': address };
  const response = await client.send(path, { ...options, headers });
  if (response.status !== status)
    throw new Error(
      `${options.method ?? 'GET'} ${path.replace(/\/l\/.*/, '/l/…')}: ${response.status}, not ${status}`,
    );
  return response;
}

const open = (scene: Scene, shortCode: string, status: number, options?: RequestOptions) =>
  expectStatus(scene, `/l/${shortCode}`, status, options);

async function create(scene: Scene, members: Record<string, unknown> = {}): Promise<string> {
  const targetUrl = `https://example.com/path/${scene.randomInt(1e9)}?query=${'x'.repeat(scene.randomInt(200))}`;
  const created = await expectStatus(scene, '/api/links', 201, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ targetUrl, ...members }),
  });
  return shortCodeOf(created);
}

async function createProtected(scene: Scene): Promise<void> {
  keep(scene, scene.protectedLinks, MAX_PROTECTED_LINKS, await create(scene, { password: PASSWORD }));
}

const openProtected = (scene: Scene, status: number, headers: Record<string, string>) =>
  open(scene, pick(scene, scene.protectedLinks), status, { headers });

async function openConfirmed(scene: Scene): Promise<void> {
  const shortCode = await create(scene, { confirm: true });
  await open(scene, shortCode, 200, { headers: HTML });
  await open(scene, shortCode, 303, { method: 'POST' });
}

async function useViewsUp(scene: Scene): Promise<void> {
  const shortCode = await create(scene, { maxViews: 2 });
  for (const status of [302, 302, 410]) await open(scene, shortCode, status);
}

async function revoke(scene: Scene): Promise<void> {
  const shortCode = await create(scene);
  await open(scene, shortCode, 302);
  await open(scene, shortCode, 204, { method: 'DELETE' });
  await open(scene, shortCode, 410);
}

async function upload(scene: Scene, size: FileSize): Promise<void> {
  const created = await expectStatus(scene, '/api/links/upload', 201, {
    method: 'POST',
    headers: MULTIPART_HEADERS,
    body: encodeForm([...fields({ maxViews: '1000000' }), file(CONTENT.subarray(0, FILE_BYTES[size]))]),
  });
  keep(scene, scene.files[size], MAX_FILES, shortCodeOf(created));
}

async function download(scene: Scene, size: FileSize, options?: RequestOptions): Promise<void> {
  const { body } = await open(scene, pick(scene, scene.files[size]), 200, options);
  if (body.length !== FILE_BYTES[size])
    throw new Error(`a file of ${FILE_BYTES[size]} bytes came with ${body.length}`);
}

async function readStatistics(scene: Scene): Promise<void> {
  const name = pick(scene, STATISTICS);
  const isRanged = name.startsWith('access/') && scene.randomInt(2) > 0;
  const start = new Date(Date.now() - DAY_MS).toISOString();
  const range = isRanged ? `${name.includes('?') ? '&' : '?'}start=${start}` : '';
  await expectStatus(scene, `/api/stats/${name}${range}`, 200);
}
