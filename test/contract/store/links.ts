import assert from 'node:assert/strict';
import type { NewLink } from '../../../src/core/model/link.ts';
import { NO_TERMS } from '../../../src/core/model/terms.ts';
import {
  attemptOn,
  codeOf,
  definitionOf,
  downloadLink,
  fileIdOf,
  newChange,
  redirectLink,
  START,
} from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import type { TestStore } from '../store-harness.ts';

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFndGFndGFndGFn';
const EMOJI = '👩‍👩‍👧‍👦';
const LONGEST_URL = `https://example.com/${'ü'.repeat(8192 - 20)}`;

const HOSTILE: Record<string, (code: string, fileId: string) => NewLink> = {
  'a target of 8,192 characters': (code) => redirectLink(code, { url: LONGEST_URL }),
  'a target of emoji': (code) => redirectLink(code, { url: `https://example.com/${EMOJI}` }),
  'a target that means something to SQL': (code) =>
    redirectLink(code, { url: `https://example.com/'; DROP TABLE link;--"\\%_$1?` }),
  'the largest limits': (code) =>
    redirectLink(code, {
      maxViews: 2_147_483_647,
      expiresAt: Date.parse('9999-12-31T23:59:59.999Z'),
    }),
  'a file name of 255 bytes': (code, fileId) => downloadLink(code, { fileId, fileName: 'ü'.repeat(127) }),
  'a file name of emoji': (code, fileId) => downloadLink(code, { fileId, fileName: `${EMOJI}.\u202Egpj` }),
  'a file name of markup': (code, fileId) =>
    downloadLink(code, { fileId, fileName: `"><svg onload=alert('1')>;.pdf` }),
  'a file of 5 TiB': (code, fileId) => downloadLink(code, { fileId, sizeBytes: 5 * 1024 ** 4 }),
};

/** Tests creating, finding, revoking and expiring links. */
export function linkContract(testStore: TestStore): void {
  testStore('a link is found by its short code with its definition', async ({ store, readAudit }) => {
    const link = redirectLink(codeOf(1), { passwordHash: HASH, maxViews: 3, expiresAt: START + 1 });
    assert.equal(await store.create(link, newChange()), 'created');
    assert.deepEqual(await store.find(codeOf(1)), definitionOf(link));
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 1, EXPIRED: 0, REVOKED: 0 });
    assert.deepEqual(await readAudit(), [], 'creating and finding are no attempts');
  });

  testStore('a long code with letters of any script is found, audited and listed', async (parts) => {
    const { store, readAudit } = parts;
    const code = `größe/日本/हिन्दी.v1/${'x'.repeat(81)}`;
    assert.equal([...code].length, 100);
    const codes = [code, 'größe', 'größe/a'];
    for (const each of codes)
      assert.equal(await store.create(redirectLink(each, { maxViews: 1 }), newChange()), 'created');
    assert.equal(await store.create(redirectLink(code), newChange()), 'short-code-taken');
    for (const each of codes) {
      assert.equal((await store.find(each))?.shortCode, each);
      assert.equal((await store.attempt(attemptOn(each))).verdict, 'SUCCESS');
    }
    assert.deepEqual((await readAudit()).map(({ shortCode }) => shortCode).sort(), codes.toSorted());
    const ranked = await store.statistics.topLinks(5);
    assert.deepEqual(pluck(ranked, 'shortCode'), codes.toSorted());
  });

  testStore('a link keeps the host of its address until a change', async ({ store }) => {
    await store.create(redirectLink(codeOf(1), { terms: { host: 'go.example' } }), newChange());
    assert.equal((await store.read(codeOf(1)))?.terms.host, 'go.example');
    for (const host of ['files.example', null]) {
      await store.change(codeOf(1), { patch: { terms: { host } }, versions: null }, newChange());
      const link = await store.read(codeOf(1));
      assert.equal(link?.terms.host, host);
      assert.equal(link?.definitionVersion, 0, 'attempts go on');
    }
  });

  testStore('an imported link begins with its views, and paused or expired', async ({ store }) => {
    const imported = { from: 'kutt', viewCount: 2, isPaused: false, status: 'ACTIVE' } as const;
    const links = [
      redirectLink(codeOf(1), { maxViews: 3, imported }),
      redirectLink(codeOf(2), { imported: { ...imported, viewCount: 9, isPaused: true } }),
      redirectLink(codeOf(3), {
        expiresAt: START - 1,
        imported: { ...imported, viewCount: 0, status: 'EXPIRED' },
      }),
    ];
    await Promise.all(links.map((link) => store.create(link, newChange())));
    const found = await Promise.all(links.map(({ shortCode }) => store.read(shortCode)));
    assert.deepEqual(
      found.map((link) => link && [link.viewCount, link.isPaused, link.status]),
      [
        [2, false, 'ACTIVE'],
        [9, true, 'ACTIVE'],
        [0, false, 'EXPIRED'],
      ],
    );
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 2, EXPIRED: 1, REVOKED: 0 });
    const verdicts = [];
    for (const number of [1, 1, 2]) verdicts.push((await store.attempt(attemptOn(codeOf(number)))).verdict);
    assert.deepEqual(verdicts, ['SUCCESS', 'VIEW_LIMIT_REACHED', 'PAUSED']);
    const ranked = await store.statistics.topLinks(5);
    assert.deepEqual(pluck(ranked, 'shortCode', 'count'), [
      [codeOf(2), 9],
      [codeOf(1), 3],
    ]);
  });

  testStore('a link is read in its current state, which is no attempt', async ({ store, readAudit }) => {
    await store.begin(fileIdOf(2), START);
    const created = [
      redirectLink(codeOf(1), {
        ...{ maxViews: 2, startsAt: START - 1, expiresAt: START + 1, passwordHash: HASH },
        terms: { label: EMOJI, note: `a\n'b"`, tags: ['x', 'y z'], recipient: 'Jane' },
      }),
      {
        ...downloadLink(codeOf(2), { fileId: fileIdOf(2), sizeBytes: 5 * 1024 ** 4 }),
        terms: { ...NO_TERMS, confirm: true },
      },
    ];
    const statesOf = async () => {
      const links = await Promise.all(created.map(({ shortCode }) => store.read(shortCode)));
      return links.map((link) => {
        const { history: _, ...state } = link ?? {};
        return state;
      });
    };
    for (const link of created) await store.create(link, newChange());
    const asCreated = created.map((link) => ({
      ...link,
      ...{ status: 'ACTIVE', version: 0, viewCount: 0, isPaused: false, lastOpenedAt: null },
    }));
    assert.deepEqual(await statesOf(), asCreated);
    assert.equal((await store.find(codeOf(2)))?.terms.confirm, true);
    assert.deepEqual(await readAudit(), []);

    await store.attempt(attemptOn(codeOf(1)));
    await store.expireDue(START + 2, 10);
    await store.revoke(codeOf(2), newChange());
    assert.deepEqual(await statesOf(), [
      { ...asCreated[0], status: 'EXPIRED', viewCount: 1, lastOpenedAt: START },
      { ...asCreated[1], status: 'REVOKED' },
    ]);
    for (const unknown of ['nosuchcd', codeOf(1).toLowerCase(), '', 'a\u0000', EMOJI, 'A'.repeat(10_000)]) {
      assert.equal(await store.read(unknown), undefined, unknown.slice(0, 40));
    }
  });

  testStore('a short code is found only in its exact spelling', async ({ store }) => {
    await store.create(redirectLink('AbCdEf12'), newChange());
    for (const other of [
      'abcdef12',
      'ABCDEF12',
      'AbCdEf1',
      'AbCdEf123',
      'AbCdEf12 ',
      ' AbCdEf12',
      'AbCdEf1_',
      'AbCdEf%',
      '%',
      'ＡbCdEf12',
      '',
      "' OR '1'='1",
      EMOJI,
      'A'.repeat(10_000),
    ]) {
      assert.equal(await store.find(other), undefined, other.slice(0, 40));
    }
    assert.ok(await store.find('AbCdEf12'));
  });

  testStore('codes that differ only in case are two links', async ({ store }) => {
    for (const code of ['aaaaaaaa', 'AAAAAAAA', 'AaAaAaAa']) {
      assert.equal(await store.create(redirectLink(code), newChange()), 'created');
    }
    await store.revoke('AAAAAAAA', newChange());
    const verdicts = ['aaaaaaaa', 'AAAAAAAA', 'AaAaAaAa'].map((code) => store.attempt(attemptOn(code)));
    assert.deepEqual(pluck(await Promise.all(verdicts), 'verdict'), ['SUCCESS', 'REVOKED', 'SUCCESS']);
  });

  testStore('links keep unusual texts and numbers', async ({ store }, t) => {
    for (const [index, [what, toLink]] of Object.entries(HOSTILE).entries()) {
      await t.test(what, async () => {
        await store.begin(fileIdOf(index), START);
        const link = toLink(codeOf(index), fileIdOf(index));
        assert.equal(await store.create(link, newChange()), 'created');
        assert.deepEqual((await store.find(codeOf(index)))?.target, link.target);
        const attempt = attemptOn(codeOf(index), { at: link.expiresAt ?? START });
        assert.deepEqual(await store.attempt(attempt), { verdict: 'SUCCESS', viewCount: 1 });
      });
    }
  });

  testStore('a taken short code leaves its link unchanged', async ({ store }) => {
    await store.create(redirectLink(codeOf(1), { maxViews: 1 }), newChange());
    await store.attempt(attemptOn(codeOf(1)));
    const other = redirectLink(codeOf(1), { url: 'https://evil.example/', maxViews: 100 });
    assert.equal(await store.create(other, newChange()), 'short-code-taken');
    assert.deepEqual((await store.find(codeOf(1)))?.target, redirectLink(codeOf(1)).target);
    assert.equal((await store.attempt(attemptOn(codeOf(1)))).verdict, 'VIEW_LIMIT_REACHED');
    assert.equal(await store.create(other, newChange()), 'short-code-taken', 'also of an expired link');
    await store.revoke(codeOf(1), newChange());
    assert.equal(await store.create(other, newChange()), 'short-code-taken', 'also of a revoked link');
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 0, REVOKED: 1 });
  });

  testStore('a link that fails is not stored, nor is another of its batch by half', async ({ store }) => {
    const links = [1, 2, 3].map((index) =>
      redirectLink(codeOf(index), { maxViews: index === 2 ? -1 : null }),
    );
    const results = await Promise.allSettled(links.map((link) => store.create(link, newChange())));
    const areCreated = results.map(({ status }) => status === 'fulfilled');
    assert.equal(areCreated[1], false);
    const found = await Promise.all(links.map(({ shortCode }) => store.find(shortCode)));
    assert.deepEqual(
      found.map((facts) => facts !== undefined),
      areCreated,
    );
    assert.equal((await store.statistics.linkCounts()).ACTIVE, areCreated.filter(Boolean).length);
    assert.equal(
      await store.create(redirectLink(codeOf(2)), newChange()),
      'created',
      'its short code is still free',
    );
  });

  testStore('a link created and revoked in parallel is what its revocation says', async ({ store }) => {
    const codes = Array.from({ length: 60 }, (_, index) => codeOf(index));
    const races = codes.map(async (code, index) => {
      const create = () => store.create(redirectLink(code), newChange());
      const revoke = () => store.revoke(code, newChange());
      // Half of them start in the other order.
      const [first, second] = index % 2 === 0 ? [create(), revoke()] : [revoke(), create()];
      const results = [await first, await second];
      assert.ok(results.includes('created'), results.join());
      return results.includes('revoked');
    });
    const areRevoked = await Promise.all(races);
    const outcomes = await Promise.all(codes.map((code) => store.attempt(attemptOn(code))));
    assert.deepEqual(
      pluck(outcomes, 'verdict'),
      areRevoked.map((isRevoked) => (isRevoked ? 'REVOKED' : 'SUCCESS')),
    );
  });

  testStore('links are expired from the millisecond after expiresAt', async ({ store, readAudit }) => {
    await store.create(redirectLink(codeOf(1), { expiresAt: START }), newChange());
    await store.create(redirectLink(codeOf(2), { expiresAt: START + 1 }), newChange());
    await store.create(redirectLink(codeOf(3)), newChange());
    assert.equal(await store.expireDue(START, 10), 0);
    assert.equal(await store.expireDue(START + 1, 10), 1);
    assert.equal(await store.expireDue(START + 1, 10), 0, 'none is expired twice');
    assert.equal(await store.expireDue(START + 1_000_000, 10), 1);
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 1, EXPIRED: 2, REVOKED: 0 });
    assert.deepEqual(await readAudit(), [], 'a run is no attempt');
  });

  testStore('no more links are expired than the limit', async ({ store }) => {
    const links = Array.from({ length: 7 }, (_, index) => redirectLink(codeOf(index), { expiresAt: START }));
    await Promise.all(links.map((link) => store.create(link, newChange())));
    assert.equal(await store.expireDue(START + 1, 3), 3);
    assert.equal((await store.statistics.linkCounts()).EXPIRED, 3);
    assert.equal(await store.expireDue(START + 1, 3), 3);
    assert.equal(await store.expireDue(START + 1, 3), 1);
    assert.equal(await store.expireDue(START + 1, 3), 0);
  });

  testStore('parallel runs expire each link once', async ({ store }) => {
    const links = Array.from({ length: 50 }, (_, index) => redirectLink(codeOf(index), { expiresAt: START }));
    await Promise.all(links.map((link) => store.create(link, newChange())));
    const expired = await Promise.all(Array.from({ length: 8 }, () => store.expireDue(START + 1, 20)));
    // Parallel runs may each mark fewer links than are due: the next run marks the rest.
    for (let last = -1; last !== 0; expired.push(last)) last = await store.expireDue(START + 1, 20);
    assert.equal(
      expired.reduce((sum, count) => sum + count, 0),
      links.length,
      expired.join(),
    );
    assert.deepEqual(await store.statistics.linkCounts(), { ACTIVE: 0, EXPIRED: 50, REVOKED: 0 });
  });
}
