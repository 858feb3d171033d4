import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Problem } from '../../src/core/model/problem.ts';
import { createLog } from '../../src/observability/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { prepareProblemWatch } from '../../src/observability/problems.ts';
import { startService } from '../support/service.ts';

type Response = readonly Problem[] | Promise<readonly Problem[]>;

/** Watches a database that responds to searches for its problems as listed. */
async function watch(t: TestContext, responses: Response[]) {
  const { stores } = await startService(t);
  const lines: string[] = [];
  const { findProblems } = prepareProblemWatch({
    store: {
      ...stores.store,
      findProblems: async () => responses.shift() ?? assert.fail('one search too many'),
    },
    clock: () => 0,
    files: stores.files,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    metrics: createMetrics(),
    elapsedMs: () => 0,
    startTimer: () => () => {},
  });
  return { search: async () => [...(await findProblems()).keys()], lines };
}

test('a problem lasts while the database does not respond, and is logged once', async (t) => {
  const noResponse = Promise.reject(new Error('no response'));
  noResponse.catch(() => {}); // it is awaited later
  const { search, lines } = await watch(t, [['database_not_writable'], noResponse, []]);
  assert.deepEqual(await search(), ['database_not_writable']);
  assert.deepEqual(await search(), ['database_not_writable', 'database_unavailable']);
  assert.deepEqual(await search(), []);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ msg, problem }) => [msg, problem]),
    [
      ['problem_found', 'database_not_writable'],
      ['problem_found', 'database_unavailable'],
      ['problem_solved', 'database_not_writable'],
      ['problem_solved', 'database_unavailable'],
    ],
  );
});

test('searches that are asked for while one runs share the next, which finds what began meanwhile', async (t) => {
  const first = Promise.withResolvers<readonly Problem[]>();
  const { search } = await watch(t, [first.promise, ['database_disk_full']]);
  const searches = [search(), search(), search()];
  first.resolve([]);
  assert.deepEqual(await Promise.all(searches), [[], ['database_disk_full'], ['database_disk_full']]);
});
