import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideRevocation } from '../../src/core/model/decide-change.ts';

describe('a revocation', () => {
  for (const [status, decision] of [
    [undefined, { result: 'not-found', change: null }],
    ['ACTIVE', { result: 'revoked', change: { from: 'ACTIVE', to: 'REVOKED' } }],
    ['EXPIRED', { result: 'revoked', change: { from: 'EXPIRED', to: 'REVOKED' } }],
    ['REVOKED', { result: 'already-revoked', change: null }],
  ] as const) {
    test(`of a link in status ${status} is ${decision.result}`, () => {
      assert.deepEqual(decideRevocation(status), decision);
    });
  }
});
