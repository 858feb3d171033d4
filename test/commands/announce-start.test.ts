import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { announceStart } from '../../src/commands/announce-start.ts';
import { createLog } from '../../src/observability/log.ts';

const WARNINGS = ['first warning', 'second warning'];

/** Returns what a start writes to both outputs, each of which may be a terminal. */
function announce({ stdoutIsTerminal, stderrIsTerminal }: Record<`std${'out' | 'err'}IsTerminal`, boolean>) {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr', isTTY: boolean) => ({
    isTTY,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const stdout = output('stdout', stdoutIsTerminal);
  announceStart(
    { baseUrl: 'http://localhost:8080/go', readyMs: 12, warnings: WARNINGS },
    { log: createLog('info', stdout), stdout, stderr: output('stderr', stderrIsTerminal) },
  );
  return written;
}

const timesIn = (text: string) => WARNINGS.map((warning) => text.split(warning).length - 1);

describe('the announcement of a start', () => {
  test('names the addresses of the service', () => {
    const { stdout, stderr } = announce({ stdoutIsTerminal: false, stderrIsTerminal: false });
    assert.match(stderr, /^Postern \d+\.\d+\.\d+ is ready after 12 ms\n/);
    for (const line of [
      'New link   http://localhost:8080/go/',
      'Dashboard  http://localhost:8080/go/dashboard',
      'API docs   http://localhost:8080/go/docs',
      'Health     http://localhost:8080/go/actuator/health',
      'Metrics    http://localhost:8080/go/actuator/prometheus',
    ]) {
      assert.ok(stderr.includes(`  ${line}\n`), line);
    }
    assert.match(stdout, /"readyMs":12,"msg":"service_started"/);
  });

  test('shows each warning once on a terminal, in plain text', () => {
    const { stdout, stderr } = announce({ stdoutIsTerminal: true, stderrIsTerminal: true });
    assert.deepEqual(
      [timesIn(stderr), timesIn(stdout)],
      [
        [1, 1],
        [0, 0],
      ],
    );
    assert.match(stderr, /\n {2}Warning: second warning\n$/);
  });

  test('logs each warning once for a log collector, and not in the banner', () => {
    const { stdout, stderr } = announce({ stdoutIsTerminal: false, stderrIsTerminal: false });
    assert.deepEqual(
      [timesIn(stderr), timesIn(stdout)],
      [
        [0, 0],
        [1, 1],
      ],
    );
    assert.match(stdout, /"level":"warn",.*"warning":"first warning","msg":"service_warning"/);
  });

  test('logs and shows each warning once where only one output is a terminal', () => {
    const toFile = announce({ stdoutIsTerminal: false, stderrIsTerminal: true });
    assert.deepEqual(
      [timesIn(toFile.stderr), timesIn(toFile.stdout)],
      [
        [1, 1],
        [1, 1],
      ],
    );
    const errorsToFile = announce({ stdoutIsTerminal: true, stderrIsTerminal: false });
    assert.deepEqual(
      [timesIn(errorsToFile.stderr), timesIn(errorsToFile.stdout)],
      [
        [0, 0],
        [1, 1],
      ],
    );
  });
});
