import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLog } from '../../src/observability/log.ts';
import { announceStart } from '../../src/tools/commands/announce-start.ts';

const WARNINGS = ['first warning', 'second warning'];

/** Returns what a start writes to both outputs, each of which may be a terminal. */
function announce(
  { stdoutIsTerminal, stderrIsTerminal }: Record<`std${'out' | 'err'}IsTerminal`, boolean>,
  {
    managementPort = null,
    warnings = WARNINGS,
  }: { managementPort?: number | null; warnings?: string[] } = {},
) {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr', isTTY: boolean) => ({
    isTTY,
    write: (text: string) => {
      written[name] += text;
    },
  });
  const stdout = output('stdout', stdoutIsTerminal);
  announceStart(
    {
      baseUrl: 'http://localhost:8080/go',
      host: '::',
      managementPort,
      newDatabase: null,
      firstSignIn: 'http://localhost:8080/go/sign-in#setup_secret',
      readyMs: 12,
      warnings,
    },
    { log: createLog('info', stdout), stdout, stderr: output('stderr', stderrIsTerminal) },
  );
  return written;
}

const timesIn = (text: string) => WARNINGS.map((warning) => text.split(warning).length - 1);

describe('the announcement of a start', () => {
  test('the announcement names the addresses of the service', () => {
    const { stdout, stderr } = announce({ stdoutIsTerminal: false, stderrIsTerminal: false });
    assert.match(stderr, /^Postern \d+\.\d+\.\d+ is ready after 12 ms\n/);
    for (const line of [
      'New link   http://localhost:8080/go/',
      'Links      http://localhost:8080/go/links',
      'Dashboard  http://localhost:8080/go/dashboard',
      'API docs   http://localhost:8080/go/docs',
      'Health     http://localhost:8080/go/actuator/health',
      'Metrics    http://localhost:8080/go/actuator/prometheus',
    ]) {
      assert.ok(stderr.includes(`  ${line}\n`), line);
    }
    assert.match(stdout, /"readyMs":12,"msg":"service_started"/);
    assert.match(stderr, /^ {2}Sign in {4}http:.*#setup_secret$/m);
    assert.doesNotMatch(stdout, /setup_secret/, 'no log has it');
  });

  test('the announcement names the management port for what it serves', () => {
    const { stderr } = announce(
      { stdoutIsTerminal: false, stderrIsTerminal: false },
      { managementPort: 9090 },
    );
    assert.match(
      stderr,
      /Links {6}http:\/\/localhost:8080\/go\/links\n {2}Dashboard {2}http:\/\/localhost:9090\/dashboard\n/,
    );
  });

  for (const [stdoutIsTerminal, stderrIsTerminal, shown, logged] of [
    [true, true, 1, 0],
    [true, false, 0, 1],
    [false, true, 1, 1],
    [false, false, 0, 1],
  ] as const) {
    const terminals = `stdout ${stdoutIsTerminal}, stderr ${stderrIsTerminal}`;
    test(`the announcement shows a warning ${shown} times and logs it ${logged} times (terminals: ${terminals})`, () => {
      const { stdout, stderr } = announce({ stdoutIsTerminal, stderrIsTerminal });
      assert.deepEqual(timesIn(stderr), [shown, shown]);
      assert.deepEqual(timesIn(stdout), [logged, logged]);
      if (shown) assert.match(stderr, /\n {2}Warning: second warning\n$/);
      if (logged && !stdoutIsTerminal)
        assert.match(stdout, /"level":"warn",.*"warning":"first warning","msg":"service_warning"/);
    });
  }

  test('a text that a warning quotes does not control the terminal', () => {
    const terminals = { stdoutIsTerminal: true, stderrIsTerminal: true };
    const { stderr } = announce(terminals, { warnings: ['host \u001b[2J'] });
    assert.match(stderr, /Warning: host \ufffd\[2J\n$/);
  });
});
