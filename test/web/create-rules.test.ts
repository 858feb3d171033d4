import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { asksFirst, type Draft, EMPTY_DRAFT, toRestrictions } from '../../web/create/draft.ts';
import { estimateStrength, generatePassword } from '../../web/create/password.ts';
import { prepareFormat } from '../../web/i18n/format.ts';
import { toRefusal } from '../../web/service/outcome.ts';
import { prepareMeasure } from '../../web/service/progress.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');

describe('what the form asks the service for', () => {
  const CASES: [what: string, changed: Partial<Draft>, expected: unknown][] = [
    ['nothing', {}, {}],
    ['an hour', { expiry: 'HOUR' }, { expiresAt: '2026-06-15T13:00:00.000Z' }],
    ['a day', { expiry: 'DAY' }, { expiresAt: '2026-06-16T12:00:00.000Z' }],
    ['a week', { expiry: 'WEEK' }, { expiresAt: '2026-06-22T12:00:00.000Z' }],
    ['once', { views: 'ONCE' }, { maxViews: 1, confirm: true }],
    ['some times', { views: 'TIMES', times: ' 12 ' }, { maxViews: 12, confirm: true }],
    [
      'what is no number, for the service to refuse',
      { views: 'TIMES', times: '1.5' },
      { maxViews: '1.5', confirm: true },
    ],
    ['no question, though views are limited', { views: 'ONCE', confirm: false }, { maxViews: 1 }],
    ['a question, though they are not', { confirm: true }, { confirm: true }],
    [
      'a date that is none',
      { expiry: 'DATE', expiryDate: '20261-01-01T10:00' },
      { expiresAt: '20261-01-01T10:00' },
    ],
    ['a password', { password: ' x ' }, { password: ' x ' }],
    ['times that were typed and not chosen', { times: '5', expiryDate: '2026-07-01T00:00' }, {}],
  ];
  for (const [what, changed, expected] of CASES) {
    test(what, () => {
      const asked = toRestrictions({ ...EMPTY_DRAFT, ...changed }, NOW);
      assert.deepEqual(asked, { ok: true, restrictions: expected });
    });
  }
  test('a date that was not chosen, or a number that was not typed, is missing', () => {
    assert.deepEqual(toRestrictions({ ...EMPTY_DRAFT, expiry: 'DATE' }, NOW), {
      ok: false,
      missing: 'expiresAt',
    });
    assert.deepEqual(toRestrictions({ ...EMPTY_DRAFT, views: 'TIMES', times: ' ' }, NOW), {
      ok: false,
      missing: 'maxViews',
    });
  });
  test('a link asks first where views are limited, until the reader decides', () => {
    assert.equal(asksFirst(EMPTY_DRAFT), false);
    assert.equal(asksFirst({ ...EMPTY_DRAFT, views: 'TIMES' }), true);
    assert.equal(asksFirst({ ...EMPTY_DRAFT, views: 'TIMES', confirm: false }), false);
  });
});

describe('passwords', () => {
  test('a drawn one is strong, legible, and never the same', () => {
    const drawn = Array.from({ length: 200 }, generatePassword);
    for (const password of drawn) {
      assert.match(password, /^([a-km-zA-HJ-NP-Z2-9]{5}-){3}[a-km-zA-HJ-NP-Z2-9]{5}$/);
      assert.equal(estimateStrength(password), 'STRONG');
    }
    assert.equal(new Set(drawn).size, drawn.length);
    const characters = new Set(drawn.join('').replaceAll('-', ''));
    assert.ok(characters.size > 50, `only ${characters.size} characters are ever drawn`);
  });
  for (const [strength, ...passwords] of [
    [
      'WEAK',
      'a',
      '1234567890',
      'password',
      'Password1',
      'qwertyuiop',
      'aaaaaaaaaaaaaaaa',
      'Passwort123!',
      'summer',
      'abcdefgh',
    ],
    ['FAIR', 'correct horse staple', 'tR5!kq9'],
    ['STRONG', 'correct horse battery staple tree', 'v9$Kq2!zLm7w'],
  ] as const) {
    for (const password of passwords) {
      test(`${password} is ${strength}`, () => assert.equal(estimateStrength(password), strength));
    }
  }
  test('no password is too odd to be estimated', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (password) => estimateStrength(password) !== undefined),
    );
  });
});

describe('what a refusal says', () => {
  const CASES: [body: string, field: string | null, text: string][] = [
    ['{"message":"targetUrl: must be a valid URL"}', 'targetUrl', 'must be a valid URL'],
    ['{"message":"file: must be at most 50 MB"}', 'file', 'must be at most 50 MB'],
    ['{"message":"Malformed JSON request"}', null, 'Malformed JSON request'],
    ['{"message":"An error: reference 1"}', null, 'An error: reference 1'],
    ['<html>Bad gateway</html>', null, 'HTTP 502'],
    ['{"message":7}', null, 'HTTP 502'],
    ['', null, 'HTTP 502'],
  ];
  for (const [body, field, text] of CASES) {
    test(body || 'nothing', () => {
      assert.deepEqual(toRefusal(502, body), { kind: 'REFUSED', status: 502, field, text });
    });
  }
});

describe('the progress of an upload', () => {
  test('tells speed and time left of the last seconds, once there is something to tell', () => {
    const measure = prepareMeasure(0);
    assert.deepEqual(measure(100, 1_000, 100_000), {
      ...{ sentBytes: 1_000, totalBytes: 100_000 },
      ...{ bytesPerSecond: null, secondsLeft: null },
    });
    const { bytesPerSecond, secondsLeft } = measure(1_000, 10_000, 100_000);
    assert.deepEqual([bytesPerSecond, secondsLeft], [10_000, 9]);
    for (let now = 2_000; now <= 10_000; now += 1_000) measure(now, 10_000 + (now - 1_000) * 2, 100_000);
    assert.equal(measure(11_000, 30_000, 100_000).bytesPerSecond, 2_000);
  });
  test('tells no speed of what stands still', () => {
    const measure = prepareMeasure(0);
    assert.equal(measure(2_000, 0, 100).bytesPerSecond, null);
    assert.equal(measure(3_000, 0, 100).secondsLeft, null);
  });
});

describe('numbers and times are written as the language does', () => {
  const english = prepareFormat('en-GB');
  const german = prepareFormat('de');
  const CASES: [string, string][] = [
    [english.bytes(0), '0 bytes'],
    [english.bytes(1023), '1,023 bytes'],
    [english.bytes(1536), '1.5 kB'],
    [english.bytes(50 * 1024 ** 2), '50 MB'],
    [german.bytes(1.5 * 1024 ** 3), '1,5 GB'],
    [english.bytesPerSecond(3 * 1024 ** 2), '3 MB/s'],
    [english.duration(0.2), '1 sec'],
    [english.duration(89), '89 secs'],
    [english.duration(90), '2 mins'],
    [german.percent(12.34), '12,3 %'],
    [english.relative(new Date(NOW + 7 * 86_400_000), new Date(NOW)), 'in 7 days'],
    [german.relative(new Date(NOW - 3_600_000), new Date(NOW)), 'vor 60 Minuten'],
  ];
  for (const [written, expected] of CASES) {
    test(expected, () => assert.equal(written.replaceAll(/[\u00a0\u202f]/g, ' '), expected));
  }
});
