import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { prepareNewIdAndSalt } from '../../src/core/model/attempt.ts';
import { type LinkTerms, NO_TERMS, PLAIN_NAMES, TERM_KINDS } from '../../src/core/model/terms.ts';
import { DAY_MS, HOUR_MS } from '../../src/core/model/time-units.ts';
import type { Erasable } from '../../src/core/ports/erasures.ts';
import { erase } from '../../src/core/use-cases/erase/erase.ts';
import { retentionJob } from '../../src/service/jobs/jobs.ts';
import { SHARED_COLUMNS } from '../../src/stores/schema.ts';
import type { StoreRead } from '../../src/stores/sql/query.ts';
import { recountParts } from '../../src/stores/sql/recount.ts';
import type { Store } from '../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, PASSES, redirectLink, START, termsOf } from '../support/attempts.ts';
import { storeRuns } from '../support/histories.ts';
import { readHistory } from '../support/queries.ts';
import { WHOLE } from '../support/recount.ts';

/** An open store that can also be read as a whole. */
export type ErasureHarness = AsyncDisposable & {
  store: Store;
  read: <T>(read: StoreRead<T>) => Promise<T>;
  execute(sql: string): Promise<void>;
};

const JANE = '203.0.113.7';
/**
 * A value of each term that an erasure removes and leaves the link open. Flags and hosts name no person, and a URL is erased with
 * the target.
 */
const PERSONAL: Partial<LinkTerms> = {
  ...termsOf('jane'),
  ...Object.fromEntries(
    PLAIN_NAMES.filter((name) => ['flag', 'host', 'url', 'addresses'].includes(TERM_KINDS[name])).map(
      (name) => [name, NO_TERMS[name]],
    ),
  ),
  recipient: 'Jane Doe',
};
const BY_JANE = newChange({ author: { kind: 'USER', name: 'jane.doe', ipAddress: JANE } });

export function partsOf(store: Store) {
  let ids = 0;
  const newIdAndSalt = prepareNewIdAndSalt({
    randomUuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    randomBytes: (size) => Buffer.alloc(size, ids),
  });
  const clock = () => START + erasures++;
  return { links: store, erasures: store.erasures, clock, newIdAndSalt, newKey: () => `${erasures++}` };
}

async function eraseFrom({ store }: ErasureHarness, erasable: Erasable): Promise<number> {
  return (await erase(partsOf(store), erasable, { author: 'root' })).entries;
}
let erasures = DAY_MS;

/** Returns the places where a store has a text, in all tables that both engines have. */
export async function findTraces({ read }: ErasureHarness, text: RegExp): Promise<string[]> {
  const found: string[] = [];
  await read(async ({ query }) => {
    for (const table of SHARED_COLUMNS.keys())
      for (const row of await query<Record<string, unknown>>(`SELECT * FROM ${table}`))
        for (const [column, value] of Object.entries(row))
          if (typeof value === 'string' && text.test(value)) found.push(`${table}.${column}: ${value}`);
  });
  return found;
}

/** Calls `run` with parts of which a step ends in an error, as if the process was killed before it: each one in turn. */
export async function killEachStep<Parts extends object>(
  parts: Parts,
  run: (killed: Parts) => Promise<unknown>,
  check: () => Promise<void>,
): Promise<number> {
  for (let kills = 0; ; kills++) {
    let steps = 0;
    const killed = (port: unknown) =>
      typeof port !== 'object' || port === null
        ? port
        : new Proxy(port, {
            get(target, name) {
              if (steps++ === kills) throw new Error('killed');
              return Reflect.get(target, name);
            },
          });
    const ports = Object.entries(parts).map(([name, port]) => [name, killed(port)]);
    const [result] = await Promise.allSettled([run(Object.fromEntries(ports) as Parts)]); // the same ports
    await check();
    if (result.status === 'fulfilled') return kills;
    assert.match(String(result.reason), /killed/);
  }
}

const readAll = async (store: Store) => (await readHistory(store)).items;

/** Creates two links, both opened by Jane and by another client in two hours. */
async function fill({ store }: ErasureHarness): Promise<void> {
  await store.create(redirectLink(codeOf(1), { terms: PERSONAL }), BY_JANE);
  await store.create(redirectLink(codeOf(2)), newChange());
  for (const at of [START, START + HOUR_MS])
    for (const ipAddress of [JANE, '192.0.2.8'])
      for (const code of [codeOf(1), codeOf(2), 'nowhere1'])
        await store.attempt(attemptOn(code, { at, ipAddress, userAgent: 'Browser 1' }));
}

/** Tests what every store promises about erasing personal fields. */
export function erasureContract(name: string, openHarness: () => Promise<ErasureHarness>): void {
  describe(`erasures of ${name}`, () => {
    test('erasing a client address leaves no trace of it, and all counts as they were', async () => {
      await using harness = await openHarness();
      const { store, read } = harness;
      await fill(harness);
      const before = await readStatistics(store);
      assert.equal(await eraseFrom(harness, { kind: 'IP', ipAddress: JANE }), 7);
      assert.deepEqual(await findTraces(harness, /203\.0\.113\.7|jane\.doe/), []);
      assert.notDeepEqual(await findTraces(harness, /192\.0\.2\.8/), []);
      assert.deepEqual(await readStatistics(store), before);
      const erased = (await readAll(store)).filter((item) => item.kind === 'ATTEMPT' && !item.ipAddress);
      assert.equal(erased.length, 6);
      const { derived, records, erased: found } = await read(recountParts);
      assert.deepEqual([...derived, ...records], []);
      assert.deepEqual(found, { entries: 7, erasures: 1, files: 0 });
    });

    test('an address that returns after its erasure is a new one', async () => {
      await using harness = await openHarness();
      const { store, read } = harness;
      await fill(harness);
      await eraseFrom(harness, { kind: 'IP', ipAddress: JANE });
      await store.attempt(attemptOn(codeOf(1), { at: START + HOUR_MS, ipAddress: JANE }));
      assert.equal((await store.statistics.accessTotals(WHOLE)).uniqueOrigins, 3);
      const { derived, records } = await read(recountParts);
      assert.deepEqual([...derived, ...records], []);
    });

    test('erasing a link removes who used it and its terms for people, also if it is revoked', async () => {
      await using harness = await openHarness();
      const { store, read } = harness;
      await fill(harness);
      await store.attempt(attemptOn(codeOf(1), { ipAddress: '198.51.100.4', notifies: true }));
      await store.revoke(codeOf(1), BY_JANE);
      await eraseFrom(harness, { kind: 'LINK', shortCodes: [codeOf(1)] });
      assert.deepEqual(await findTraces(harness, /jane|Jane|198\.51/), []);
      assert.notDeepEqual(await findTraces(harness, /203\.0\.113\.7/), []); // of the other link
      const link = await store.read(codeOf(1));
      assert.deepEqual([link?.status, link?.terms], ['REVOKED', NO_TERMS]);
      const { derived, records } = await read(recountParts);
      assert.deepEqual([...derived, ...records], []);
    });

    test('a link goes on after its erasure', async () => {
      await using harness = await openHarness();
      const { store, read } = harness;
      await fill(harness);
      const recipients = await store.erasures.findRecipientLinks('Jane Doe');
      assert.deepEqual(recipients, [codeOf(1)]);
      await eraseFrom(harness, { kind: 'RECIPIENT', shortCodes: recipients });
      assert.deepEqual(await store.erasures.findRecipientLinks('Jane Doe'), []);
      const { definitionVersion: version } = (await store.read(codeOf(1))) ?? assert.fail();
      assert.equal((await store.attempt(attemptOn(codeOf(1), { version }))).verdict, 'SUCCESS');
      assert.deepEqual((await read(recountParts)).records, []);
    });

    test('an erasure of a verified recipient revokes the link, which would open to anyone', async () => {
      await using harness = await openHarness();
      const { store, read } = harness;
      const terms = { verifiedRecipients: ['jane@example.com', 'bob@example.com'] };
      await store.create(redirectLink(codeOf(1), { terms }), newChange());
      const recipient = { address: 'jane@example.com', language: 'en' };
      assert.equal((await store.attempt({ ...attemptOn(codeOf(1)), recipient })).verdict, 'SUCCESS');
      await store.create(redirectLink(codeOf(2)), newChange());
      await store.attempt({ ...attemptOn(codeOf(2)), recipient }); // before a change that removed the recipient
      const shortCodes = await store.erasures.findRecipientLinks('Jane@example.com');
      assert.deepEqual(shortCodes, [codeOf(1), codeOf(2)]);
      await eraseFrom(harness, { kind: 'RECIPIENT', shortCodes });
      assert.deepEqual(await store.erasures.findRecipientLinks('jane@example.com'), []);
      assert.equal((await store.attempt(attemptOn(codeOf(1), { version: 1 }))).verdict, 'REVOKED');
      assert.equal((await store.attempt(attemptOn(codeOf(2)))).verdict, 'SUCCESS');
      const traces = await findTraces(harness, /jane@example/);
      assert.deepEqual(
        traces.filter((place) => !place.includes('outbox')),
        [],
      ); // a receipt that waits ends by itself
      assert.deepEqual((await read(recountParts)).records, []);
    });

    test('recipients that a link gets during its erasure are not erased without its revocation', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      await store.create(redirectLink(codeOf(1), { terms: { recipient: 'Jane Doe' } }), newChange());
      const verifiedRecipients = ['bob@example.com'];
      const adds = { patch: { terms: { verifiedRecipients } }, versions: null };
      let reads = 0;
      const read: Store['read'] = async (shortCode) => {
        const link = await store.read(shortCode);
        if (reads++ === 0) assert.equal((await store.change(shortCode, adds, newChange())).result, 'changed');
        return link;
      };
      const parts = { ...partsOf(store), links: { ...store, read } };
      const { terms } = await erase(parts, { kind: 'LINK', shortCodes: [codeOf(1)] }, { author: 'root' });
      assert.equal(terms, 1);
      const erased = (await store.read(codeOf(1))) ?? assert.fail();
      assert.deepEqual(erased.terms.verifiedRecipients, []);
      assert.equal(erased.status, 'REVOKED');
    });

    test('a retention erases whole days that ended before it, and the next one begins there', async () => {
      await using harness = await openHarness();
      const { store, read } = harness;
      await fill(harness); // half of it after midnight
      const parts = { ...partsOf(store), clock: () => now };
      const job = retentionJob(parts, Temporal.Duration.from('P30D'));
      const { signal } = new AbortController();
      let now = START + 30 * DAY_MS;
      await job.run(signal);
      assert.equal((await read(recountParts)).erased.entries, 0);
      now += HOUR_MS;
      await job.run(signal);
      const days = new Set(
        (await readAll(store)).flatMap(({ kind, salt, at }) => (salt && kind === 'ATTEMPT' ? at : [])),
      );
      assert.deepEqual([...days], [START + HOUR_MS]);
      assert.deepEqual((await read(recountParts)).erased, { entries: 8, erasures: 1, files: 0 });
      now += DAY_MS;
      await job.run(signal);
      const { derived, records, erased } = await read(recountParts);
      assert.deepEqual([...derived, ...records], []);
      assert.deepEqual(erased, { entries: 14, erasures: 2, files: 0 });
      const { uniqueOrigins } = await store.statistics.accessTotals(WHOLE);
      assert.equal(uniqueOrigins, 4, 'an address counts once for each day');
    });

    test('an interrupted erasure is completed by the next one', async () => {
      await using harness = await openHarness();
      const { store, read } = harness;
      await fill(harness);
      await store.erasures.project('position');
      const { seqs } = await store.erasures.findErasable({ kind: 'IP', ipAddress: JANE }, 0);
      await store.erasures.eraseEntries(
        { at: START, kind: 'IP', author: 'root', erasedBefore: null },
        seqs,
        'k',
      );
      assert.notDeepEqual(await findTraces(harness, /203\.0\.113\.7/), []);
      assert.equal(await eraseFrom(harness, { kind: 'IP', ipAddress: JANE }), 0);
      assert.deepEqual(await findTraces(harness, /203\.0\.113\.7/), []);
      assert.deepEqual((await read(recountParts)).derived, []);
    });

    for (const erasable of [
      { kind: 'IP', ipAddress: JANE },
      { kind: 'LINK', shortCodes: [codeOf(1)] },
      { kind: 'RETENTION', before: START + HOUR_MS },
    ] satisfies Erasable[])
      test(`the store verifies after a kill before each step of an erasure: ${erasable.kind}`, async () => {
        await using harness = await openHarness();
        await fill(harness);
        const kills = await killEachStep(
          partsOf(harness.store),
          (killed) => erase(killed, erasable, { author: 'root' }),
          async () => {
            const { derived, records } = await harness.read(recountParts);
            assert.deepEqual([...derived, ...records], []);
          },
        );
        assert.ok(kills >= 5, `${kills}`);
      });

    test('verify finds differences of addresses also beside an hour that an erasure is at', async () => {
      await using harness = await openHarness();
      await fill(harness);
      await harness.store.erasures.project('position');
      const hour = Math.floor(START / HOUR_MS);
      await harness.execute(`UPDATE log_hour SET is_outdated = true WHERE hour = ${hour}`);
      await harness.execute(`INSERT INTO origin VALUES ('198.51.100.9', 3), ('198.51.100.10', 4)`);
      await harness.execute(`INSERT INTO origin_by_hour VALUES (${hour}, 3), (${hour + 1}, 4)`);
      const { derived } = await harness.read(recountParts);
      const when = new Date(START + HOUR_MS).toISOString().replace(/T(..).*/, ' $1:00 UTC');
      assert.deepEqual(derived.sort(), [
        'addresses by day, and day on which they came last before: 2026-06-15 none: stored 2, recounted 3',
        'addresses by day, and day on which they came last before: 2026-06-16 none: stored nothing, recounted 1',
        `origin of hour ${when} 198.51.100.10: stored 1, recounted nothing`,
      ]);
    });

    test('an interrupted erasure of a recipient is completed by the next one', async () => {
      await using harness = await openHarness();
      const { store } = harness;
      await fill(harness);
      await store.create(redirectLink(codeOf(3), { terms: PERSONAL }), newChange());
      const toBob = { patch: { terms: { recipient: 'Bob' } }, versions: null };
      await store.change(codeOf(3), toBob, newChange());
      const interrupted: Erasable = { kind: 'RECIPIENT', shortCodes: [codeOf(1)] };
      let stops = 0;
      await erase(partsOf(store), interrupted, { author: 'root', isStopped: () => stops++ > 0 }); // only the terms
      assert.deepEqual(await store.erasures.findRecipientLinks('Jane Doe'), [codeOf(1)]);
      const { seqs } = await store.erasures.findErasable(interrupted, 0);
      const erasure = { at: START, kind: 'RECIPIENT', author: 'root', erasedBefore: null } as const;
      await store.erasures.eraseEntries(erasure, seqs.slice(0, -1), 'k');
      const shortCodes = await store.erasures.findRecipientLinks('Jane Doe');
      assert.deepEqual(shortCodes, [codeOf(1)], 'not the link that was changed to another recipient');
      assert.equal(await eraseFrom(harness, { kind: 'RECIPIENT', shortCodes }), 1);
      const traces = await findTraces(harness, /Jane Doe/);
      assert.ok(traces.length > 0, 'those of the link that has another recipient now');
      assert.deepEqual(await store.erasures.findRecipientLinks('Jane Doe'), []);
      assert.equal((await store.erasures.findErasable(interrupted, 0)).seqs.length, 0);
    });

    test('verify finds erased entries that no erasure has recorded', async () => {
      await using harness = await openHarness();
      await fill(harness);
      await eraseFrom(harness, { kind: 'IP', ipAddress: JANE });
      await harness.execute('UPDATE erasure SET entry_count = 6');
      const { records } = await harness.read(recountParts);
      assert.match(records.join('\n'), /^erased entries: 7, but erasures recorded 6/);
    });

    test('any erasures leave histories, counts and the recount as they were', async () => {
      const runs = storeRuns(4);
      await fc.assert(
        fc.asyncProperty(anyUse, anyErasures, (use, erased) => run(openHarness, use, erased)),
        runs,
      );
    });
  });
}

type Use = { link: number; address: number; hour: number; purpose: 'OPEN' | 'PREVIEW'; isWrong: boolean };
const anyUse: fc.Arbitrary<Use[]> = fc.array(
  fc.record({
    link: fc.integer({ min: 0, max: 3 }),
    address: fc.integer({ min: 0, max: 4 }),
    hour: fc.integer({ min: 0, max: 100 }),
    purpose: fc.constantFrom('OPEN' as const, 'OPEN' as const, 'PREVIEW' as const),
    isWrong: fc.boolean(),
  }),
  { minLength: 20, maxLength: 60, size: 'max' },
);
const addressOf = (index: number) => `192.0.2.${index}`;
const anyErasures: fc.Arbitrary<Erasable[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('IP' as const), ipAddress: fc.nat({ max: 4 }).map(addressOf) }),
    fc.record({
      kind: fc.constant('LINK' as const),
      shortCodes: fc.subarray([codeOf(0), codeOf(1), codeOf(2)], { minLength: 1 }),
    }),
    fc.record({
      kind: fc.constant('RETENTION' as const),
      before: fc.integer({ min: 1, max: 100 }).map((hour) => Math.floor(START / HOUR_MS + hour) * HOUR_MS),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);

export async function readStatistics({ statistics }: Store) {
  return {
    totals: await statistics.accessTotals(WHOLE),
    daily: await statistics.daily(WHOLE),
    hourly: await statistics.hourly(WHOLE),
    links: await statistics.linkCounts(),
    top: await statistics.topLinks(10),
    exceptions: await statistics.securityExceptions(10),
  };
}

/** Erases from a store, and compares it with a model: an erasure gives each address of an attempt another name. */
async function run(
  openHarness: () => Promise<ErasureHarness>,
  use: Use[],
  erased: Erasable[],
): Promise<void> {
  await using harness = await openHarness();
  const { store, read } = harness;
  const codes = [0, 1, 2].map(codeOf);
  for (const code of codes) await store.create(redirectLink(code, { terms: PERSONAL }), newChange());
  let names = use.map(({ address }) => addressOf(address));
  for (const { link, address, hour, purpose, isWrong } of use) {
    const prechecks = isWrong ? ({ ...PASSES, password: 'WRONG' } as const) : PASSES;
    const at = START + hour * HOUR_MS;
    const who = { ipAddress: addressOf(address), referrer: 'mail.example' };
    await store.attempt(attemptOn(codeOf(link), { at, ...who, purpose, prechecks }));
  }
  const before = await readStatistics(store);
  const heads = await Promise.all(codes.map(async (code) => (await store.read(code))?.history));
  for (const [index, erasable] of erased.entries()) {
    await eraseFrom(harness, erasable);
    names = names.map((name, place) => {
      const { link = 0, hour = 0 } = use[place] ?? {};
      const isErased =
        erasable.kind === 'IP'
          ? erasable.ipAddress === name
          : erasable.kind === 'RETENTION'
            ? START + hour * HOUR_MS < erasable.before
            : erasable.shortCodes.includes(codeOf(link));
      return isErased && !name.startsWith('erased') ? `erased ${index} ${name}` : name;
    });
    const seen = names.filter((_, place) => use[place]?.purpose === 'OPEN');
    const after = await readStatistics(store);
    const totals = { ...before.totals, uniqueOrigins: new Set(seen).size };
    assert.deepEqual(after, { ...before, totals });
    const range = { start: START + 20 * HOUR_MS, end: START + 80 * HOUR_MS };
    const inRange = names.filter((_, place) => {
      const { purpose, hour } = use[place] ?? assert.fail();
      return purpose === 'OPEN' && hour >= 20 && hour < 80;
    });
    const { uniqueOrigins } = await store.statistics.accessTotals(range);
    assert.equal(uniqueOrigins, new Set(inRange).size);
    const isView = ({ link, purpose, isWrong }: Use) => link < codes.length && purpose === 'OPEN' && !isWrong;
    const views = names.filter((_, place) => use[place] && isView(use[place]));
    const unknown = views.filter((name) => name.startsWith('erased')).length;
    const { referrers } = await store.statistics.viewSources(WHOLE);
    assert.equal(referrers.find(({ name }) => name === null)?.count ?? 0, unknown);
    const { derived, records } = await read(recountParts);
    assert.deepEqual([...derived, ...records], []);
  }
  const items = await readAll(store);
  for (const head of heads)
    if (head?.lastSeq) assert.ok(items.some((item) => item.number === head.entryCount));
}
