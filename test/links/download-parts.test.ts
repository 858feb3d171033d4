import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSentFiles, sumUpDownloads } from '../../src/core/model/history.ts';

const FILES = [
  { name: 'a', sizeBytes: 10 },
  { name: 'empty', sizeBytes: 0 },
  { name: 'b', sizeBytes: 5 },
  { name: 'c', sizeBytes: 20 },
];

/** Reads parts of a download, each the first byte and the number of bytes that were sent. */
const partsOf = (text: string) =>
  text === ''
    ? []
    : text.split(' ').map((part) => {
        const [firstByte = 0, bytesSent = 0] = part.split('+').map(Number);
        return { firstByte, bytesSent };
      });

test('the parts of a download say which files of a set were sent, and which of them completely', () => {
  for (const [parts, sent] of [
    ['0+35', 'a b c'],
    ['10+5', 'b'],
    ['10+4', 'b…'],
    ['0+12', 'a b…'],
    ['25+10 15+10', 'c'],
    ['0+6 2+6', 'a…'],
    ['0+9 3+2 9+1', 'a'],
    ['10+0', ''],
    ['', ''],
  ] as const) {
    const found = findSentFiles(FILES, partsOf(parts));
    const names = found.map(({ file, sentBytes }) => file.name + (sentBytes === file.sizeBytes ? '' : '…'));
    assert.equal(names.join(' '), sent, parts);
  }
});

test('only a part that goes on where another broke off has resumed a download', () => {
  for (const [parts, resumed] of [
    ['0+35 0+35', 0],
    ['10+5 0+35', 0],
    ['0+10 10+5', 0],
    ['0+4 4+31', 1],
    ['0+4 3+32', 1],
    ['0+4 6+29', 0],
    ['0+35 12+23', 0],
  ] as const) {
    const sent = partsOf(parts).map((part) => {
      return { ...part, isSentCompletely: part.firstByte + part.bytesSent === 35 };
    });
    assert.equal(sumUpDownloads(sent, FILES)?.resumed, resumed, parts);
  }
});
