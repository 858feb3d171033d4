import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { prepareNewIdAndSalt } from '../../src/core/model/attempt.ts';
import {
  appendEntry,
  EMPTY_CHAIN,
  eraseEntry,
  headAt,
  toCreationEntry,
  toHashedText,
} from '../../src/core/model/chain.ts';
import { OF_CREATION } from '../../src/core/model/check-history.ts';
import {
  FORMAT,
  isPartlyErased,
  PERSONAL_DETAILS,
  readTimestamp,
  toTimestamp,
} from '../../src/core/model/hashed-text.ts';
import type { HistoryEntry } from '../../src/core/model/history.ts';
import { toChangeableTerms } from '../../src/core/model/link-terms.ts';
import { ACCESS_RESULTS } from '../../src/core/model/verdict.ts';
import { anyString } from '../support/any-string.ts';
import { codeOf, linkState, newChange, redirectLink, START } from '../support/attempts.ts';
import { erased } from '../support/erase.ts';
import { makeFullHistories } from '../support/full-histories.ts';

const CREATION = toCreationEntry(
  redirectLink(codeOf(1), { url: 'https://example.com/', maxViews: 3 }),
  newChange({ salt: '0'.repeat(32) }),
);
const ATTEMPT: HistoryEntry = {
  kind: 'ATTEMPT',
  id: '01980000-0000-7000-8000-000000000001',
  at: START,
  salt: '1'.repeat(32),
  shortCode: codeOf(1),
  result: 'SUCCESS',
  count: 1,
  ipAddress: '192.0.2.1',
  userAgent: 'Grüße "quoted" \\ 😀',
};

/** No text of an entry that is not personal contains it. */
const MARK = 'personal:';
const anyPersonal = anyString().map((text) => MARK + text.toWellFormed());
const anyValue = fc.oneof(anyString(), fc.integer(), fc.boolean(), fc.constant(null));
const anyTerm = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.record({ new: value, old: value }));
const anyDetails = fc
  .record({
    plain: fc.dictionary(fc.constantFrom('maxViews', 'expiresAt', 'fileSha256', 'type'), anyTerm(anyValue)),
    personal: fc.dictionary(fc.constantFrom(...PERSONAL_DETAILS), anyTerm(anyPersonal)),
  })
  .map(({ plain, personal }) => sorted({ ...plain, ...personal }));
const COMMON = {
  id: fc.uuid({ version: 7 }),
  at: fc.integer({ min: START, max: START + 1_000_000 }),
  shortCode: fc.constantFrom('L0000001', 'my-link'),
};
const anySalt = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });
const anyAttempt = fc.record(
  {
    ...COMMON,
    kind: fc.constant('ATTEMPT' as const),
    salt: anySalt,
    result: fc.constantFrom(...ACCESS_RESULTS),
    count: fc.integer({ min: 1 }),
    ipAddress: fc.option(anyPersonal),
    userAgent: fc.option(anyPersonal),
    referrer: anyPersonal,
    recipientAddress: anyPersonal,
  },
  { requiredKeys: ['id', 'at', 'shortCode', 'kind', 'salt', 'result', 'count', 'ipAddress', 'userAgent'] },
);
const anyChange = fc.record({
  ...COMMON,
  kind: fc.constantFrom('CREATED' as const, 'CHANGED' as const, 'REVOKED' as const),
  salt: anySalt,
  author: fc.record({
    kind: fc.constantFrom('KEY' as const, 'ANONYMOUS' as const),
    name: fc.option(anyPersonal),
    ipAddress: fc.option(anyPersonal),
  }),
  details: anyDetails as fc.Arbitrary<typeof CREATION.details>, // a record of the values above
});
const anyDownload = fc.record({
  ...COMMON,
  kind: fc.constant('DOWNLOAD' as const),
  attemptId: fc.uuid({ version: 7 }),
  firstByte: fc.nat(),
  bytesSent: fc.nat(),
  isSentCompletely: fc.boolean(),
});

/** Sorts the members of an object and of those inside it by name. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** Returns every copy of an object in which one value of it, or of an object inside it, is another or missing. */
function mutantsOf(value: object): object[] {
  return Object.entries(value).flatMap(([name, member]): object[] => {
    const { [name]: _, ...others } = value as Record<string, unknown>;
    if (typeof member === 'object' && member !== null)
      return mutantsOf(member).map((mutant) => ({ ...value, [name]: mutant }));
    if (name === 'kind') return KINDS[String(member)]?.map((kind) => ({ ...value, kind })) ?? [];
    const other =
      typeof member === 'number' ? member + 1 : typeof member === 'boolean' ? !member : `${member ?? ''}x`;
    const isDetail = !('id' in value || 'ipAddress' in value || 'new' in value);
    return [{ ...value, [name]: other }, ...(isDetail ? [others] : [])];
  });
}

/** The kinds that an entry or an author of a kind can be changed to. */
const KINDS: Record<string, string[]> = {
  ...{ CREATED: ['CHANGED'], CHANGED: ['REVOKED'], REVOKED: ['CREATED'], KEY: ['USER'], ANONYMOUS: ['KEY'] },
};

/** Returns an entry without its personal fields, as a history has it. */
const withoutPersonal = (entry: HistoryEntry & { kind: 'ATTEMPT' | 'CREATED' | 'CHANGED' | 'REVOKED' }) => {
  const item = { ...entry, format: FORMAT, number: 1 };
  return erased(item.kind === 'ATTEMPT' ? { ...item, downloads: [] } : item);
};

describe('the chain of a link', () => {
  test('the chain hashes entries as JSON whose members are sorted by name (RFC 8785)', () => {
    fc.assert(
      fc.property(fc.oneof(anyAttempt, anyChange, anyDownload), (entry) => {
        const text = toHashedText(entry, 1);
        const parsed: unknown = JSON.parse(text);
        assert.equal(text, JSON.stringify(sorted(parsed)));
        assert.partialDeepStrictEqual(parsed, { format: 1, id: entry.id, kind: entry.kind, number: 1 });
      }),
    );
  });

  test('the chain covers every field of an entry of any kind', () => {
    fc.assert(
      fc.property(fc.oneof(anyAttempt, anyChange, anyDownload), (entry) => {
        const texts = [entry, ...mutantsOf(entry)].map((each) => toHashedText(each as HistoryEntry, 1));
        assert.equal(new Set(texts).size, texts.length);
        assert.ok(!texts.includes(toHashedText(entry, 2)));
      }),
    );
  });

  test('the chain hashes personal fields only with their salt, so that their erasure changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(anyAttempt, anyChange), (entry) => {
        const text = toHashedText(entry, 1);
        assert.ok(!text.includes(MARK) && !text.includes(entry.salt));
        const remaining = withoutPersonal(entry);
        assert.ok(!JSON.stringify(remaining).includes(MARK));
        assert.equal(toHashedText(remaining, 1), text);
        assert.equal(eraseEntry(entry).salt, null);
        assert.equal(isPartlyErased(entry) || isPartlyErased(remaining), false);
        for (const mutant of mutantsOf(remaining) as (typeof remaining)[]) {
          const { format, number, ...rest } = mutant;
          if (format !== FORMAT || number !== 1 || (rest.kind === 'ATTEMPT' && rest.downloads.length !== 0))
            continue;
          assert.ok(isPartlyErased(mutant) || toHashedText(mutant, 1) !== text, JSON.stringify(mutant));
        }
      }),
    );
  });

  test('the chain gives each entry a number, and the SHA-256 of the fingerprint before it and its own text', () => {
    const first = appendEntry(EMPTY_CHAIN, CREATION, 7);
    const second = appendEntry(headAt(first), ATTEMPT, 9);
    const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
    const fingerprint = sha256(toHashedText(CREATION, 1));
    assert.deepEqual(first, { ...CREATION, seq: 7, number: 1, prev: null, fingerprint });
    const next = sha256(fingerprint + toHashedText(ATTEMPT, 2));
    assert.deepEqual(second, { ...ATTEMPT, seq: 9, number: 2, prev: 7, fingerprint: next });
    assert.deepEqual(headAt(second), { entryCount: 2, fingerprint: next, lastSeq: 9 });
  });

  test('the chain proves the terms of a new link without its target and its password', () => {
    const text = toHashedText(CREATION, 1);
    assert.match(
      text,
      /"details":{"confirm":false,"expiresAt":null,"maxViews":3,"passwordProtected":false,"type":"REDIRECT"},"format":1,/,
    );
    assert.doesNotMatch(JSON.stringify(CREATION), /example\.com/);
  });

  test('the chain gives each entry an id and a salt of 128 bits from the random bytes that it gets', () => {
    let drawn = 0;
    const newIdAndSalt = prepareNewIdAndSalt({
      randomUuid: randomUUID,
      randomBytes: (size) => Buffer.from(Array.from({ length: size }, () => Math.floor(drawn++ / 16))),
    });
    const made = Array.from({ length: 200 }, () => newIdAndSalt(START));
    for (const [index, { id, salt }] of made.entries()) {
      assert.equal(salt, index.toString(16).padStart(2, '0').repeat(16));
      assert.ok(index === 0 || id > (made[index - 1]?.id ?? ''));
    }
  });
});

test('each detail is known to be personal or not, and has a value in a history', () => {
  const details = makeFullHistories().flatMap(({ entries }) =>
    entries.flatMap((entry) => ('details' in entry ? Object.entries(entry.details) : [])),
  );
  const names = new Set(details.flatMap(([name, value]) => (value === null ? [] : [name])));
  const known = Object.keys(toChangeableTerms({ ...redirectLink(codeOf(1)), ...linkState() }));
  assert.deepEqual(
    [...known, ...PERSONAL_DETAILS, ...OF_CREATION].filter((name) => !names.has(name)),
    [],
  );
  assert.deepEqual([...names].filter((name) => !PERSONAL_DETAILS.has(name)).sort(), [
    ...(
      'confirm createdAt encrypted expiresAt fileCount fileSha256 formerEntryCount formerFingerprint formerShortCode ' +
      'forwardPath forwardQuery host importedFrom maxBytes maxFiles maxViews partsSha256 ' +
      'passwordProtected paused recipientKey requestEntryCount requestFingerprint requestShortCode scan scanNote ' +
      'shownBeforePassword sizeBytes startsAt status text type viewCount viewable'
    ).split(' '),
  ]);
});

describe('the time of an entry', () => {
  test('is read as it is written', () => {
    const [min, max] = [Date.UTC(0, 0), Date.UTC(9999, 11, 31)];
    fc.assert(
      fc.property(fc.array(fc.integer({ min, max }), { minLength: 1 }), (times) => {
        const texts = times.map(toTimestamp);
        assert.deepEqual(texts.map(readTimestamp), times);
        assert.deepEqual(texts.map(readTimestamp).map(toTimestamp), texts);
      }),
    );
  });

  test('is not read in another form, nor of a day or an hour that there is not', () => {
    for (const text of [
      ...['2026-02-28', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00.00Z', '2026-02-28T10:00:00.000+00:00'],
      ...['2026-02-28t10:00:00.000Z', ' 2026-02-28T10:00:00.000Z', '2026-02-28T10:00:00.000Z\n'],
      ...['+002026-02-28T10:00:00.000Z', '2026-02-28T24:00:00.000Z', '2026-02-28T23:60:00.000Z'],
      ...['2026-02-28T23:59:60.000Z', '2026-02-29T10:00:00.000Z', '2026-00-01T10:00:00.000Z'],
      ...['2026-13-01T10:00:00.000Z', '2026-04-31T10:00:00.000Z', '2026-04-00T10:00:00.000Z'],
    ])
      assert.equal(readTimestamp(text), Number.NaN, text);
  });
});
