import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitAtBreakPoints } from '../../src/common/break-points.ts';
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

test('an address breaks after its punctuation, and neither within a name nor a number', () => {
  for (const [text, parts] of [
    ['anna@client.example', ['anna@', 'client.', 'example']],
    [
      'https://links.example/sign-in#setup_a-b?x=1&y',
      ['https://links.', 'example/', 'sign-in#', 'setup_', 'a-b?', 'x=', '1&', 'y'],
    ],
    ['Only for a@b.example. 1.5 MB from 192.0.2.1', ['Only for a@', 'b.', 'example. 1.5 MB from 192.0.2.1']],
    ['', ['']],
  ] as const) {
    assert.deepEqual(splitAtBreakPoints(text), parts);
    assert.equal(splitAtBreakPoints(text).join(''), text);
  }
});
