import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createArgon2idHasher } from '../../src/adapters/password-hasher.ts';
import { anonymous } from '../../src/core/model/author.ts';
import type { Target } from '../../src/core/model/link.ts';
import type { RandomInt } from '../../src/core/model/short-code.ts';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import type { RequestedRestrictions } from '../../src/core/rules/creation.ts';
import { prepareCreateLink } from '../../src/core/use-cases/create/create-link.ts';
import { attemptOn, newChange, newSalt, redirectLink, START } from '../support/attempts.ts';
import { seededInt } from '../support/random.ts';
import { openSqliteHarness, type SqliteHarness } from '../support/sqlite-harness.ts';

const TARGET: Target = { type: 'REDIRECT', url: 'https://example.com/' };
const NO_RESTRICTIONS = { expiresAt: null, maxViews: null, password: null };
const CODE_LENGTH = 8;

describe('creating a link', () => {
  let harness: SqliteHarness;
  beforeEach(async () => {
    harness = await openSqliteHarness();
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  type Settings = {
    defaultTtl?: string;
    maxTtl?: string;
    maxViews?: number;
    randomInt?: RandomInt;
    now?: string;
  };

  /** Returns a function that creates a link for an anonymous client, and returns the link alone. */
  function prepare(settings: Settings = {}) {
    const { maxViews = null, randomInt = seededInt(1), now } = settings;
    const [defaultTtl = null, maxTtl = null] = [settings.defaultTtl, settings.maxTtl].map((text) =>
      text === undefined ? null : Temporal.Duration.from(text),
    );
    const createLink = prepareCreateLink({
      links: harness.store,
      passwords: createArgon2idHasher(),
      passwordQueue: { run: (_, work) => work() },
      examineFile: (file) => Promise.resolve(file),
      clock: () => (now === undefined ? START : Date.parse(now)),
      randomInt,
      newToken: () => ({ token: 'token', hash: 'hash of token' }),
      newIdAndSalt: (at) => ({ id: uuidV7(at, randomUUID()), salt: newSalt() }),
      defaultTtl,
      linkPolicy: { maxTtl, maxViews },
    });
    return async (target: Target, requested: RequestedRestrictions) =>
      (await createLink(target, requested, anonymous('192.0.2.7'))).link;
  }

  /** Returns a source that makes the short codes 'AAAAAAAA', 'BBBBBBBB', … `times` times each. */
  function repeating(times: number): RandomInt & { codesMade(): number } {
    let drawn = 0;
    const source = () => Math.floor(drawn++ / CODE_LENGTH / times);
    return Object.assign(source, { codesMade: () => drawn / CODE_LENGTH });
  }

  for (const collisions of [1, 9]) {
    test(`a short code is replaced after ${collisions} collisions`, async () => {
      await harness.store.create(redirectLink('AAAAAAAA'), newChange());
      const source = repeating(collisions);
      const { shortCode } = await prepare({ randomInt: source })(TARGET, NO_RESTRICTIONS);
      assert.equal(shortCode, 'BBBBBBBB');
      assert.equal(source.codesMade(), collisions + 1);
      const taken = await harness.store.find('AAAAAAAA');
      assert.deepEqual(
        taken?.target,
        redirectLink('AAAAAAAA').target,
        'the link that was there is unchanged',
      );
    });
  }

  test('a creation fails after ten taken short codes, and creates nothing', async () => {
    await harness.store.create(redirectLink('AAAAAAAA'), newChange());
    const source = repeating(100);
    await assert.rejects(prepare({ randomInt: source })(TARGET, NO_RESTRICTIONS), /No free short code/);
    assert.equal(source.codesMade(), 10);
    assert.equal((await harness.store.statistics.linkCounts()).ACTIVE, 1);
  });

  describe('with app.link.default-ttl', () => {
    for (const [defaultTtl, now, expiresAt] of [
      ['PT24H', '2026-06-15T12:00:00Z', '2026-06-16T12:00:00Z'],
      ['PT0.001S', '2026-06-15T12:00:00Z', '2026-06-15T12:00:00.001Z'],
      ['P7D', '2026-12-28T23:59:59.999Z', '2027-01-04T23:59:59.999Z'],
      ['P1M', '2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z'],
      ['P1Y', '2028-02-29T12:00:00Z', '2029-02-28T12:00:00Z'],
    ] as const) {
      test(`a link without expiresAt that is created at ${now} expires ${defaultTtl} later`, async () => {
        const link = await prepare({ defaultTtl, now })(TARGET, NO_RESTRICTIONS);
        assert.equal(link.expiresAt, Date.parse(expiresAt));
        const { verdict } = await harness.store.attempt(
          attemptOn(link.shortCode, { at: Date.parse(expiresAt) + 1 }),
        );
        assert.equal(verdict, 'EXPIRED');
      });
    }

    test('a given expiresAt takes precedence', async () => {
      const expiresAt = START + 1;
      const link = await prepare({ defaultTtl: 'PT24H' })(TARGET, { ...NO_RESTRICTIONS, expiresAt });
      assert.equal(link.expiresAt, expiresAt);
    });
  });

  for (const [defaultTtl, maxTtl, expiresAt] of [
    ['PT24H', 'P7D', '2026-06-16T12:00:00Z'],
    ['P7D', 'PT24H', '2026-06-16T12:00:00Z'],
    ['P30D', 'P1M', '2026-07-15T12:00:00Z'],
    [undefined, 'P1M', '2026-07-15T12:00:00Z'],
  ] as const) {
    test(`the shorter of a default of ${defaultTtl} and a limit of ${maxTtl} applies`, async () => {
      const settings = { maxTtl, now: '2026-06-15T12:00:00Z', ...(defaultTtl && { defaultTtl }) };
      const link = await prepare(settings)(TARGET, NO_RESTRICTIONS);
      assert.equal(link.expiresAt, Date.parse(expiresAt));
    });
  }

  test('a link without a view limit gets the limit of the policy', async () => {
    const createLink = prepare({ maxViews: 5 });
    assert.equal((await createLink(TARGET, NO_RESTRICTIONS)).maxViews, 5);
    assert.equal((await createLink(TARGET, { ...NO_RESTRICTIONS, maxViews: 3 })).maxViews, 3);
  });

  test('a creation fails when the upload of its file is gone', async () => {
    const file = { fileId: 'never begun', fileName: 'a', sizeBytes: 1, sha256: '' };
    const creating = prepare()({ type: 'DOWNLOAD', file }, NO_RESTRICTIONS);
    await assert.rejects(creating, /upload of this link was abandoned/);
  });
});
