import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { findChromium } from '../../test/support/chromium-binary.ts';
import { compare, type Subject } from '../support/compare.ts';
import { figuresOf } from '../support/figures.ts';
import { type Effort, MEGABYTE, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';

const WEB = fileURLToPath(new URL('../../web/encryption/', import.meta.url));
const ENCRYPT_FILE = fileURLToPath(new URL('../encryption/encrypt-file.ts', import.meta.url));
const TICKS_PER_SECOND = 100;

/** The program `age` must be installed. */
export const encryption: Scenario = {
  name: 'encryption',
  about:
    'encrypting 1 GB in the command line against age, and encrypting in a page of Chromium with one worker and with all',
  run: (effort) =>
    inScratch(async (scratch) => {
      const path = join(scratch.directory(), 'file');
      const sizeBytes = scaled(1024, effort) * MEGABYTE;
      writeFileSync(path, new Uint8Array(sizeBytes));
      const recipient = await identityToRecipient(await generateX25519Identity());
      const subject = (name: string, command: string, args: string[]): Subject => ({
        name,
        async measure() {
          const before = processorUsOfChildren();
          const rate = sizeBytes / MEGABYTE / (await secondsOf(command, args));
          return { rate, processorUs: processorUsOfChildren() - before };
        },
      });
      const inCommandLine = await compare({
        service: subject('command line', process.execPath, [ENCRYPT_FILE, path, recipient]),
        baseline: subject('age', 'age', ['-r', recipient, '-o', '/dev/null', path]),
        unit: 'MB/s',
        effort,
        goals: { ratio: 0.5, processorRatio: 2 },
      });
      return [...inCommandLine, ...(await measurePage(scratch.directory(), effort))];
    }),
};

async function secondsOf(command: string, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`${command} ended with exit code ${code}`);
  return (performance.now() - startedAt) / 1000;
}

/** Returns the processor time of the processes that this one has started and that have ended. */
function processorUsOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[13]) + Number(fields[14]); // cutime and cstime
  return (ticks / TICKS_PER_SECOND) * 1_000_000;
}

/** Measures the code of the create page, bundled as it is there. */
async function measurePage(outDir: string, { rounds, seconds }: Effort): Promise<Row[]> {
  await build({
    root: WEB,
    configFile: false,
    logLevel: 'warn',
    base: '/',
    build: {
      outDir,
      emptyOutDir: false,
      rolldownOptions: { input: join(WEB, 'benchmark-page.ts'), output: { entryFileNames: 'page.js' } },
    },
  });
  const server = createServer(({ url = '/' }, response) => {
    const isScript = url.endsWith('.js');
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? readFileSync(join(outDir, url))
        : '<!doctype html><script type="module" src="/page.js"></script>',
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { path, env } = findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...process.env, ...env },
    chromiumSandbox: false,
  });
  const system = await browser.newBrowserCDPSession();
  const processorSeconds = async (): Promise<number> => {
    const { processInfo } = await system.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  async function measure(workers: string, goal?: Row['goal']): Promise<Row[]> {
    const page = await browser.newPage();
    await page.addInitScript(
      `Object.defineProperty(navigator, 'hardwareConcurrency', { value: ${workers} })`,
    );
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction('globalThis.encrypt');
    const rates: number[] = [];
    const perCore: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const before = await processorSeconds();
      const [bytes = 0, took = 0] = await page.evaluate<number[]>(`encrypt(${seconds})`);
      if (round === 0) continue; // warms up
      rates.push(bytes / MEGABYTE / took);
      perCore.push(bytes / MEGABYTE / ((await processorSeconds()) - before));
    }
    await page.close();
    const what = `page with ${workers === '1' ? 'one worker' : 'all workers'}`;
    return [
      { what, figures: figuresOf(rates), unit: 'MB/s', ...(goal && { goal }) },
      { what: `${what}, for each second of a core`, figures: figuresOf(perCore), unit: 'MB/s' },
    ];
  }
  try {
    return [...(await measure('1', { atLeast: 150 })), ...(await measure('navigator.hardwareConcurrency'))];
  } finally {
    await browser.close();
    server.close();
  }
}
