import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAddresses, withoutAddresses } from '../../web/form/addresses.ts';

test('the mail addresses in a note are found, each once, and the rest of the note stays', () => {
  for (const [note, addresses, rest] of [
    ['', [], ''],
    ['Ann Miller', [], 'Ann Miller'],
    ['ann@example.com', ['ann@example.com'], ''],
    ['ann@example.com, bob@example.org', ['ann@example.com', 'bob@example.org'], ''],
    [
      'Ann Miller <ann@example.com>; "Bob" (bob@example.org)',
      ['ann@example.com', 'bob@example.org'],
      'Ann Miller Bob',
    ],
    ['Ann@example.com ann@EXAMPLE.com', ['ann@EXAMPLE.com'], ''],
    ['@ann', [], '@ann'],
  ] as const) {
    assert.deepEqual(findAddresses(note), addresses, note);
    assert.equal(withoutAddresses(note), rest, note);
  }
});
