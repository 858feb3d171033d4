import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTypedTerm } from '../../client/typed-term.ts';

test('a list of mail addresses is read with commas, semicolons, spaces or lines between them', () => {
  const addresses = ['ann@example.com', 'bob@example.org', 'carl@example.net'];
  for (const separator of [',', ', ', ';', ' ; ', ' ', '\t', '\n', '\r\n', ',\n'])
    assert.deepEqual(readTypedTerm('addresses', ` ${addresses.join(separator)}${separator}`), addresses);
  assert.deepEqual(readTypedTerm('addresses', ' ;, '), []);
});

test('a tag may have spaces and semicolons', () => {
  assert.deepEqual(readTypedTerm('tags', 'price list, a;b,'), ['price list', 'a;b']);
});
