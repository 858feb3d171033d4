import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ImportRecord } from '../../src/core/model/import-record.ts';
import { NO_TERMS } from '../../src/core/model/terms.ts';
import {
  type PlannedLink,
  type PlanOptions,
  preparePlanLink,
} from '../../src/core/use-cases/create/plan-import.ts';

const NOW = Date.parse('2026-11-22T10:00:00Z');
const RECORD: ImportRecord = {
  ...{ shortCode: 'ab', host: null, targetUrl: 'https://example.com/', createdAt: null, startsAt: null },
  ...{ expiresAt: null, maxViews: null, views: null, label: null, note: null, tags: [], recipient: null },
  ...{ forwardPath: false, forwardQuery: false, password: null, refusals: [], losses: [] },
};

function plan(record: Partial<ImportRecord>, options: Partial<PlanOptions> = {}): Promise<PlannedLink> {
  return preparePlanLink({
    ...{ from: 'csv', timeZone: 'UTC', withRefusal: 'pause', shortPath: '/l/', now: NOW },
    targets: {
      baseUrl: 'https://go.example.org',
      hosts: new Map([['files.example.org', null]]),
      blockedHosts: () => new Set(['evil.example']),
    },
    author: { kind: 'COMMAND', name: 'import', ipAddress: null },
    hashPassword: async (password) => `hash of ${password}`,
    ...options,
  })({ ...RECORD, ...record });
}

async function linkOf(record: Partial<ImportRecord>, options?: Partial<PlanOptions>) {
  const planned = await plan(record, options);
  assert.ok(planned.ok, JSON.stringify(planned));
  return planned;
}

describe('a link to import', () => {
  test('a link with only a code and a target is created at the time of the import', async () => {
    assert.deepEqual(await plan({}), {
      ok: true,
      link: {
        ...{ shortCode: 'ab', definitionVersion: 0 },
        ...{ target: { type: 'REDIRECT', url: 'https://example.com/' } },
        ...{ terms: NO_TERMS, createdAt: NOW, startsAt: null, expiresAt: null },
        ...{ maxViews: null, passwordHash: null, tokenHash: null },
        ...{ owner: 'COMMAND import', team: null },
        imported: { from: 'csv', viewCount: 0, isPaused: false, status: 'ACTIVE' },
      },
      remarks: [],
    });
  });

  test('a link keeps its times, those without an offset in the given zone', async () => {
    const times: [text: string, utc: string][] = [
      ['2016-08-21T20:34:16+02:00', '2016-08-21T18:34:16.000Z'],
      ['2024-05-01 12:00:00.123+00', '2024-05-01T12:00:00.123Z'],
      ['2024-05-01 12:00:00', '2024-05-01T10:00:00.000Z'],
      ['2024-01-05', '2024-01-04T23:00:00.000Z'],
      ['1714557600000', '2024-05-01T10:00:00.000Z'],
    ];
    for (const [createdAt, utc] of times) {
      const { link } = await linkOf({ createdAt }, { timeZone: 'Europe/Berlin' });
      assert.equal(new Date(link.createdAt).toISOString(), utc, createdAt);
    }
  });

  test('a link passes on what it passed on in its source', async () => {
    const { link } = await linkOf({ forwardQuery: true });
    assert.deepEqual([link.terms.forwardPath, link.terms.forwardQuery], [false, true]);
  });

  test('a code keeps its segments and its letters of any script, in their composed form', async () => {
    for (const [shortCode, kept] of [
      ['docs/de', 'docs/de'],
      ['straße', 'straße'],
      ['cafe\u0301', 'caf\u00e9'],
    ])
      assert.equal((await linkOf({ shortCode: shortCode ?? '' })).link.shortCode, kept);
  });

  test('a link keeps a host that this service has, too', async () => {
    const hosts = ['files.example.org', 'go.example.org', 'old.example'];
    const links = await Promise.all(hosts.map((host) => linkOf({ host })));
    assert.deepEqual(
      links.map(({ link }) => link.terms.host),
      ['files.example.org', null, null],
    );
  });

  test('a code that is no address below the root has a remark', async () => {
    const remarksOf = async (shortCode: string, shortPath: string) =>
      (await linkOf({ shortCode }, { shortPath })).remarks.map(({ what }) => what);
    assert.deepEqual(await remarksOf('docs/de', '/'), ['opens below /l/ alone']);
    assert.deepEqual(await remarksOf('a.b', '/'), ['opens below /l/ alone']);
    assert.deepEqual(await remarksOf('offers/docs', '/'), []);
    assert.deepEqual(await remarksOf('docs/de', '/l/'), []);
  });

  test('a link that expired stays expired', async () => {
    const { link } = await linkOf({ expiresAt: '2020-01-01T00:00:00Z' });
    assert.equal(link.imported?.status, 'EXPIRED');
    assert.equal(link.expiresAt, Date.UTC(2020));
  });

  test('a link with more views than its limit has a limit that is used up', async () => {
    const thousands = await linkOf({ maxViews: '1,234', views: '1,235' });
    assert.deepEqual([thousands.link.maxViews, thousands.link.imported?.viewCount], [1235, 1235]);
    const { link, remarks } = await linkOf({ maxViews: '5', views: '7' });
    assert.deepEqual([link.maxViews, link.imported?.viewCount], [7, 7]);
    assert.deepEqual(remarks, [
      { what: 'limit of views raised to the views that it had', detail: 'from 5 to 7' },
    ]);
  });

  test('a link whose source refuses visitors is paused, or skipped', async () => {
    const record = { refusals: ['password', 'banned'] } as const;
    const { link, remarks } = await linkOf(record);
    assert.equal(link.imported?.isPaused, true);
    assert.match(
      remarks.map(({ what }) => what).join('; '),
      /^paused: only a hash of its password is known; paused: it is banned there$/,
    );
    const skipped = await plan(record, { withRefusal: 'skip' });
    assert.equal(!skipped.ok && skipped.reason, 'REFUSES_VISITORS');
  });

  test('a link with a plain password has its hash', async () => {
    const { link } = await linkOf({ password: 'open sesame' });
    assert.equal(link.passwordHash, 'hash of open sesame');
  });

  test('a link has labels that fit, and remarks about what is different', async () => {
    const { link, remarks } = await linkOf({
      label: `two\nlines ${'x'.repeat(250)}`,
      tags: ['a,b', 'a,b', ' ', 'y'.repeat(51)],
      losses: ['redirect rules'],
    });
    const { label, note, tags } = link.terms;
    assert.match(label ?? '', /^two lines x+…$/);
    assert.equal(label?.length, 200);
    assert.equal(note, `two lines ${'x'.repeat(250)}`);
    assert.deepEqual(tags, ['a b']);
    assert.deepEqual(remarks, [
      { what: 'label shortened, and whole in the note' },
      { what: 'without tags that are too long or too many', detail: 'y'.repeat(51) },
      { what: 'without redirect rules' },
    ]);
  });
});

describe('a value that restricts nothing', () => {
  for (const [record, what, detail] of [
    [{ createdAt: '0000-00-00 00:00:00' }, 'time of creation', /^"0000-00-00 00:00:00" must be a date/],
    [{ createdAt: '01.02.2024' }, 'time of creation', /^"01.02.2024" must be a date and time/],
    [{ createdAt: '2026-11-22 10:30:00' }, 'time of creation', /is in the future; set the time zone of the/],
    [{ views: '1.234' }, 'views', /^"1.234" must be an integer/],
    [{ views: 'many' }, 'views', /^"many" must be an integer/],
  ] as const)
    test(`${JSON.stringify(record)} is a remark`, async () => {
      const { link, remarks } = await linkOf(record);
      assert.deepEqual([link.createdAt, link.imported?.viewCount], [NOW, 0]);
      const [remark, ...more] = remarks;
      assert.deepEqual([remark?.what, more], [`without its ${what}`, []]);
      assert.match(remark?.detail ?? '', detail);
    });

  test('the zero date of MySQL is no limit', async () => {
    const { link } = await linkOf({ startsAt: '0000-00-00', expiresAt: '0000-00-00 00:00:00' });
    assert.deepEqual([link.startsAt, link.expiresAt], [null, null]);
  });
});

describe('a link is skipped', () => {
  const SKIPPED: [record: Partial<ImportRecord>, reason: string, detail: RegExp][] = [
    [{ shortCode: null }, 'INVALID_CODE', /^it has no short code$/],
    [{ shortCode: 'x'.repeat(101) }, 'INVALID_CODE', /^"x+…?" must be 1 to 100 letters/],
    [{ shortCode: '🚀' }, 'INVALID_CODE', /"🚀" must be 1 to 100 letters/],
    [{ shortCode: 'Admin' }, 'RESERVED_CODE', /"Admin" is a word of this service/],
    [{ targetUrl: null }, 'INVALID_TARGET', /^the target must not be blank$/],
    [{ targetUrl: 'ftp://a.example/' }, 'INVALID_TARGET', /"ftp:\/\/a.example\/" must be a valid URL/],
    [{ targetUrl: 'https://go.example.org/l/x' }, 'INVALID_TARGET', /must not lead to this service/],
    [
      { targetUrl: 'https://www.evil.example/' },
      'BLOCKED_TARGET',
      /evil\.example, which this service blocks/,
    ],
    [{ expiresAt: '01.02.2027' }, 'INVALID_TIME', /^expiresAt "01.02.2027" must be a date and time/],
    [{ startsAt: '2024-01-02', expiresAt: '2024-01-01' }, 'INVALID_TIME', /startsAt must be before the link/],
    [{ maxViews: '0' }, 'INVALID_COUNT', /maxViews "0" must be greater than 0/],
    [{ views: 'many', maxViews: '5' }, 'INVALID_COUNT', /views "many" must be an integer/],
    [{ password: ' secret' }, 'INVALID_PASSWORD', /^password must not start(?!.*secret)/],
  ];
  for (const [record, reason, detail] of SKIPPED)
    test(`a link with ${JSON.stringify(record)} is skipped`, async () => {
      const planned = await plan(record);
      assert.ok(!planned.ok);
      assert.equal(planned.reason, reason);
      assert.match(planned.detail, detail);
    });
});
