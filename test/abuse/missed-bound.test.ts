import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missedBound } from './rows.ts';

test('a figure outside its bound is missed, and a time only where times are judged', () => {
  const slow = { what: 'time', value: 200, unit: 'ms', atMost: 100 } as const;
  assert.match(missedBound(slow, { judgesTimes: true }) ?? '', /time: 200 ms, but must be at most 100/);
  assert.equal(missedBound(slow, { judgesTimes: false }), undefined);
  const wrong = { what: 'status', value: 500, unit: 'status', equals: 404 } as const;
  assert.match(missedBound(wrong, { judgesTimes: false }) ?? '', /must be 404/);
});
