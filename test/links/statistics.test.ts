import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type AccessTotals, listResults, summarize } from '../../src/core/model/statistics.ts';
import { ACCESS_RESULTS, type AuditResult } from '../../src/core/model/verdict.ts';

const AUDIT_RESULTS: readonly AuditResult[] = [...ACCESS_RESULTS, 'PREVIEW'];

const anyCounts: fc.Arbitrary<AccessTotals['countsByResult']> = fc
  .array(fc.tuple(fc.constantFrom(...AUDIT_RESULTS), fc.integer({ min: 1, max: 2 ** 40 })), { maxLength: 9 })
  .map((counts) => Object.fromEntries(counts));

const ZEROS = {
  total: 0,
  success: 0,
  failed: 0,
  expired: 0,
  uniqueOrigins: 0,
  accessEfficiencyRatio: 0,
  expirationAttritionRate: 0,
};

describe('the access summary', () => {
  for (const [why, totals, summary] of [
    ['the summary of no attempts is zeros', { countsByResult: {}, uniqueOrigins: 0 }, ZEROS],
    [
      'percentages are of the total, unrounded',
      { countsByResult: { SUCCESS: 2, EXPIRED: 1 }, uniqueOrigins: 2 },
      {
        total: 3,
        success: 2,
        failed: 1,
        expired: 1,
        uniqueOrigins: 2,
        accessEfficiencyRatio: (2 / 3) * 100,
        expirationAttritionRate: (1 / 3) * 100,
      },
    ],
    [
      'only EXPIRED is expired, and all but SUCCESS failed',
      {
        countsByResult: { SUCCESS: 10, NOT_FOUND: 1, REVOKED: 2, EXPIRED: 3, VIEW_LIMIT_REACHED: 4 },
        uniqueOrigins: 7,
      },
      {
        total: 20,
        success: 10,
        failed: 10,
        expired: 3,
        uniqueOrigins: 7,
        accessEfficiencyRatio: 50,
        expirationAttritionRate: 15,
      },
    ],
    ['previews are not counted', { countsByResult: { PREVIEW: 1000 }, uniqueOrigins: 0 }, ZEROS],
  ] as const) {
    test(why, () => assert.deepEqual(summarize(totals), summary));
  }
});

describe('the list of results', () => {
  test('the list has the highest counts first, ties in the order of the specification, and no zeros', () => {
    const countsByResult = { UNEXPECTED_STATE: 2, SUCCESS: 1, NOT_FOUND: 5, REVOKED: 2, EXPIRED: 0 };
    assert.deepEqual(listResults({ countsByResult }, ACCESS_RESULTS), [
      { result: 'NOT_FOUND', count: 5 },
      { result: 'REVOKED', count: 2 },
      { result: 'UNEXPECTED_STATE', count: 2 },
      { result: 'SUCCESS', count: 1 },
    ]);
  });

  test('the list has the requested results that occurred, the highest counts first, for any counts', () => {
    fc.assert(
      fc.property(anyCounts, fc.subarray([...AUDIT_RESULTS]), (countsByResult, wanted) => {
        const expected = wanted
          .map((result) => ({ result, count: countsByResult[result] ?? 0 }))
          .filter(({ count }) => count > 0)
          .sort((a, b) => b.count - a.count);
        assert.deepEqual(listResults({ countsByResult }, wanted), expected);
      }),
    );
  });
});
