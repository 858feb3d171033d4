import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, test } from 'node:test';
import { createArgon2idHasher, HASHES_AT_ONCE } from '../../src/adapters/password-hasher.ts';
import { passwordHasherContract } from '../contract/password-hasher.ts';
import { observeArgon2 } from '../support/observe-argon2.ts';

passwordHasherContract('argon2id', () => ({
  hasher: createArgon2idHasher(),
  observe: observeArgon2,
}));

describe('argon2id', () => {
  const hasher = createArgon2idHasher();

  test('a hash is a PHC string with the parameters of OWASP, a salt of 16 bytes and a tag of 32', async () => {
    const salted = createArgon2idHasher({ randomBytes: (size) => Buffer.alloc(size, 0xfb) });
    const hash = await salted.hash('password');
    assert.match(
      hash,
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$\+\/v7\+\/v7\+\/v7\+\/v7\+\/v7\+w\$[A-Za-z0-9+/]{43}$/,
    );
    assert.equal(await hasher.verify('password', hash), true);
  });

  // phc-winner-argon2, src/test.c: the reference implementation's hashes of "password" with "somesalt".
  for (const hash of [
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
  ]) {
    test(`a password is verified with the parameters in its hash: ${hash.split('$')[3]}`, async () => {
      assert.equal(await hasher.verify('password', hash), true);
      assert.equal(await hasher.verify('Password', hash), false);
    });
  }

  const salt = 'c29tZXNhbHQ';
  const tag = 'nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  const malformed: Record<string, string> = {
    'another algorithm': `$argon2i$v=19$m=256,t=2,p=1$${salt}$${tag}`,
    bcrypt: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    'another version': `$argon2id$v=16$m=256,t=2,p=1$${salt}$${tag}`,
    'no version': `$argon2id$m=256,t=2,p=1$${salt}$${tag}`,
    'another order of the parameters': `$argon2id$v=19$t=2,m=256,p=1$${salt}$${tag}`,
    'no passes': `$argon2id$v=19$m=256,t=0,p=1$${salt}$${tag}`,
    'a leading zero': `$argon2id$v=19$m=0256,t=2,p=1$${salt}$${tag}`,
    'less memory than Argon2 needs': `$argon2id$v=19$m=7,t=2,p=1$${salt}$${tag}`,
    'more memory than Argon2 knows': `$argon2id$v=19$m=4294967296,t=2,p=1$${salt}$${tag}`,
    'no salt': `$argon2id$v=19$m=256,t=2,p=1$$${tag}`,
    'a salt that is too short': `$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbA$${tag}`,
    'no tag': `$argon2id$v=19$m=256,t=2,p=1$${salt}$`,
    'a tag cut to 4 bytes': `$argon2id$v=19$m=256,t=2,p=1$${salt}$nf65EA`,
    'padded base64': `$argon2id$v=19$m=256,t=2,p=1$${salt}$${tag}=`,
    'base64 of the URL alphabet': `$argon2id$v=19$m=256,t=2,p=1$${salt}$${tag.replace('/', '_')}`,
    'base64 with stray bits at its end': `$argon2id$v=19$m=256,t=2,p=1$${salt}$${tag.slice(0, -1)}5`,
    'a line break at its end': `$argon2id$v=19$m=256,t=2,p=1$${salt}$${tag}\n`,
  };
  for (const [defect, hash] of Object.entries(malformed)) {
    test(`a hash with ${defect} is refused without showing it`, async () => {
      await assert.rejects(hasher.verify('secret-password', hash), (error) => {
        assert.ok(error instanceof Error);
        for (const secret of ['secret-password', salt, tag.slice(0, 6)])
          assert.ok(!error.message.includes(secret));
        return true;
      });
    });
  }

  // A lone surrogate has no UTF-8: it would share its hash with U+FFFD.
  for (const [defect, password] of Object.entries({ 'is empty': '', 'is not well-formed': 'a\uD800' })) {
    test(`a password that ${defect} is refused`, async () => {
      const hash = `$argon2id$v=19$m=256,t=2,p=1$${salt}$${tag}`;
      await assert.rejects(hasher.hash(password), TypeError);
      await assert.rejects(hasher.verify(password, hash), TypeError);
    });
  }

  test('failed computations do not block later ones', async () => {
    const failing = `$argon2id$v=19$m=7,t=2,p=1$${salt}$${tag}`;
    const failures = Array.from({ length: 3 }, () =>
      assert.rejects(hasher.verify('password', failing), RangeError),
    );
    await Promise.all(failures);
    assert.equal(await hasher.verify('password', `$argon2id$v=19$m=256,t=2,p=1$${salt}$${tag}`), true);
  });

  test('a thread of the pool of four is left for files', () => {
    assert.equal(HASHES_AT_ONCE, Math.min(availableParallelism(), 3));
  });
});
