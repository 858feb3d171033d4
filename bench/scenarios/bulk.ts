import { randomUUID } from 'node:crypto';
import { figuresOf, single } from '../support/figures.ts';
import type { Server } from '../support/processes.ts';
import { type Effort, type Row, type Scenario, scaled } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { linksByStatus } from '../support/subjects.ts';

const ITEMS = 1_000;
/** As many as the service handles at once. */
const AT_ONCE = 4;
const MIN_RATE = 5_000;

export const bulk: Scenario = {
  name: 'bulk',
  about: 'POST /api/links/bulk with 1,000 items, four requests at a time, on both stores',
  run: (effort) =>
    inScratch(async (scratch) => {
      const sqlite = await scratch.startService();
      const database = await scratch.startPostgres();
      const postgres = await scratch.startService({ databaseUrl: database.url });
      return [
        ...(await measure(sqlite, 'SQLite', effort, { goal: { atLeast: MIN_RATE } })),
        ...(await measure(postgres, 'PostgreSQL', effort)),
        await measurePasswords(sqlite, effort),
      ];
    }),
};

/** Measures links per second without and with an Idempotency-Key. */
async function measure(
  server: Server,
  name: string,
  effort: Effort,
  goal: Pick<Row, 'goal'> = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const hasKey of [false, true]) {
    const rounds: Round[] = [];
    for (let round = -1; round < effort.rounds; round++) {
      const measured = await measureRound(server, hasKey, effort.seconds);
      if (round >= 0) rounds.push(measured); // the first round warms up
    }
    const what = `${name}${hasKey ? ', with an Idempotency-Key' : ''}`;
    const perLink = figuresOf(rounds.map(({ processorUs }) => processorUs));
    rows.push({ what, figures: figuresOf(rounds.map(({ rate }) => rate)), unit: 'links/s', ...goal });
    rows.push({ what: `${what}: processor per link`, figures: perLink, unit: 'µs' });
  }
  return rows;
}

/** `processorUs`: of the service, per link. */
type Round = { rate: number; processorUs: number };

async function measureRound(server: Server, hasKey: boolean, seconds: number): Promise<Round> {
  const body = bodyOf(ITEMS);
  const before = (await linksByStatus(server)).active;
  const [startedAt, processorMs] = [performance.now(), server.processorMs()];
  const endsAt = startedAt + seconds * 1000;
  let created = 0;
  async function send(): Promise<void> {
    while (performance.now() < endsAt) {
      const count = await createMany(server, body, hasKey);
      created += count;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  const rate = created / ((performance.now() - startedAt) / 1000);
  const processorUs = ((server.processorMs() - processorMs) * 1000) / created;
  const committed = (await linksByStatus(server)).active - before;
  if (committed !== created) throw new Error(`${committed} of ${created} links were committed`);
  return { rate, processorUs };
}

/** Returns how many links a request created. @throws unless it created each */
async function createMany({ url }: Server, body: string, hasKey: boolean): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(hasKey && { 'idempotency-key': randomUUID() }),
  };
  const response = await fetch(`${url}/api/links/bulk`, { method: 'POST', headers, body });
  const { results } = (await response.json()) as { results: { status: number }[] };
  const failed = results.find(({ status }) => status !== 201);
  if (failed) throw new Error(`An item was not created: ${JSON.stringify(failed)}`);
  return results.length;
}

async function measurePasswords(server: Server, effort: Effort): Promise<Row> {
  const count = scaled(ITEMS, effort);
  const startedAt = performance.now();
  await createMany(server, bodyOf(count, { password: 'open sesame' }), false);
  const seconds = (performance.now() - startedAt) / 1000;
  return { what: `SQLite, ${count} items with a password`, figures: single(seconds), unit: 's' };
}

function bodyOf(count: number, members: Record<string, unknown> = {}): string {
  const items = Array.from({ length: count }, (_, index) => ({
    targetUrl: `https://example.com/campaigns/2026/autumn?utm_source=mail&recipient=${index}`,
    recipient: `person${index}@example.com`,
    ...members,
  }));
  return JSON.stringify({ items });
}
