import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createArgon2idHasher } from '../../src/adapters/password-hasher.ts';
import { type Author, anonymous } from '../../src/core/model/author.ts';
import type { Target } from '../../src/core/model/link.ts';
import { newShortCode, type RandomInt } from '../../src/core/model/short-code.ts';
import { NO_TERMS } from '../../src/core/model/terms.ts';
import { ClientClosedError } from '../../src/core/model/unavailable.ts';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import type { RequestedRestrictions } from '../../src/core/rules/creation.ts';
import { type CreateLink, prepareCreateLink } from '../../src/core/use-cases/create/create-link.ts';
import { attemptOn, definitionOf, newChange, newSalt, redirectLink, START } from '../support/attempts.ts';
import { seededInt } from '../support/random.ts';
import { openSqliteHarness, type SqliteHarness } from '../support/sqlite-harness.ts';

const TARGET: Target = { type: 'REDIRECT', url: 'https://example.com/' };
const NO_RESTRICTIONS = { expiresAt: null, maxViews: null, password: null };
const CODE_LENGTH = 8;
const TOKEN = 'token';

describe('creating a link', () => {
  let harness: SqliteHarness;
  const passwords = createArgon2idHasher();
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

  function prepareAll(settings: Settings = {}): CreateLink {
    const { maxViews = null, randomInt = seededInt(1), now } = settings;
    const [defaultTtl = null, maxTtl = null] = [settings.defaultTtl, settings.maxTtl].map((text) =>
      text === undefined ? null : Temporal.Duration.from(text),
    );
    return prepareCreateLink({
      links: harness.store,
      passwords,
      passwordQueue: { run: (_, work) => work() },
      examineFile: (file) => Promise.resolve(file),
      clock: () => (now === undefined ? START : Date.parse(now)),
      randomInt,
      newToken: () => ({ token: TOKEN, hash: `hash of ${TOKEN}` }),
      newIdAndSalt: (at) => ({ id: uuidV7(at, randomUUID()), salt: newSalt() }),
      defaultTtl,
      linkPolicy: { maxTtl, maxViews },
    });
  }

  /** Returns a function that creates a link for an anonymous client, and returns the link alone. */
  function prepare(settings?: Settings) {
    const createLink = prepareAll(settings);
    return async (target: Target, requested: RequestedRestrictions) =>
      (await createLink(target, requested, anonymous('192.0.2.7'))).link;
  }

  /** Returns a source that makes the short codes 'AAAAAAAA', 'BBBBBBBB', … `times` times each. */
  function repeating(times: number): RandomInt & { codesMade(): number } {
    let drawn = 0;
    const source = () => Math.floor(drawn++ / CODE_LENGTH / times);
    return Object.assign(source, { codesMade: () => drawn / CODE_LENGTH });
  }

  test('the returned link is committed', async () => {
    const link = await prepare()(TARGET, { ...NO_RESTRICTIONS, maxViews: 1 });
    const { shortCode } = link;
    assert.equal(shortCode, newShortCode(seededInt(1)));
    assert.deepEqual(link, {
      shortCode,
      definitionVersion: 0,
      target: TARGET,
      terms: NO_TERMS,
      createdAt: START,
      startsAt: null,
      expiresAt: null,
      maxViews: 1,
      passwordHash: null,
      tokenHash: `hash of ${TOKEN}`,
      owner: 'ANONYMOUS',
      team: null,
    });
    assert.deepEqual(await harness.store.find(shortCode), definitionOf(link));
    const verdicts = [
      await harness.store.attempt(attemptOn(shortCode)),
      await harness.store.attempt(attemptOn(shortCode)),
    ].map(({ verdict }) => verdict);
    assert.deepEqual(verdicts, ['SUCCESS', 'VIEW_LIMIT_REACHED']);
  });

  test('the token is returned, its hash and the author of the creation are committed', async () => {
    const author: Author = { kind: 'KEY', name: 'ci', ipAddress: '192.0.2.7' };
    const { link, token } = await prepareAll()(TARGET, NO_RESTRICTIONS, author);
    assert.equal(token, TOKEN);
    const { tokenHash, owner } = (await harness.store.read(link.shortCode)) ?? {};
    assert.deepEqual([tokenHash, owner], [`hash of ${TOKEN}`, 'KEY ci']);
    const [change, ...more] = await harness.readChanges();
    const { id, salt, ...recorded } = change ?? {};
    assert.match(String(salt), /^[0-9a-f]{32}$/);
    assert.deepEqual(recorded, { shortCode: link.shortCode, kind: 'CREATED', author, at: START });
    assert.equal(Number.parseInt(String(id).replaceAll('-', '').slice(0, 12), 16), START);
    assert.deepEqual(more, []);
  });

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

  test('concurrent creations get distinct short codes', async () => {
    // The source repeats each code, so that the links meet each other's.
    const createLink = prepare({ randomInt: repeating(3) });
    const links = await Promise.all(Array.from({ length: 15 }, () => createLink(TARGET, NO_RESTRICTIONS)));
    assert.equal(new Set(links.map(({ shortCode }) => shortCode)).size, links.length);
    assert.equal((await harness.store.statistics.linkCounts()).ACTIVE, links.length);
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
    test(`with a default of ${defaultTtl} and a limit of ${maxTtl}, the shorter lifetime applies`, async () => {
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

  test('a creation whose client has left is dropped', async () => {
    const client = { isAborted: () => true };
    const creating = prepareAll()(TARGET, NO_RESTRICTIONS, anonymous('192.0.2.7'), client);
    await assert.rejects(creating, ClientClosedError);
    assert.equal((await harness.store.statistics.linkCounts()).ACTIVE, 0);
  });

  test('a creation fails when the upload of its file is gone', async () => {
    const gone = {
      type: 'DOWNLOAD',
      file: { fileId: 'never begun', fileName: 'a', sizeBytes: 1, sha256: '' },
    } as const;
    await assert.rejects(prepare()(gone, NO_RESTRICTIONS), /upload of this link was abandoned/);

    assert.equal((await harness.store.statistics.linkCounts()).ACTIVE, 0);
  });
});
