import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '../../src/core/model/problem.ts';
import { createLog } from '../../src/observability/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { prepareProblemWatch } from '../../src/observability/problems.ts';
import { startService } from '../support/service.ts';

test('a problem lasts while the database does not respond, and is logged once', async (t) => {
  const { stores } = await startService(t);
  const lines: string[] = [];
  const responses: (readonly Problem[] | Error)[] = [['database_not_writable'], new Error('no response'), []];
  async function findProblems(): Promise<readonly Problem[]> {
    const response = responses.shift() ?? [];
    if (response instanceof Error) throw response;
    return response;
  }
  const { findProblems: search } = prepareProblemWatch({
    store: { ...stores.store, findProblems },
    clock: () => 0,
    files: stores.files,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    metrics: createMetrics(),
    elapsedMs: () => 0,
    startTimer: () => () => {},
  });
  assert.deepEqual([...(await search()).keys()], ['database_not_writable']);
  assert.deepEqual([...(await search()).keys()], ['database_not_writable', 'database_unavailable']);
  assert.deepEqual([...(await search()).keys()], []);
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
