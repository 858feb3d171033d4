import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keyStateAt } from '../../src/core/model/people/api-key.ts';
import { parseKeyName } from '../../src/core/rules/key-name.ts';
import type { KeyRecord } from '../../src/http/routes/keys.ts';
import { parseScopes } from '../../src/service/config/read-flags.ts';
import { keyTable } from '../../src/tools/commands/access-tables.ts';
import { apiKey, START } from '../support/attempts.ts';

describe('the name of a key', () => {
  for (const name of ['a', 'ci', 'Grüße 日本', '😀', "Bob's laptop", 'x'.repeat(64), '😀'.repeat(64)]) {
    test(`a name may be ${name}`, () => assert.deepEqual(parseKeyName(name), { ok: true, value: name }));
  }

  // Empty, with spaces that look like others, controls, directions, and characters that nothing shows.
  const refused =
    '| |ci |ada  lovelace|a\tb|a\nb|\u001b[31mred|a\u009bb|a\u0000b|a\u202eb|a\u200fb|a\u2066b|a\u200bb|a\u00a0b|a\u2028b|a\u3164b|a\ud800b'.split(
      '|',
    );
  for (const name of [...refused, 'x'.repeat(65)]) {
    test(`a name is refused that is ${JSON.stringify(name).slice(0, 20)}`, () => {
      const parsed = parseKeyName(name);
      assert.ok(!parsed.ok);
      assert.match(parsed.error, /must be 1 to 64 visible characters/);
    });
  }

  test('a name is in composed form, so that two names do not look the same', () => {
    assert.deepEqual(parseKeyName('u\u0308'), { ok: true, value: '\u00fc' });
  });

  for (const name of ['initial-key', 'Initial-Key']) {
    test(`${name} is reserved`, () => {
      const parsed = parseKeyName(name);
      assert.ok(!parsed.ok);
      assert.match(parsed.error, /reserved for the key of app\.access\.initial-key; choose another name/);
    });
  }
});

describe('the scopes of a key', () => {
  for (const [text, scopes] of [
    ['read', ['read']],
    ['metrics,create', ['create', 'metrics']],
    [' read , read,manage', ['read', 'manage']],
  ] as const) {
    test(`scopes may be written "${text}"`, () =>
      assert.deepEqual(parseScopes(text), { ok: true, value: [...scopes] }));
  }

  for (const text of ['', ',', 'read,', 'Read', 'all', 'read;create', 'read create', 'toString']) {
    test(`scopes are refused as "${text}"`, () => {
      const parsed = parseScopes(text);
      assert.ok(!parsed.ok);
      assert.match(parsed.error, /one or more of create, read, manage, metrics, admin, separated by commas/);
    });
  }
});

describe('the state of a key', () => {
  test('a key is active until its end, then expired', () => {
    const key = apiKey('ci', { expiresAt: START + 10 });
    assert.deepEqual(
      [START, START + 9, START + 10].map((now) => keyStateAt(key, now)),
      ['active', 'active', 'expired'],
    );
    assert.equal(keyStateAt(apiKey('ci'), Number.MAX_SAFE_INTEGER), 'active');
  });

  test('a key is revoked with any end', () => {
    for (const expiresAt of [null, START - 1, START + 1]) {
      assert.equal(keyStateAt(apiKey('ci', { expiresAt, revokedAt: START }), START), 'revoked');
    }
  });
});

test('the table of keys shows everything but the hash', () => {
  const createdAt = '2026-06-15T23:50:00.000Z';
  const ci: KeyRecord = {
    ...{ name: 'ci', scopes: ['create', 'read'], effectiveScopes: ['create', 'read'], owner: null },
    ...{ createdAt, expiresAt: null, lastUsedAt: '2026-06-15T23:51:00.000Z', state: 'ACTIVE' },
  };
  const other: KeyRecord = {
    ...{ name: 'a longer name', scopes: ['metrics'], effectiveScopes: ['metrics'], owner: 'ada' },
    ...{ createdAt, expiresAt: '2026-06-15T23:50:00.001Z', lastUsedAt: null, state: 'REVOKED' },
  };
  assert.equal(
    keyTable([ci, other]),
    `name           scopes       owner  created                   expires                   last used                 state
ci             create,read  none   2026-06-15T23:50:00.000Z  never                     2026-06-15T23:51:00.000Z  active
a longer name  metrics      ada    2026-06-15T23:50:00.000Z  2026-06-15T23:50:00.001Z  never                     revoked
`,
  );
});
