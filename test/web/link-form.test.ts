import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { completeTargetUrl } from '../../client/complete-target-url.ts';
import { toShareableUrl } from '../../web/actions/shown-urls.ts';
import {
  type Draft,
  EMPTY_DRAFT,
  EMPTY_SOURCES,
  hasInput,
  isConfirmed,
  toRestrictions,
} from '../../web/create/draft.ts';
import { RECENT, readSettings, TEMPLATE, toSettings } from '../../web/create/settings.ts';
import { readUtm, withUtm } from '../../web/create/utm.ts';
import { estimateStrength, generatePassword } from '../../web/form/password.ts';
import { startHint, toDateField } from '../../web/form/typed-values.ts';
import { prepareFormat } from '../../web/i18n/format.ts';
import { toRefusal } from '../../web/service/outcome.ts';
import { prepareMeasure } from '../../web/service/progress.ts';
import { anyString } from '../support/any-string.ts';

const TARGET = 'https://example.com/a';
const TEXT = EMPTY_SOURCES.TEXT;
const NOW = Date.parse('2026-06-15T12:00:00Z');

describe('the restrictions that the form sends', () => {
  const CASES: [name: string, changed: Partial<Draft>, expected: unknown][] = [
    ['an untouched form sends none', {}, {}],
    ['an hour is a time from now', { expiry: 'HOUR' }, { expiresAt: '2026-06-15T13:00:00.000Z' }],
    ['a day is a time from now', { expiry: 'DAY' }, { expiresAt: '2026-06-16T12:00:00.000Z' }],
    ['a week is a time from now', { expiry: 'WEEK' }, { expiresAt: '2026-06-22T12:00:00.000Z' }],
    ['one view needs confirmation', { viewLimit: 'ONCE' }, { maxViews: 1, confirm: true }],
    [
      'a custom number of views is trimmed',
      { viewLimit: 'CUSTOM', maxViews: ' 12 ' },
      { maxViews: 12, confirm: true },
    ],
    [
      'a text that is not an integer is sent for the API to refuse',
      { viewLimit: 'CUSTOM', maxViews: '1.5' },
      { maxViews: '1.5', confirm: true },
    ],
    ['confirmation can be switched off', { viewLimit: 'ONCE', confirm: false }, { maxViews: 1 }],
    ['confirmation can be switched on', { confirm: true }, { confirm: true }],
    ['files need confirmation', { source: EMPTY_SOURCES.FILES, expiry: 'NEVER' }, { confirm: true }],
    [
      'confirmation of files can be switched off',
      { source: EMPTY_SOURCES.FILES, expiry: 'NEVER', confirm: false },
      {},
    ],
    [
      'a password is asked for on a page, and nothing more',
      { source: EMPTY_SOURCES.FILES, expiry: 'NEVER', password: 'secret', viewLimit: 'ONCE' },
      { password: 'secret', maxViews: 1 },
    ],
    [
      'an email code is asked for on a page, and nothing more',
      { source: EMPTY_SOURCES.FILES, expiry: 'NEVER', verifiedRecipients: 'ann@example.com' },
      { verifiedRecipients: ['ann@example.com'] },
    ],
    [
      'confirmation after a password can be switched on',
      { source: EMPTY_SOURCES.FILES, expiry: 'NEVER', password: 'secret', confirm: true },
      { password: 'secret', confirm: true },
    ],
    [
      'an invalid date is sent for the API to refuse',
      { expiry: 'DATE', expiryDate: '20261-01-01T10:00' },
      { expiresAt: '20261-01-01T10:00' },
    ],
    [
      'receivers of notifications are trimmed',
      { notifyEmail: ' a@example.com ', notifyUrl: ' https://example.com ' },
      { notifyEmail: 'a@example.com', notifyUrl: 'https://example.com' },
    ],
    ['a password is sent as typed', { password: ' x ' }, { password: ' x ' }],
    ['a text ends after a week', { source: TEXT }, { expiresAt: '2026-06-22T12:00:00.000Z' }],
    ['a text without an end, as chosen, has none', { source: TEXT, expiry: 'NEVER' }, {}],
    [
      'a file request ends after a week',
      { source: EMPTY_SOURCES.REQUEST },
      { expiresAt: '2026-06-22T12:00:00.000Z' },
    ],
    ['fields of options not chosen are ignored', { maxViews: '5', expiryDate: '2026-07-01T00:00' }, {}],
  ];
  for (const [name, changed, expected] of CASES) {
    test(name, () => {
      const request = toRestrictions({ ...EMPTY_DRAFT, ...changed }, NOW);
      assert.deepEqual(request, { ok: true, restrictions: expected });
    });
  }
  test('a text ends as the administrator says', () => {
    const request = toRestrictions({ ...EMPTY_DRAFT, source: TEXT }, NOW, true);
    assert.deepEqual(request, { ok: true, restrictions: {} });
  });
  test('an empty date or number is reported as missing', () => {
    const noDate = toRestrictions({ ...EMPTY_DRAFT, expiry: 'DATE' }, NOW);
    assert.deepEqual(noDate, { ok: false, missing: 'expiresAt' });
    const noNumber = toRestrictions({ ...EMPTY_DRAFT, viewLimit: 'CUSTOM', maxViews: ' ' }, NOW);
    assert.deepEqual(noNumber, { ok: false, missing: 'maxViews' });
  });
  test('a typed text would be lost, and a choice would not', () => {
    const changed: Partial<Draft>[] = [
      { label: 'x' },
      { password: ' x' },
      { expiryDate: '2026-07-01T00:00' },
      { viewLimit: 'CUSTOM', maxViews: '7' },
    ];
    for (const each of changed) assert.equal(hasInput({ ...EMPTY_DRAFT, ...each }), true);
    const kept: Partial<Draft>[] = [
      { expiry: 'DAY', confirm: true },
      { viewLimit: 'CUSTOM' },
      { source: { kind: 'URL', text: ' ' } },
    ];
    for (const each of kept) assert.equal(hasInput({ ...EMPTY_DRAFT, ...each }), false);
  });

  test('a start that is over gets a hint', () => {
    assert.equal(startHint('', NOW), 'startsAt.hint');
    assert.equal(startHint(toDateField(NOW), NOW), 'startsAt.past');
    assert.equal(startHint(toDateField(NOW + 60_000), NOW), 'startsAt.hint');
    assert.equal(startHint('20261-01-01T10:00', NOW), 'startsAt.hint');
  });
  test('a link with limited views needs confirmation until the user decides', () => {
    assert.equal(isConfirmed(EMPTY_DRAFT), false);
    assert.equal(isConfirmed({ ...EMPTY_DRAFT, viewLimit: 'CUSTOM' }), true);
    assert.equal(isConfirmed({ ...EMPTY_DRAFT, viewLimit: 'CUSTOM', confirm: false }), false);
  });
});

describe('the URL that is shown and shared', () => {
  const CASES: [base: string, pageUrl: string, expectedBase: string][] = [
    // A configured base URL stays, also where its host only begins like localhost.
    ['https://go.example.com/s', 'http://10.0.0.5:8080/', 'https://go.example.com/s'],
    ['http://localhost.example.com', 'http://10.0.0.5/', 'http://localhost.example.com'],
    // A loopback address gives way to the page's host, port and base path.
    ['http://localhost:8080', 'http://10.0.0.5:8080/', 'http://10.0.0.5:8080'],
    ['http://localhost:8080', 'http://localhost:9000/dashboard', 'http://localhost:9000'],
    ['http://localhost:8080', 'https://example.com/postern/', 'https://example.com/postern'],
    ['http://127.0.0.1:8080/postern', 'https://example.com/postern/', 'https://example.com/postern'],
    ['http://[::1]:8080', 'http://[2001:db8::1]/', 'http://[2001:db8::1]'],
  ];
  for (const [base, pageUrl, expectedBase] of CASES) {
    test(`a link below ${base}, shown on ${pageUrl}, is below ${expectedBase}`, () => {
      const link = { accessUrl: `${base}/l/Ab12Cd34`, shortCode: 'Ab12Cd34' };
      assert.equal(toShareableUrl(link, pageUrl), `${expectedBase}/l/Ab12Cd34`);
    });
  }
});

describe('a URL without a scheme', () => {
  for (const host of [
    'example.com',
    'www.example.co.uk/a?b#c',
    'example.com:8080',
    'müller.de',
    'a.xn--p1ai/',
  ]) {
    test(`${host} gets https`, () => assert.equal(completeTargetUrl(` ${host} `), `https://${host}`));
  }
  for (const text of [
    ...['http://example.com', 'https://example.com', 'ftp://example.com', 'mailto:me@example.com'],
    ...[
      '',
      'example',
      'localhost:8080',
      'me@example.com',
      'example.com is nice',
      'javascript:a.b',
      '1.5',
      'a..b',
    ],
  ]) {
    test(`"${text}" stays as typed`, () => assert.equal(completeTargetUrl(text), text));
  }
});

describe('passwords', () => {
  test('a generated password is strong, legible and unique', () => {
    const generated = Array.from({ length: 200 }, generatePassword);
    for (const password of generated) {
      assert.match(password, /^([a-km-zA-HJ-NP-Z2-9]{5}-){3}[a-km-zA-HJ-NP-Z2-9]{5}$/);
      assert.equal(estimateStrength(password), 'STRONG');
    }
    assert.equal(new Set(generated).size, generated.length);
    const characters = new Set(generated.join('').replaceAll('-', ''));
    assert.ok(characters.size > 50, `only ${characters.size} characters are ever used`);
  });
  for (const [strength, ...passwords] of [
    ['WEAK', 'a', '1234567890', 'aaaaaaaaaaaaaaaa', 'abcdefgh', 'summer'],
    ['WEAK', 'password', 'Password1', 'Passwort123!', 'qwertyuiop'],
    ['FAIR', 'correct horse staple', 'tR5!kq9'],
    ['STRONG', 'correct horse battery staple tree', 'v9$Kq2!zLm7w'],
  ] as const) {
    for (const password of passwords) {
      test(`${password} is ${strength}`, () => assert.equal(estimateStrength(password), strength));
    }
  }
  test('every string has a strength', () => {
    fc.assert(fc.property(anyString(), (password) => estimateStrength(password) !== undefined));
  });
});

describe('a refusal', () => {
  test('a refusal has the code and the values of its error', () => {
    const record = {
      message: 'maxViews: must be at most 5',
      code: 'MAX_VIEWS_TOO_LARGE',
      params: { max: 5 },
    };
    assert.deepEqual(toRefusal(400, JSON.stringify(record)), {
      ...{ kind: 'REFUSED', status: 400, code: 'MAX_VIEWS_TOO_LARGE' },
      ...{ field: 'maxViews', text: 'must be at most 5', params: { max: 5 } },
    });
  });
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
    test(`a refusal is read from the body "${body}"`, () => {
      const refusal = { kind: 'REFUSED', status: 502, code: null, field, text, params: {} };
      assert.deepEqual(toRefusal(502, body), refusal);
    });
  }
});

describe('the progress of an upload', () => {
  test('the progress reports the speed of the last seconds and the time left, once they can be measured', () => {
    const measure = prepareMeasure(0);
    assert.deepEqual(measure(100, 1_000, 100_000), {
      ...{ state: 'SENDING', sentBytes: 1_000, totalBytes: 100_000 },
      ...{ bytesPerSecond: null, secondsLeft: null },
    });
    const { bytesPerSecond, secondsLeft } = measure(1_000, 10_000, 100_000);
    assert.deepEqual([bytesPerSecond, secondsLeft], [10_000, 9]);
    for (let now = 2_000; now <= 10_000; now += 1_000) measure(now, 10_000 + (now - 1_000) * 2, 100_000);
    assert.equal(measure(11_000, 30_000, 100_000).bytesPerSecond, 2_000);
  });
  test('the progress reports no speed while nothing is sent', () => {
    const measure = prepareMeasure(0);
    assert.equal(measure(2_000, 0, 100).bytesPerSecond, null);
    assert.equal(measure(3_000, 0, 100).secondsLeft, null);
  });
  test('the speed of an upload that goes on does not count what was sent before', () => {
    const measure = prepareMeasure(0, 50_000);
    assert.equal(measure(1_000, 60_000, 100_000).bytesPerSecond, 10_000);
  });
});

describe('numbers and times are formatted for the language', () => {
  const english = prepareFormat('en-GB');
  const german = prepareFormat('de', 'gerade eben');
  const ago = (seconds: number) => german.relative(new Date(NOW - seconds * 1000), new Date(NOW));
  const CASES: [string, string][] = [
    [english.bytes(0), '0 bytes'],
    [english.bytes(1023), '1,023 bytes'],
    [english.bytes(1536), '1.5 kB'],
    [english.bytes(1006 * 1024), '1 MB'],
    [english.bytes(999.4 * 1024), '999 kB'],
    [german.bytes(1020 * 1024 ** 2), '1 GB'],
    [english.bytes(2000 * 1024 ** 4), '2,000 TB'],
    [english.bytes(50 * 1024 ** 2), '50 MB'],
    [german.bytes(1.5 * 1024 ** 3), '1,5 GB'],
    [english.bytesPerSecond(3 * 1024 ** 2), '3 MB/s'],
    [english.duration(0.2), '1 sec'],
    [english.duration(89), '89 secs'],
    [english.duration(90), '2 mins'],
    [german.percent(12.34), '12,3 %'],
    [english.relative(new Date(NOW + 7 * 86_400_000), new Date(NOW)), 'in 7 days'],
    [ago(59), 'gerade eben'],
    [ago(72), 'vor 1 Minute'],
    [ago(3_600), 'vor 60 Minuten'],
    [ago(-20), 'in 1 Minute'],
    [english.relative(new Date(NOW), new Date(NOW)), 'now'],
  ];
  for (const [written, expected] of CASES) {
    test(expected, () => assert.equal(written.replaceAll(/[\u00a0\u202f]/g, ' '), expected));
  }
});

describe('UTM parameters', () => {
  for (const [url, utm, expected] of [
    ['https://a.example', { utm_source: 'mail' }, 'https://a.example?utm_source=mail'],
    [
      'https://a.example/?a=%20+b&&c#x?y',
      { utm_term: ' ä & b ' },
      'https://a.example/?a=%20+b&c&utm_term=%C3%A4%20%26%20b#x?y',
    ],
    [
      'https://a.example/?utm_source=old&b=1&utm%5Fsource=two&utm_medium=m',
      { utm_source: 'new' },
      'https://a.example/?b=1&utm_medium=m&utm_source=new',
    ],
    ['https://a.example/?utm_source=old#top', { utm_source: '' }, 'https://a.example/#top'],
    ['https://a.example/?utm_source=a+b&&', { utm_source: 'a b' }, 'https://a.example/?utm_source=a+b&&'],
  ] as const) {
    test(`${JSON.stringify(utm)} makes ${expected} of ${url}`, () =>
      assert.equal(withUtm(url, utm), expected));
  }

  test('each value is read as it was set', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        anyString(),
        (url, value) => {
          const text = value.toWellFormed().trim();
          assert.equal(readUtm(withUtm(url, { utm_content: text }), 'utm_content'), text);
        },
      ),
    );
  });
});

describe('saved settings', () => {
  const draft: Draft = {
    ...EMPTY_DRAFT,
    ...{ source: { kind: 'URL', text: TARGET }, password: 'secret', customCode: 'mine', recipient: 'Ann' },
    ...{ expiry: 'WEEK', viewLimit: 'CUSTOM', maxViews: '7', confirm: false, tags: 'a, b' },
    utm: { utm_source: 'mail' },
  };

  test('a template has all settings but those of one link', () => {
    const text = toSettings(draft, TEMPLATE);
    const { source: _, password: __, passphrase: ___, ...others } = draft;
    const { customCode: ____, recipient: _____, ...settings } = others;
    assert.deepEqual(readSettings(text, TEMPLATE, NOW), settings);
    assert.doesNotMatch(text, /secret|mine|Ann|example/);
  });

  test('settings that no page writes and times that are over are left out', () => {
    const text = JSON.stringify({
      ...{
        expiry: 'YEAR',
        viewLimit: 1,
        confirm: 'yes',
        label: 2,
        password: 'x',
        utm: { a: 'b' },
        note: 'n',
      },
      ...{ expiryDate: '2026-01-01T00:00', startsAt: '2027-01-01T00:00' },
    });
    assert.deepEqual(readSettings(text, TEMPLATE, NOW), { note: 'n', startsAt: '2027-01-01T00:00' });
    for (const broken of [null, '', '[]', '{']) assert.deepEqual(readSettings(broken, RECENT, NOW), {});
  });

  test('settings of the last link are no input', () => {
    assert.equal(hasInput({ ...EMPTY_DRAFT, viewLimit: 'CUSTOM', maxViews: '7' }, draft), false);
    assert.equal(hasInput({ ...EMPTY_DRAFT, utm: { utm_term: 'x' } }), true);
  });
});
