import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSentFiles } from '../../src/links/history.ts';

const FILES = [
  { name: 'a', sizeBytes: 10 },
  { name: 'empty', sizeBytes: 0 },
  { name: 'b', sizeBytes: 5 },
  { name: 'c', sizeBytes: 20 },
];

test('the parts of a download say which files of a set were sent, and which of them completely', () => {
  const cases: [parts: [firstByte: number, bytesSent: number][], sent: string][] = [
    [[[0, 35]], 'a b c'],
    [[[10, 5]], 'b'],
    [[[10, 4]], 'b…'],
    [[[0, 12]], 'a b…'],
    [
      [
        [25, 10],
        [15, 10],
      ],
      'c',
    ],
    [
      [
        [0, 6],
        [2, 6],
      ],
      'a…',
    ],
    [
      [
        [0, 9],
        [3, 2],
        [9, 1],
      ],
      'a',
    ],
    [[[10, 0]], ''],
    [[], ''],
  ];
  for (const [parts, sent] of cases) {
    const found = findSentFiles(
      FILES,
      parts.map(([firstByte, bytesSent]) => ({ firstByte, bytesSent })),
    );
    assert.equal(
      found.map(({ file, sentBytes }) => file.name + (sentBytes === file.sizeBytes ? '' : '…')).join(' '),
      sent,
    );
  }
});
