import { createHash } from 'node:crypto';
import type { Store } from '../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, redirectLink, START } from './attempts.ts';
import type { StorePlace } from './store-places.ts';

/** Makes everything that a store has look like the records of the version before the chains. */
export const FORGET_CHAINS = `UPDATE audit SET number = NULL, agent_number = NULL,
    user_agent = coalesce(user_agent, (SELECT text FROM user_agent WHERE user_agent.number = agent_number));
  UPDATE link_change SET number = NULL, details = '{}';
  UPDATE link SET entry_count = 0, fingerprint = NULL;
  DELETE FROM sealed_until WHERE entry_count = 0`;

/** Long after every entry that tests make. */
export const LATER = START + 86_400_000;

/** Adds creations, attempts and revocations of a few links, whose ids interleave, and attempts on an unknown code. */
export async function addEntries(store: Store, { from, links = 4 }: { from: number; links?: number }) {
  const at = (offset: number) => START + from * 1_000 + offset;
  const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
  await Promise.all(
    indexes(links).map((index) =>
      store.create(redirectLink(codeOf(from + index)), newChange({ at: at(index * 3) })),
    ),
  );
  await Promise.all(
    indexes(links * 5).map((index) => {
      const place = index % (links + 1); // the last one is unknown
      const prechecks = place === links ? ({ prechecks: 'LINK_NOT_FOUND' } as const) : {};
      const ipAddress = index % 3 === 0 ? null : '192.0.2.7';
      const userAgent = index % 4 === 0 ? null : `agent "${index}" \\ ü`;
      return store.attempt(
        attemptOn(codeOf(from + place), { at: at(index), ipAddress, userAgent, ...prechecks }),
      );
    }),
  );
  await store.revoke(codeOf(from), newChange({ at: at(2) }));
}

/** Seals until there is nothing left for now. Returns how many entries were sealed. */
export async function sealAll(store: Store, { limit = 100, now = LATER } = {}): Promise<number> {
  let sealed = 0;
  for (;;) {
    const slice = await store.sealEarlierEntries(limit, now);
    sealed += slice.sealedCount;
    if (slice.state !== 'MORE') return sealed;
  }
}

type Row = Record<string, string | number | null>;

/** Computes the chains of the entries without a number from the rows, without the code of the service. */
export async function expectedChains(place: StorePlace): Promise<Record<string, unknown>> {
  const dump = await place.dump();
  const rowsOf = (table: string) => (dump[table] ?? []).map((text): Row => JSON.parse(String(text)));
  const entries = [
    ...rowsOf('audit').map((row) => ({ ...common(row), at: row['accessed_at'], text: attemptText(row) })),
    ...rowsOf('link_change').map((row) => ({ ...common(row), at: row['changed_at'], text: changeText(row) })),
  ].filter(({ number }) => number === null);
  const chains: Record<string, { entryCount: number; fingerprint: string }> = {};
  for (const { shortCode, text } of entries.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { entryCount, fingerprint } = chains[shortCode] ?? { entryCount: 0, fingerprint: '' };
    const next = createHash('sha256')
      .update(fingerprint + text)
      .digest('hex');
    chains[shortCode] = { entryCount: entryCount + 1, fingerprint: next };
  }
  return chains;
}

/** Reads the stored chains of earlier entries in the same form. */
export async function storedChains(place: StorePlace): Promise<Record<string, unknown>> {
  const rows = ((await place.dump())['earlier_history'] ?? []).map((text): Row => JSON.parse(String(text)));
  return Object.fromEntries(
    rows.map((row) => [
      row['short_code'],
      { entryCount: Number(row['entry_count']), fingerprint: hexOf(row['fingerprint']) },
    ]),
  );
}

function common(row: Row) {
  return { id: uuidOf(row['id']), shortCode: String(row['short_code']), number: row['number'] };
}

function attemptText(row: Row): string {
  return JSON.stringify({
    at: timeOf(row['accessed_at']),
    count: 1,
    id: uuidOf(row['id']),
    ipAddress: row['ip_address'],
    kind: 'ATTEMPT',
    number: null,
    result: row['result'],
    shortCode: row['short_code'],
    userAgent: row['user_agent'],
  });
}

function changeText(row: Row): string {
  return JSON.stringify({
    at: timeOf(row['changed_at']),
    author: { ipAddress: row['ip_address'], kind: row['author_kind'], name: row['author_name'] },
    details: {},
    id: uuidOf(row['id']),
    kind: row['kind'],
    number: null,
    shortCode: row['short_code'],
  });
}

const timeOf = (value: unknown): string => new Date(Number(value)).toISOString();

/** SQLite has bytes, which the dump writes as hexadecimal digits, PostgreSQL a UUID. */
function uuidOf(value: unknown): string {
  const hex = hexOf(value).replaceAll('-', '');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function hexOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : Buffer.from(Object(value).data ?? Object.values(Object(value))).toString('hex');
}
