import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accept, refuse } from '../../../src/core/model/parsed.ts';
import { LINK_COLUMNS, NO_TERMS } from '../../../src/core/model/terms.ts';
import { parseNewLink, parseRedirect, parseUploadFields } from '../../../src/core/rules/creation.ts';
import { termsOf } from '../../support/attempts.ts';
import { utf16 } from './arbitraries.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const URL_TEXT = 'https://example.com/';
/** A service whose administrator sets no limit. */
const FILES = { maxFileBytes: 100, isScanRequired: false };
const NO_POLICY = {
  maxTtl: null,
  maxViews: null,
  passwordRequired: false,
  customCodes: true,
  baseUrl: 'https://links.example/go',
  hosts: new Map([['go.example', null]]),
  blockedHosts: () => new Set<string>(),
  notify: { refusal: null, receivers: { allowedNetworks: [], ports: [443] } },
  mail: { recipients: ['mail.example'], isAllowed: true, sendsMail: true },
};
const UNRESTRICTED = {
  ...{ expiresAt: null, expiresAtText: null, maxViews: null, password: null, confirm: null },
  startsAt: null,
  customCode: null,
  terms: {},
  team: null,
};
const EXPIRES_AT_TEXT = '2026-06-01T02:00:00.5+02:00';
const EXPIRES_AT = Date.UTC(2026, 5, 1, 0, 0, 0, 500);
const STARTS_AT_TEXT = '2026-05-31T00:00:00Z';
const STARTS_AT = Date.UTC(2026, 4, 31);
const { notifyLanguage: _, ...PLAIN } = termsOf('jane');
const RESTRICTED = {
  expiresAt: EXPIRES_AT,
  expiresAtText: EXPIRES_AT_TEXT,
  maxViews: 3,
  password: 's3cret',
  confirm: true,
  startsAt: STARTS_AT,
  customCode: 'Q3-report',
  terms: PLAIN,
  team: 'press',
};

/** An invalid value for each field. */
const BAD_MEMBERS = (
  [
    ['targetUrl', 'ftp://example.com', 'INVALID_TARGET_URL', 'must be a valid URL'],
    ['expiresAt', '2020-01-01T00:00Z', 'NOT_A_FUTURE_DATE', 'must be a future date'],
    ['maxViews', 0, 'MAX_VIEWS_TOO_SMALL', 'must be greater than 0'],
    ['password', ' x', 'PASSWORD_HAS_OUTER_WHITE_SPACE', 'must not start or end with white space'],
    ['startsAt', 'tomorrow', 'INVALID_DATE_TIME', 'must be an ISO 8601 date-time with a timezone offset'],
    [
      'customCode',
      '-abc',
      'INVALID_CUSTOM_CODE',
      'must be 3 to 20 letters, digits, -, _, ~ or . in up to 5 segments separated by /, each of which begins and ends with a letter or a digit',
    ],
    ['confirm', 'yes', 'NOT_TRUE_OR_FALSE', 'must be true or false'],
    ['forwardPath', 'yes', 'NOT_TRUE_OR_FALSE', 'must be true or false'],
    ['forwardQuery', 1, 'NOT_TRUE_OR_FALSE', 'must be true or false'],
    ['fallbackUrl', 'example.com', 'INVALID_TARGET_URL', 'must be a valid URL'],
    ['notifyUrl', 'http://hooks.example', 'NOTIFY_URL_NOT_ALLOWED', 'must begin with https://'],
    ['host', 'evil.example', 'UNKNOWN_LINK_HOST', 'must be links.example or go.example'],
    ['label', 'a\nb', 'TEXT_HAS_CONTROL_CHARACTERS', 'must not contain control characters'],
    ['note', 'a\u0007', 'TEXT_HAS_CONTROL_CHARACTERS', 'must not contain control characters'],
    ['recipient', '\u202ea', 'TEXT_HAS_CONTROL_CHARACTERS', 'must not contain control characters'],
  ] as const
).toSorted(([a], [b]) => LINK_COLUMNS.indexOf(a) - LINK_COLUMNS.indexOf(b));

const FIELDS = [...LINK_COLUMNS, '__proto__', 'constructor', 'toString'];
const fieldName = fc.oneof(fc.constantFrom(...FIELDS), utf16);

const TARGET = { type: 'REDIRECT', url: URL_TEXT } as const;

function fromJson(text: string): Record<string, unknown> {
  return JSON.parse(text);
}

describe('the body of POST /api/links', () => {
  it('the fields of the contract come first, in its order', () => {
    assert.deepEqual(LINK_COLUMNS.slice(0, 4), ['targetUrl', 'expiresAt', 'maxViews', 'password']);
  });

  it('every restriction is read, and the text of expiresAt is returned as sent', () => {
    const body = {
      targetUrl: URL_TEXT,
      expiresAt: EXPIRES_AT_TEXT,
      maxViews: 3,
      password: 's3cret',
      startsAt: STARTS_AT_TEXT,
      customCode: 'Q3-report',
      team: ' press ',
      ...PLAIN,
      label: ` ${PLAIN.label} `,
      tags: ['jane', 'b', ' jane', ''],
    };
    assert.deepEqual(Object.keys(body).sort(), [...LINK_COLUMNS].sort());
    const policy = { ...NO_POLICY, teams: ['press'] };
    assert.deepEqual(parseRedirect(body, NOW, policy), accept({ target: TARGET, wanted: RESTRICTED }));
    assert.deepEqual(
      parseRedirect(body, NOW, NO_POLICY),
      refuse('team', 'UNKNOWN_TEAM', 'must be one of your teams'),
    );
  });

  it('null means absent', () => {
    const { notifyLanguage: __, ...noTerms } = NO_TERMS;
    const absent = Object.fromEntries(
      Object.keys({ ...UNRESTRICTED, ...noTerms }).map((name) => [name, null]),
    );
    const body = { targetUrl: URL_TEXT, ...absent };
    const wanted = { ...UNRESTRICTED, terms: noTerms };
    assert.deepEqual(parseRedirect(body, NOW, NO_POLICY), accept({ target: TARGET, wanted }));
    assert.deepEqual(
      parseRedirect({ targetUrl: null }, NOW, NO_POLICY),
      refuse('targetUrl', 'TARGET_URL_MISSING', 'must not be blank'),
    );
  });

  it('an empty text means absent', () => {
    const empty = Object.fromEntries(Object.keys(RESTRICTED).map((name) => [name, '']));
    const body = { targetUrl: URL_TEXT, ...empty, label: '', tags: '', text: '', uploadId: '', request: '' };
    const expected = accept({ target: TARGET, wanted: UNRESTRICTED });
    assert.deepEqual(parseRedirect(body, NOW, NO_POLICY), expected);
    assert.deepEqual(parseNewLink(body, NOW, { ...NO_POLICY, ...FILES }), expected);
    const text = parseNewLink({ ...body, targetUrl: '', text: 'a' }, NOW, { ...NO_POLICY, ...FILES });
    assert.equal(text.ok && text.value.wanted.maxViews, 1);
  });

  it('an empty text is no target', () => {
    const policy = { ...NO_POLICY, ...FILES };
    for (const [body, field] of [
      [{ targetUrl: '' }, 'targetUrl'],
      [{ targetUrl: '', text: '' }, 'targetUrl'],
      [{ text: '' }, 'text'],
      [{ request: '' }, 'request'],
      [{ request: { message: '' } }, 'message'],
    ] as const) {
      const parsed = parseNewLink(body, NOW, policy);
      assert.equal(!parsed.ok && parsed.error.field, field, JSON.stringify(body));
    }
    assert.deepEqual(
      parseRedirect({ targetUrl: '' }, NOW, NO_POLICY),
      refuse('targetUrl', 'TARGET_URL_MISSING', 'must not be blank'),
    );
  });

  it('unknown members are ignored, including names of JavaScript', () => {
    const body = fromJson(
      `{"targetUrl": "${URL_TEXT}", "shortCode": "x", "constructor": 1, "__proto__": {"maxViews": 0}, "toString": {}}`,
    );
    assert.deepEqual(parseRedirect(body, NOW, NO_POLICY), accept({ target: TARGET, wanted: UNRESTRICTED }));
  });

  it('inherited members are ignored', () => {
    const inheriting: Record<string, unknown> = Object.create({ targetUrl: URL_TEXT, maxViews: 0 });
    assert.deepEqual(
      parseRedirect(inheriting, NOW, NO_POLICY),
      refuse('targetUrl', 'TARGET_URL_MISSING', 'must not be blank'),
    );
    assert.deepEqual(
      parseRedirect(Object.assign(Object.create(null), { targetUrl: URL_TEXT }), NOW, NO_POLICY),
      accept({ target: TARGET, wanted: UNRESTRICTED }),
    );
  });

  it('the first invalid field in the order of the table is reported', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...BAD_MEMBERS], { minLength: 1 }), (bad) => {
        const badMembers = Object.fromEntries(bad.map(([field, value]) => [field, value]));
        const first = BAD_MEMBERS.find((member) => bad.includes(member));
        assert.ok(first);
        const body = 'targetUrl' in badMembers ? badMembers : { ...badMembers, targetUrl: URL_TEXT };
        assert.deepEqual(parseRedirect(body, NOW, NO_POLICY), refuse(first[0], first[2], first[3]));
      }),
    );
  });

  it('a link has one target, and the flag of a text belongs to an upload', () => {
    const policy = { ...NO_POLICY, ...FILES };
    const targets = { uploadId: 'a', request: { message: 'a' }, text: 'a', targetUrl: URL_TEXT };
    for (const [field, other] of [
      ...[['uploadId', 'request'] as const, ['uploadId', 'targetUrl'] as const, ['request', 'text'] as const],
      ...[['request', 'targetUrl'] as const, ['text', 'targetUrl'] as const],
    ])
      assert.deepEqual(
        parseNewLink({ [other]: targets[other], [field]: targets[field] }, NOW, policy),
        refuse(field, 'SEVERAL_TARGETS', `cannot be sent together with ${other}; send one of them`),
      );
    const shown = parseNewLink({ uploadId: 'a', text: true }, NOW, policy);
    const file = { uploadId: 'a', fileName: null, sha256: null, traits: { text: true } } as const;
    const wanted = { ...UNRESTRICTED, maxViews: 1 };
    assert.deepEqual(shown, accept({ target: { type: 'UPLOAD', file }, wanted }));
    for (const [target, term] of [
      [{ uploadId: 'a' }, 'forwardPath'],
      [{ request: { message: 'a' } }, 'message'],
    ] as const) {
      const refused = parseNewLink({ ...target, [term]: 'x' }, NOW, policy);
      assert.deepEqual([refused.ok, !refused.ok && refused.error.code], [false, 'TERM_CANNOT_BE_CHANGED']);
    }
  });

  it('any body is accepted or refused for a field of the table', () => {
    fc.assert(
      fc.property(fc.dictionary(fieldName, fc.jsonValue(), { noNullPrototype: false }), (sent) => {
        const request = parseRedirect(fromJson(JSON.stringify(sent)), NOW, NO_POLICY);
        if (!request.ok) assert.ok(FIELDS.slice(0, 12).includes(request.error.field));
      }),
    );
  });
});

describe('labels, the start and the short code', () => {
  const parse = (members: Record<string, unknown>) => {
    const parsed = parseRedirect({ targetUrl: URL_TEXT, ...members }, NOW, NO_POLICY);
    return parsed.ok ? 'accepted' : `${parsed.error.field}: ${parsed.error.text}`;
  };

  it('blank labels are none', () => {
    const blank = { label: ' ', note: '', tags: [' ', ''], recipient: '\t' };
    assert.deepEqual(
      parseRedirect({ targetUrl: URL_TEXT, ...blank }, NOW, NO_POLICY),
      accept({
        target: TARGET,
        wanted: { ...UNRESTRICTED, terms: { label: null, tags: [], recipient: null } },
      }),
    );
  });

  it('labels are bounded', () => {
    assert.equal(parse({ label: 'x'.repeat(200), note: 'x'.repeat(2000) }), 'accepted');
    assert.equal(parse({ label: 'x'.repeat(201) }), 'label: must be at most 200 characters');
    assert.equal(parse({ note: 'x'.repeat(2001) }), 'note: must be at most 2000 characters');
    const tags = Array.from({ length: 21 }, (_, index) => `tag ${index}`);
    assert.equal(parse({ tags: tags.slice(1) }), 'accepted');
    assert.equal(parse({ tags }), 'tags: must be at most 20');
    assert.equal(parse({ tags: ['x'.repeat(51)] }), 'tags: must be of at most 50 characters each');
    assert.equal(parse({ tags: ['a,b'] }), 'tags: must not contain commas or control characters');
    assert.equal(parse({ tags: 'a,b' }), 'tags: must be an array of texts');
    assert.equal(parse({ recipient: 7 }), 'recipient: must be a text');
  });

  it('a link starts before it expires, also where the policy alone ends it', () => {
    const late = 'startsAt: must be before the link expires';
    assert.equal(parse({ startsAt: EXPIRES_AT_TEXT, expiresAt: EXPIRES_AT_TEXT }), late);
    assert.equal(parse({ startsAt: STARTS_AT_TEXT, expiresAt: EXPIRES_AT_TEXT }), 'accepted');
    const policy = { ...NO_POLICY, maxTtl: Temporal.Duration.from('P1D') };
    const parsed = parseRedirect({ targetUrl: URL_TEXT, startsAt: STARTS_AT_TEXT }, NOW, policy);
    assert.deepEqual(parsed, refuse('startsAt', 'STARTS_AFTER_EXPIRY', 'must be before the link expires'));
  });

  it('a code is refused if it is short, a reserved word in any case, or codes are not allowed', () => {
    for (const customCode of ['abc', 'A1-_b', 'docs/2026', 'x'.repeat(20)])
      assert.equal(parse({ customCode }), 'accepted');
    for (const customCode of ['ab', 'x'.repeat(21), 'abc-', 12345])
      assert.match(parse({ customCode }), /^customCode: must be 3 to 20 letters/);
    assert.equal(parse({ customCode: 'Admin' }), 'customCode: must not be a reserved word; choose another');
    const request = { targetUrl: URL_TEXT, customCode: 'my-code' };
    assert.deepEqual(
      parseRedirect(request, NOW, { ...NO_POLICY, customCodes: false }),
      refuse('customCode', 'CUSTOM_CODES_OFF', 'is not allowed by this service; leave it out'),
    );
  });
});

describe('the fields of POST /api/links/upload', () => {
  it('every restriction is read from text', () => {
    const fields = {
      ...{ expiresAt: EXPIRES_AT_TEXT, maxViews: '3', password: 's3cret' },
      ...{ startsAt: STARTS_AT_TEXT, customCode: 'Q3-report', team: 'press' },
      ...Object.fromEntries(Object.entries(PLAIN).map(([name, value]) => [name, String(value)])),
      host: 'GO.example',
    };
    const policy = { ...NO_POLICY, teams: 'ANY' } as const;
    assert.deepEqual(parseUploadFields(fields, NOW, policy), accept(RESTRICTED));
  });

  it('blank fields are absent, like empty inputs of a form', () => {
    const fields = { expiresAt: '', maxViews: ' ', password: '', confirm: ' ' };
    assert.deepEqual(parseUploadFields(fields, NOW, NO_POLICY), accept(UNRESTRICTED));
  });

  it('the first invalid field in the order of the table is reported', () => {
    const badFields = BAD_MEMBERS.slice(1);
    fc.assert(
      fc.property(fc.shuffledSubarray(badFields, { minLength: 1 }), (bad) => {
        const fields = Object.fromEntries(bad.map(([field, value]) => [field, String(value)]));
        const first = badFields.find((field) => bad.includes(field));
        assert.ok(first);
        assert.deepEqual(parseUploadFields(fields, NOW, NO_POLICY), refuse(first[0], first[2], first[3]));
      }),
    );
  });

  it('unknown names and targetUrl are ignored, including names of JavaScript', () => {
    const fields = Object.fromEntries(
      ['__proto__', 'constructor', 'targetUrl', 'toString'].map((name) => [name, 'x']),
    );
    assert.deepEqual(parseUploadFields(fields, NOW, NO_POLICY), accept(UNRESTRICTED));
  });

  it('any fields are accepted or refused for a field of the table', () => {
    fc.assert(
      fc.property(fc.dictionary(fieldName, utf16), (fields) => {
        const request = parseUploadFields(fields, NOW, NO_POLICY);
        if (!request.ok) assert.ok(LINK_COLUMNS.some((name) => name === request.error.field));
      }),
    );
  });
});
