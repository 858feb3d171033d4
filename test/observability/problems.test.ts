import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '../../src/links/problem.ts';
import { createLog } from '../../src/observability/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { prepareFindProblems } from '../../src/observability/problems.ts';
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
  const search = prepareFindProblems({
    store: { probe: stores.store.probe, findProblems },
    files: stores.files,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    metrics: createMetrics(),
  });
  assert.deepEqual([...(await search()).keys()], ['database_not_writable']);
  assert.deepEqual([...(await search()).keys()], ['database_not_writable']);
  assert.deepEqual([...(await search()).keys()], []);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['problem_found', 'problem_solved'],
  );
});
