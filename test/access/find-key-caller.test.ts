import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type FoundKey, newApiKey } from '../../src/core/model/people/api-key.ts';
import { SCOPES, type Scope } from '../../src/core/model/people/caller.ts';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';
import { newPerson, type Person } from '../../src/core/model/people/person.ts';
import { findAccessWarnings } from '../../src/core/use-cases/people/find-access-warnings.ts';
import { prepareKeyCallers } from '../../src/core/use-cases/people/find-key-caller.ts';
import { testClock } from '../support/service.ts';
import { testTimers } from '../support/test-timers.ts';

const INITIAL = 'initial-'.repeat(5);

/** Prepares a lookup of keys in a list, which counts the queries and the records of use. */
function prepare(options: { initialKey?: string; fails?: boolean; slow?: Promise<void> } = {}) {
  const clock = testClock();
  const timers = testTimers();
  const stored: FoundKey[] = [];
  const counts = { queries: 0 };
  const uses: [name: string, at: number][] = [];
  const errors: unknown[] = [];
  const failure = new Error('no database');
  const callers = prepareKeyCallers({
    keys: {
      async findKey(hash) {
        counts.queries += 1;
        if (options.fails) throw failure;
        const key = stored.find((each) => each.hash === hash);
        const found = key && { ...key };
        await options.slow;
        return found;
      },
      async recordKeyUse(name, at) {
        uses.push([name, at]);
        if (name === 'unrecordable') throw failure;
      },
    },
    initialKey: options.initialKey ?? null,
    clock,
    startTimer: timers.start,
    onRecordError: (error) => errors.push(error),
  });
  function add(change: Partial<FoundKey> = {}): { text: string; key: FoundKey } {
    const text = newApiKey();
    const key: FoundKey = {
      name: `key-${stored.length}`,
      hash: hashSecret(text),
      scopes: ['read'],
      ...{ owner: null, owned: null },
      createdAt: clock.now,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      ...change,
    };
    stored.push(key);
    return { text, key };
  }
  return { ...callers, clock, timers, counts, uses, errors, failure, add };
}

describe('the lookup of API keys', () => {
  test('an unknown, expired or revoked key is none', async () => {
    const { find, add, clock } = prepare();
    const unknown = newApiKey();
    const expired = add({ expiresAt: clock.now }).text;
    const revoked = add({ revokedAt: clock.now }).text;
    const { text } = add();
    const malformed = [text.slice(0, -1), `${text}x`, text.toUpperCase(), 'postern_', hashSecret(text), ''];
    for (const key of [unknown, expired, revoked, ...malformed])
      assert.equal(await find(key), undefined, key);
    const lasting = add({ expiresAt: clock.now + 1 }).text;
    assert.ok(await find(lasting));
    clock.now += 1;
    assert.equal(await find(lasting), undefined, 'an expiry needs no new lookup');
  });

  test('a revoked key stops within five seconds, and is looked up once in two', async () => {
    const { find, add, clock, counts } = prepare();
    const { text, key } = add();
    await Promise.all([find(text), find(text)]);
    key.revokedAt = clock.now;
    clock.now += 1_999;
    await find(text);
    assert.equal(counts.queries, 1);
    clock.now += 1;
    assert.equal(await find(text), undefined);
    assert.equal(counts.queries, 2);
    clock.now -= 3_600_000;
    await find(text);
    assert.equal(counts.queries, 3, 'a clock that was set back keeps nothing');
  });

  test('a revoked key stops although each lookup takes longer than a request waits', async () => {
    const { promise: slow, resolve } = Promise.withResolvers<void>();
    const options: { slow?: Promise<void> } = {};
    const { find, add, clock, timers } = prepare(options);
    const { text, key } = add();
    assert.ok(await find(text));
    options.slow = slow;
    key.revokedAt = clock.now;
    clock.now += 3_000;
    const found = find(text);
    timers.fireAll();
    assert.ok(await found, 'the last result applies while the lookup runs');
    resolve();
    await setImmediate();
    assert.equal(await find(text), undefined);
  });

  test('a text that cannot be a key is not looked up', async () => {
    const { find, counts } = prepare();
    for (const text of ['', 'undefined', 'postern_short', `postern_${'!'.repeat(43)}`]) await find(text);
    assert.equal(counts.queries, 0);
  });

  test('the lookup remembers at most a thousand keys, and forgets the oldest', async () => {
    const { find, add, counts } = prepare();
    const first = add().text;
    await find(first);
    for (let count = 0; count < 999; count++) await find(newApiKey());
    await find(first);
    assert.equal(counts.queries, 1000);
    await find(newApiKey());
    await find(first);
    assert.equal(counts.queries, 1002);
  });

  test('a lookup that failed is an error, and is not remembered', async () => {
    const { find, add, failure, counts } = prepare({ fails: true });
    const { text } = add();
    await assert.rejects(find(text), failure);
    await assert.rejects(find(text), failure);
    assert.equal(counts.queries, 2);
  });

  test('the use of a key is recorded once a minute, and no request waits for it', async () => {
    const { find, add, clock, uses, errors, failure } = prepare();
    const start = clock.now;
    const { text } = add({ name: 'ci' });
    const elsewhere = add({ name: 'elsewhere', lastUsedAt: start - 30_000 });
    const broken = add({ name: 'unrecordable' });
    for (const key of [text, text, elsewhere.text, broken.text]) assert.ok(await find(key));
    clock.now += 59_999;
    await find(text);
    clock.now += 1;
    await find(text);
    assert.deepEqual(uses, [
      ['ci', start],
      ['unrecordable', start],
      ['ci', start + 60_000],
    ]);
    assert.deepEqual(errors, [failure]);
  });

  for (const aheadMs of [3_600_000, 30 * 24 * 3_600_000])
    test(`the use of a key is recorded after a clock was ${aheadMs / 3_600_000} hours ahead`, async () => {
      const { find, add, clock, uses } = prepare();
      const start = clock.now;
      const { text, key } = add({ name: 'ci' });
      clock.now += aheadMs;
      await find(text);
      key.lastUsedAt = clock.now;
      clock.now = start;
      for (let count = 0; count < 2; count++) await find(text);
      assert.deepEqual(uses, [
        ['ci', start + aheadMs],
        ['ci', start],
      ]);
    });

  test('a key of a person never exceeds its owner, and ends with a deactivation', async () => {
    const { find, add } = prepare();
    const owned = { scopes: ['create', 'read'] as Scope[], teams: ['sales'] };
    const key = add({ name: 'laptop', scopes: ['read', 'manage', 'admin'], owner: 'ada', owned });
    const caller = { kind: 'KEY', name: 'laptop', owner: 'USER ada', teams: ['sales'] };
    assert.deepEqual(await find(key.text), { ...caller, scopes: ['read'] });
    const ended = add({ owner: 'ada', owned: null });
    assert.equal(await find(ended.text), undefined);
  });

  test('the initial key has every scope and is in no store', async () => {
    const { find, looksLikeKey, counts, uses } = prepare({ initialKey: INITIAL });
    assert.deepEqual(await find(INITIAL), {
      ...{ kind: 'KEY', name: 'initial-key', scopes: SCOPES, owner: 'KEY initial-key', teams: [] },
    });
    assert.deepEqual([counts.queries, uses], [0, []]);
    assert.ok(looksLikeKey(INITIAL));
    assert.ok(looksLikeKey('postern_x'));
    assert.ok(!looksLikeKey('eyJhbGciOi'));
    assert.equal(await prepare().find(INITIAL), undefined);
  });
});

describe('the warning that nothing can sign in', () => {
  const settings = { mode: 'keys', initialKey: null, userHeader: null, userScopes: [] } as const;
  const now = Date.parse('2026-06-15T12:00:00Z');
  const { add } = prepare();
  const warnings = (stored: FoundKey[], change = {}, known: Person[] = []) => {
    const [keys, people] = [{ listKeys: async () => stored }, { listPeople: async () => known }];
    return findAccessWarnings({ ...settings, ...change }, { keys, people }, now);
  };
  const ada = newPerson({ name: 'ada', scopes: [], createdAt: now });

  test('the warning says how to create a key', async () => {
    const [warning = '', ...more] = await warnings(
      [add({ revokedAt: now }).key, add({ expiresAt: now }).key],
      {},
      [{ ...ada, deactivatedAt: now }],
    );
    assert.match(warning, /no valid API key and no active person.*postern people add .*postern keys create /);
    assert.deepEqual(more, []);
  });

  test('there is no warning where anything can sign in', async () => {
    assert.deepEqual(await warnings([add().key]), []);
    assert.deepEqual(await warnings([], {}, [ada]), []);
    for (const change of [{ mode: 'open' }, { initialKey: INITIAL }, { userHeader: 'remote-user' }]) {
      assert.deepEqual(await warnings([], change), [], JSON.stringify(change));
    }
  });
});
