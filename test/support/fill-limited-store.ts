import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { openSqliteStore } from '../../src/stores/sqlite/open-store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from './attempts.ts';

// A program of its own, because it limits the size of its files: the database cannot grow, while its log is written
// from its beginning. It prints as JSON which problems the store has meanwhile, and after the limit is lifted.

const [, , path = ''] = process.argv;
const LONG_LOG_PAGES = 100;
const LINKS = 5_000;

function limitFileSize(bytes: number | 'unlimited'): void {
  // Only the soft limit, which the user may raise again.
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
}

// Larger than a long log.
const filled = await openSqliteStore({ path });
const links = Array.from({ length: LINKS }, (_, index) => redirectLink(codeOf(index)));
await Promise.all(links.map((link) => filled.create(link, newChange())));
await filled.close();

const store = await openSqliteStore({ path, longLogPages: LONG_LOG_PAGES });
limitFileSize(statSync(path).size);
let whileLimited: readonly string[] = [];
while (whileLimited.length === 0) {
  await store.attempt(attemptOn(codeOf(1)));
  whileLimited = await store.findProblems();
}
const error = store.explainProblem?.('database_checkpoint_failing');
const { failedCheckpoints } = (await store.measureLog?.()) ?? {};
limitFileSize('unlimited');
let afterwards = whileLimited;
while (afterwards.length > 0) {
  await setTimeout(20);
  afterwards = await store.findProblems();
}
await store.close();
process.stdout.write(JSON.stringify({ whileLimited, error, failedCheckpoints, afterwards }));
