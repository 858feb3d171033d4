import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { LogEntry } from '../../src/core/model/history.ts';
import {
  addEntries,
  addProjection,
  createProjection,
  ENTRIES_PER_JUMP,
  formatProjection,
  parseProjection,
} from '../../src/stores/projection.ts';
import { attemptOn, codeOf, START } from '../support/attempts.ts';

const HOUR_MS = 3_600_000;
const RESULTS = ['SUCCESS', 'INVALID_PASSWORD', 'PREVIEW_INVALID_PASSWORD', 'PREVIEW', 'NOT_FOUND'] as const;

/** Generates entries of three links in the order of the log, at times in any order. */
const anyEntries: fc.Arbitrary<LogEntry[]> = fc
  .array(
    fc.record({
      link: fc.nat(2),
      ms: fc.nat(3 * HOUR_MS),
      result: fc.constantFrom(...RESULTS),
      count: fc.integer({ min: 1, max: 3 }),
      ipAddress: fc.constantFrom(null, '192.0.2.1', '192.0.2.2'),
      number: fc.integer({ min: 0, max: 3 * ENTRIES_PER_JUMP }),
    }),
    { maxLength: 60 },
  )
  .map((wanted) =>
    wanted.map(({ link, ms, ...facts }, index) => {
      const { id, at, salt, shortCode, userAgent } = attemptOn(codeOf(link), { at: START + ms });
      const entry = { kind: 'ATTEMPT', id, at, salt, shortCode, userAgent, ...facts } as const;
      return { ...entry, seq: index + 1, prev: null, fingerprint: 'f' };
    }),
  );

function project(entries: readonly LogEntry[]) {
  const projection = createProjection();
  addEntries(projection, entries);
  return projection;
}

describe('the projection of entries', () => {
  test('the projection has the counts, addresses and part of the log of each hour', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const { hours } = project(entries);
        const byHour = Map.groupBy(entries, ({ at }) => Math.floor(at / HOUR_MS));
        assert.deepEqual(new Set(hours.keys()), new Set(byHour.keys()));
        for (const [hour, ofHour] of byHour) {
          const { firstSeq, lastSeq, counts, addresses } = hours.get(hour) ?? assert.fail();
          assert.deepEqual([firstSeq, lastSeq], [ofHour[0]?.seq, ofHour.at(-1)?.seq]);
          const attempts = ofHour.filter((entry) => entry.kind === 'ATTEMPT');
          for (const result of RESULTS) {
            const sum = attempts.reduce((all, each) => all + (each.result === result ? each.count : 0), 0);
            assert.equal(counts.get(result) ?? 0, sum);
          }
          const seen = attempts.filter(({ result }) => !result.startsWith('PREVIEW'));
          const known = seen.flatMap(({ ipAddress }) => ipAddress ?? []);
          assert.deepEqual(addresses, new Set(known));
        }
      }),
    );
  });

  test('the projection counts wrong passwords by link, with those of previews, and has every 128th entry', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const { wrongPasswords, jumps } = project(entries);
        const wrong = entries.filter(
          (entry) => entry.kind === 'ATTEMPT' && entry.result.endsWith('PASSWORD'),
        );
        const expected = Map.groupBy(wrong, ({ shortCode }) => shortCode);
        assert.deepEqual(wrongPasswords, new Map([...expected].map(([code, each]) => [code, each.length])));
        const jumped = entries.filter(({ number }) => number === 129 || number === 257);
        assert.deepEqual(
          jumps.map(({ seq }) => seq),
          jumped.map(({ seq }) => seq),
        );
      }),
    );
  });

  test('the projection is the same as those of its parts, one after the other, also as text', () => {
    fc.assert(
      fc.property(anyEntries, fc.nat(60), (entries, length) => {
        const sum = createProjection();
        for (const part of [entries.slice(0, length), entries.slice(length)])
          addProjection(sum, parseProjection(formatProjection(project(part))));
        assert.deepEqual(sum, project(entries));
      }),
    );
  });
});
