import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertBooksBalance } from '../support/books.ts';
import { createLink } from '../support/links.ts';
import { startLoad } from '../support/load.ts';
import { logLines, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

const END_THREADS = ['--import', './test/support/end-threads.ts'];

describe('a service whose store loses a thread under load', { concurrency: true }, () => {
  for (const [thread, signal] of [
    ['that writes', 'SIGUSR2'],
    ['of the statistics', 'SIGHUP'],
  ] as const) {
    test(`the one ${thread}: ends with exit code 1, says why, and has all that it answered`, async (t) => {
      const directory = temporaryDirectory(t);
      const service = await startServiceProcess(t, directory, { nodeFlags: END_THREADS });
      const shortCode = await createLink(service);
      const load = startLoad(service, 8, () => ({ shortCode }));
      await load.hasAnswers(100);
      service.signal(signal);
      const { code, stdout } = await service.exited;
      await load.ended;
      assert.equal(code, 1);
      const last = logLines(stdout).at(-1);
      assert.equal(last?.['msg'], 'unexpected_error');
      assert.equal(last?.['level'], 'fatal');

      const audit = await assertBooksBalance(await startServiceProcess(t, directory));
      const recorded = new Set(audit.map(({ userAgent }) => userAgent));
      const granted = load.sent.filter(({ answer }) => answer?.status === 302);
      assert.ok(granted.length >= 100);
      for (const { agent } of granted) assert.ok(recorded.has(agent), agent);
    });
  }
});
