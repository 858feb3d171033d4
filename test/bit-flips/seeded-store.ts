import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../src/core/config/config.ts';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { apiKey, attemptOn, codeOf, newChange, redirectLink, START } from '../support/attempts.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { pick, seededInt } from '../support/random.ts';
import { temporaryDirectory, testConfig } from '../support/service.ts';

const LINKS = 300;
const ATTEMPTS = 2_000;
const SPREAD_MS = 14 * 24 * 3_600_000;
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 20_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/604.1',
  'curl/8.17.0',
];

/** Makes a store with links, attempts of two weeks, changes and a key, and closes it. */
export async function makeSeededStore(cleanup: Cleanup): Promise<{ config: Config; path: string }> {
  const directory = temporaryDirectory(cleanup);
  const path = join(directory, 'postern.db');
  mkdirSync(join(directory, 'files'));
  const random = seededInt(1);
  const store = await openSqliteStore({ path });
  const links = Array.from({ length: LINKS }, (_, index) =>
    redirectLink(codeOf(index), { maxViews: index % 3 === 0 ? 5 : null }),
  );
  await Promise.all(links.map((link) => store.create(link, newChange())));
  const attempts = Array.from({ length: ATTEMPTS }, () =>
    attemptOn(codeOf(random(LINKS + 5)), {
      at: START + random(SPREAD_MS),
      ipAddress: `203.0.113.${random(200)}`,
      userAgent: pick(random, AGENTS),
      purpose: random(10) === 0 ? 'PREVIEW' : 'OPEN',
    }),
  );
  await Promise.all(attempts.map((attempt) => store.attempt(attempt)));
  await store.revoke(codeOf(1), newChange());
  await store.keys.addKey(apiKey('ci'));
  await store.close();
  return { config: testConfig(directory), path };
}
