import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';
import { newLinkToken, prepareRandomBytes, tokenMatches } from '../../src/core/model/people/link-token.ts';

describe('the token of a link', () => {
  test('a token has 256 random bits after its prefix, and the hash by which it is stored', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index + 200));
    const { token, hash } = newLinkToken((size) => bytes.subarray(0, size));
    assert.equal(token, `link_${bytes.toString('base64url')}`);
    assert.match(token, /^link_[A-Za-z0-9_-]{43}$/);
    assert.equal(hash, hashSecret(token));
    assert.ok(!hash.includes(token.slice(5)));
  });

  test('a token never comes from the same random bytes, also beyond one pool', () => {
    const pooled = prepareRandomBytes();
    const tokens = Array.from({ length: 1000 }, () => newLinkToken(pooled).token);
    assert.equal(new Set(tokens).size, tokens.length);
  });

  test('a token matches its own hash', () => {
    const { token, hash } = newLinkToken(randomBytes);
    assert.equal(tokenMatches(token, hash), true);
  });

  const { token } = newLinkToken(randomBytes);
  const texts: [what: string, sent: string | undefined][] = [
    ['no text', undefined],
    ['an empty text', ''],
    ['the word undefined', 'undefined'],
    ['the word null', 'null'],
    ['the prefix alone', 'link_'],
    ['a token without its prefix', token.slice(5)],
    ['a token with white space', ` ${token}`],
    ['a token with another character', `${token}A`],
    ['a token without its last character', token.slice(0, -1)],
    ['two tokens, as Node joins two headers', `${token}, ${token}`],
    ['a hash', hashSecret(token)],
  ];
  for (const [what, sent] of texts) {
    test(`${what} never matches, not even its own hash`, () => {
      assert.equal(tokenMatches(sent, hashSecret(sent ?? 'undefined')), false);
      assert.equal(tokenMatches(sent, hashSecret('')), false);
      assert.equal(tokenMatches(sent, hashSecret(token)), false);
      assert.equal(tokenMatches(sent, sent ?? ''), false);
      assert.equal(tokenMatches(sent, null), false);
    });
  }

  test('a token does not match the hash of another token, a broken hash, or a link without a token', () => {
    for (const hash of [
      newLinkToken(randomBytes).hash,
      '',
      'short',
      token,
      hashSecret(token).slice(1),
      null,
    ]) {
      assert.equal(tokenMatches(token, hash), false, String(hash));
    }
  });
});
