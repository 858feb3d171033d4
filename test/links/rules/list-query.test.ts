import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseListQuery } from '../../../src/core/rules/list-query.ts';

const parse = (query: Record<string, unknown>) => parseListQuery(query, 7);

describe('the query of the list', () => {
  test('the query has defaults, and takes empty parameters for absent ones', () => {
    const expected = {
      ...{ search: [], states: null, type: null, label: null, tag: null, owner: null, ownerKind: null },
      ...{ team: null, isMine: false, range: { start: null, end: null }, sort: 'created', order: 'desc' },
      ...{ limit: 50, after: null, now: 7 },
    };
    const names = 'state type label tag owner ownerKind team mine sort order'.split(' ');
    const empty = { search: ' ', ...Object.fromEntries(names.map((name) => [name, ''])) };
    for (const query of [{}, empty]) assert.deepEqual(parse(query), { ok: true, value: expected });
  });

  test('the query reads every parameter', () => {
    const cursor = '5.4123456789012345678.größe/v1.2';
    const sent = {
      ...{ search: 'One two', state: 'USED_UP,ACTIVE', type: 'DOWNLOAD', label: 'L', tag: 't', owner: 'o' },
      ...{ ownerKind: 'KEY', team: 'press', mine: 'true', sort: 'views', order: 'asc', limit: '200', cursor },
      withoutReceived: 'true',
      ...{ start: '2026-01-01', end: '2026-02-01' },
    };
    const parsed = parse(sent);
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value, {
      search: [
        { text: 'One', words: ['one'] },
        { text: 'two', words: ['two'] },
      ],
      ...{ states: ['ACTIVE', 'USED_UP'], type: 'DOWNLOAD', label: 'L', tag: 't', owner: 'o' },
      ...{ ownerKind: 'KEY', team: 'press', isMine: true, requestCode: null },
      range: { start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 1, 1) },
      ...{ sort: 'views', order: 'asc', limit: 200, after: cursor, now: 7 },
    });
  });

  for (const [query, field, code] of [
    [{ search: 'a '.repeat(101) }, 'search', 'TEXT_TOO_LONG'],
    [{ search: 'a b c d e f g h i j k' }, 'search', 'TEXT_TOO_LONG'],
    [{ search: 'a\u0000b' }, 'search', 'TEXT_HAS_CONTROL_CHARACTERS'],
    [{ search: '\ud800' }, 'search', 'TEXT_HAS_CONTROL_CHARACTERS'],
    [{ tag: ['a', 'b'] }, 'tag', 'DUPLICATE_FIELD'],
    [{ state: 'OPEN' }, 'state', 'INVALID_STATE'],
    [{ type: 'FILE' }, 'type', 'INVALID_TYPE'],
    [{ ownerKind: 'NOBODY' }, 'ownerKind', 'INVALID_OWNER_KIND'],
    [{ mine: 'yes' }, 'mine', 'NOT_TRUE_OR_FALSE'],
    [{ withoutReceived: 'yes' }, 'withoutReceived', 'NOT_TRUE_OR_FALSE'],
    [{ sort: 'name' }, 'sort', 'INVALID_SORT'],
    [{ order: 'up' }, 'order', 'INVALID_ORDER'],
    [{ limit: '201' }, 'limit', 'LIMIT_OUT_OF_RANGE'],
    [{ limit: 'x' }, 'limit', 'NOT_AN_INTEGER'],
    [{ cursor: '4123456789012345678.a', sort: 'views' }, 'cursor', 'INVALID_CURSOR'],
    [{ cursor: '1.4123456789012345678.a' }, 'cursor', 'INVALID_CURSOR'],
    [{ cursor: '12.a' }, 'cursor', 'INVALID_CURSOR'],
    [{ start: '2026-02-01', end: '2026-01-01' }, 'end', 'END_BEFORE_START'],
  ] as const) {
    test(`the query refuses ${JSON.stringify(query).slice(0, 60)}`, () => {
      const parsed = parse(query);
      assert.ok(!parsed.ok);
      assert.deepEqual([parsed.error.field, parsed.error.code], [field, code]);
    });
  }
});
