import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { PasswordHasher } from '../../src/core/ports/ports.ts';
import { anyString } from '../support/any-string.ts';

export type PasswordHasherHarness = {
  hasher: PasswordHasher;
  /** Runs `work`, and returns how many hashes the hasher computed meanwhile. */
  observe(work: () => Promise<unknown>): Promise<{ computed: number }>;
};

/** Tests the promises of the PasswordHasher port. Each adapter's test file calls it. */
export function passwordHasherContract(name: string, factory: () => PasswordHasherHarness): void {
  describe(`${name} fulfils the contract of a password hasher`, () => {
    const { hasher } = factory();

    const assertDiffer = async (password: string, other: string): Promise<void> => {
      const hash = await hasher.hash(password);
      assert.equal(await hasher.verify(password, hash), true);
      assert.equal(await hasher.verify(other, hash), false);
    };

    const wellFormed = anyString({ minLength: 1 }).filter((password) => password.isWellFormed());
    test('the hashed password is verified, and a longer one is not', async () => {
      await fc.assert(
        fc.asyncProperty(wellFormed, (password) => assertDiffer(password, `${password} `)),
        { numRuns: 5, examples: [['\u0000'], ['pässwörd \u{1F511}']] },
      );
    });

    for (const [difference, password, other] of [
      ['the 73rd byte counts, where bcrypt stops', `${'a'.repeat(72)}b`, `${'a'.repeat(72)}c`],
      ['a password of 73 bytes differs from its first 72', 'a'.repeat(73), 'a'.repeat(72)],
      ['the last byte of 8 KiB counts', `${'a'.repeat(8191)}b`, `${'a'.repeat(8191)}c`],
      ['bytes after a NUL count, where a C string ends', 'a\u0000b', 'a\u0000c'],
      ['every byte of a character counts', '\u0141', 'A'],
      ['compatible characters differ', '\uFB01', 'fi'],
    ] as const) {
      test(difference, () => assertDiffer(password, other));
    }

    for (const [same, password, other] of [
      ['characters in another form', 'caf\u00E9', 'cafe\u0301'],
      ['spaces of another kind', 'open sesame', 'open\u3000sesame'],
    ] as const) {
      test(`${same} are the same password, in either direction`, async () => {
        assert.equal(await hasher.verify(other, await hasher.hash(password)), true);
        assert.equal(await hasher.verify(password, await hasher.hash(other)), true);
      });
    }

    test('each hash has its own salt', async () => {
      const hashes = await Promise.all(Array.from({ length: 4 }, () => hasher.hash('same')));
      assert.equal(new Set(hashes).size, hashes.length);
      for (const hash of hashes) assert.equal(await hasher.verify('same', hash), true);
    });

    test('a hash does not show the password', async () => {
      assert.ok(!(await hasher.hash('correct-horse')).includes('correct-horse'));
    });

    test('an unreadable hash is an error, not a wrong password', async () => {
      const hash = await hasher.hash('right');
      for (const malformed of ['', 'right', hash.slice(1), `${hash}$`, hash.slice(0, hash.length / 2)]) {
        await assert.rejects(hasher.verify('right', malformed), Error, malformed);
      }
    });

    test('a wrong password is hashed as often as the right one', async () => {
      const { hasher, observe } = factory();
      const hash = await hasher.hash('right');
      for (const password of ['right', 'wrong', 'w']) {
        assert.deepEqual(await observe(() => hasher.verify(password, hash)), { computed: 1 });
      }
    });

    test('hashing does not block the event loop', async () => {
      let turns = 0;
      let isHashing = true;
      const turn = (): void => {
        turns++;
        if (isHashing) setImmediate(turn);
      };
      setImmediate(turn);
      await Promise.all(Array.from({ length: 4 }, () => hasher.hash('password')));
      isHashing = false;
      // Usually tens of thousands; at most one for each hash if the event loop computed them.
      assert.ok(turns > 100, `the event loop turned ${turns} times`);
    });
  });
}
