import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { chromium, type Page } from 'playwright-core';
import { anonymous } from '../../src/core/model/author.ts';
import {
  EMPTY_CHAIN,
  sha256,
  toCreationEntry,
  toFingerprint,
  toHashedText,
} from '../../src/core/model/chain.ts';
import { FORMAT } from '../../src/core/model/hashed-text.ts';
import type { HistoryItem } from '../../src/core/model/history.ts';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import { toItemRecord } from '../../src/http/history-items.ts';
import { findChromium } from '../../test/support/chromium-binary.ts';
import { figuresOf } from '../support/figures.ts';
import { AGENTS, madeUpLink, YEAR_MS } from '../support/made-up-data.ts';
import { type Row, type Scenario, scaled, shortCount } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';

export const verifyPage: Scenario = {
  name: 'verify-page',
  about: 'the page /verify in Chromium, with an export of 1 M entries and its fingerprint',
  run: (effort) =>
    inScratch(async (scratch) => {
      const entries = scaled(1_000_000, effort);
      const path = join(scratch.directory(), 'export.ndjson');
      const fingerprint = await writeExport(path, entries);
      const service = await scratch.startService();
      const { path: executablePath, env } = findChromium();
      const browser = await chromium.launch({
        executablePath,
        env: { ...process.env, ...env },
        chromiumSandbox: false,
      });
      const system = await browser.newBrowserCDPSession();
      const processorSeconds = async (): Promise<number> => {
        const { processInfo } = await system.send('SystemInfo.getProcessInfo');
        return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
      };
      try {
        const times: number[] = [];
        const processorTimes: number[] = [];
        for (let round = 0; round < effort.rounds; round++) {
          const page = await browser.newPage();
          await page.goto(`${service.url}/verify#${fingerprint}`);
          const before = await processorSeconds();
          times.push(await secondsToVerify(page, path));
          processorTimes.push((await processorSeconds()) - before);
          await page.close();
        }
        const what = `${shortCount(entries)} entries`;
        const rows: Row[] = [
          { what, figures: figuresOf(times), unit: 's', goal: { atMost: 5 } },
          { what: `${what}, processor time of the browser`, figures: figuresOf(processorTimes), unit: 's' },
        ];
        return rows;
      } finally {
        await browser.close();
      }
    }),
};

/** Returns how long the page takes from the click until it shows that the history is unchanged. */
async function secondsToVerify(page: Page, path: string): Promise<number> {
  await page.locator('#exported').setInputFiles(path);
  const verify = page.locator('button[type=submit]');
  await verify.waitFor();
  const startedAt = performance.now();
  await verify.click();
  await page.locator('.verify-result').waitFor({ timeout: 0 });
  const took = (performance.now() - startedAt) / 1000;
  if ((await page.locator('.verify-result.verify-good').count()) !== 1)
    throw new Error(`The check did not pass: ${await page.locator('main').innerText()}`);
  return took;
}

const YEAR_START = Date.UTC(2026, 0, 1);
const LINK = madeUpLink('PLAIN', 0, {
  counts: { PLAIN: 1, EXPIRED: 1, PROTECTED: 1, DUE: 1 },
  yearStart: YEAR_START,
});

/** Returns an entry of a link that was opened evenly over a year, the same one each time. */
function entryOf(number: number, count: number): HistoryItem {
  const at = YEAR_START + Math.floor((number / count) * YEAR_MS);
  const random = sha256(String(number));
  const [salt, digits] = [random.slice(0, 32), random.slice(32)];
  const uuid = `00000000-0000-4${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
  const id = uuidV7(at, uuid);
  if (number === 1) {
    const created = toCreationEntry(LINK, { id, at, salt, author: anonymous('192.0.2.9') });
    return { ...created, format: FORMAT, number };
  }
  const [a = 0, b = 0, c = 0] = Buffer.from(random, 'hex');
  return {
    ...{ id, at, kind: 'ATTEMPT', format: FORMAT, number, shortCode: LINK.shortCode, salt },
    ...{
      result: 'SUCCESS',
      count: 1,
      ipAddress: `203.0.${a}.${b}`,
      userAgent: AGENTS[c % AGENTS.length] ?? null,
    },
    downloads: [],
  };
}

/** Writes an export of one link, newest first. Returns the fingerprint of its last entry. */
async function writeExport(path: string, count: number): Promise<string> {
  let { fingerprint } = EMPTY_CHAIN;
  for (let number = 1; number <= count; number++)
    fingerprint = toFingerprint(fingerprint, toHashedText(entryOf(number, count), number));
  function* lines(): Generator<string> {
    const { shortCode } = LINK;
    const at = new Date(YEAR_START + YEAR_MS).toISOString();
    yield toLine({ kind: 'HEAD', shortCode, entryCount: count, fingerprint, at, filtered: false });
    for (let number = count; number >= 1; number--) yield toLine(toItemRecord(entryOf(number, count)));
  }
  await pipeline(batches(lines()), createWriteStream(path));
  return fingerprint;
}

const toLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

const BATCH = 1_000;

function* batches(lines: Iterable<string>): Generator<string> {
  let batch: string[] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < BATCH) continue;
    yield batch.join('');
    batch = [];
  }
  yield batch.join('');
}
