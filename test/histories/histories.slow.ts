import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openArena } from '../drive/arena.ts';
import { NO_GUESS_LIMITS, type ServiceProcess } from '../support/process.ts';
import { pick, seededInt } from '../support/random.ts';
import { linearize } from './linearize.ts';
import { LINK_MODEL } from './link-model.ts';
import { CLIENTS, type LinkHistory, type Recording, recordHistories } from './record-histories.ts';

/** Without it, each failure happens once; with it, at random for so long. */
const MINUTES = Number(process.env['TEST_HISTORY_MINUTES'] ?? 0);
const OPERATIONS_BETWEEN_FAILURES = 40;
/** An instance that is stopped inside a transaction blocks the other one. */
const MAX_FROZEN_MS = 500;
const BREAKS = ['before', 'after', 'late'] as const;
/** The observations without which a run proves nothing. It continues until then. */
const EXPECTED_OUTPUTS =
  'SUCCESS VIEW_LIMIT_REACHED REVOKED INVALID_PASSWORD PAUSED NOT_STARTED revoked'.split(' ');

/** Something that fails while clients send operations. */
type Failure = (recording: Recording) => Promise<void>;

/** The instances on one database. A killed one is replaced at another port. `restarted`: of the last one. */
type Instances = {
  running: ServiceProcess[];
  restarted: Promise<unknown>;
  start(): Promise<ServiceProcess>;
};

test('an instance on an SQLite file, frozen and killed, produces only histories that the rules allow', async (t) => {
  const { startInstance } = await openArena(t, { flags: FLAGS });
  const instances = await startInstances(1, startInstance);
  await checkHistories(t, instances, { failures: failuresOf(instances), maxErrors: () => 0 });
});

test('two instances on PostgreSQL, frozen, killed and cut off, produce only histories that the rules allow', async (t) => {
  const { startInstance, postgres } = await openArena(t, { store: 'postgres', needs: 'proxy', flags: FLAGS });
  const proxy = postgres?.proxy;
  assert.ok(proxy);
  const instances = await startInstances(2, startInstance);
  let breaks = 0;
  const breakCommits: Failure = async (recording) => {
    breaks += BREAKS.length;
    const brokenBefore = proxy.broken();
    proxy.breakNext(...BREAKS);
    while (proxy.broken() < brokenBefore + BREAKS.length) await recording.waitForOperations(1);
  };
  const cutOff: Failure = async () => {
    breaks += 1;
    proxy.breakAll();
  };
  const failures = [...failuresOf(instances), cutOff, breakCommits];
  // A break fails what was sent on the broken connections, at most one request of each client; nothing else fails.
  await checkHistories(t, instances, { failures, maxErrors: () => breaks * CLIENTS });
});

const FLAGS = ['--app.log.level=silent', ...NO_GUESS_LIMITS];

async function startInstances(count: number, start: () => Promise<ServiceProcess>): Promise<Instances> {
  const running = await Promise.all(Array.from({ length: count }, () => start()));
  return { running, restarted: Promise.resolve(), start };
}

function failuresOf(instances: Instances): Failure[] {
  return [
    async function freeze(recording) {
      const [frozen] = instances.running;
      frozen?.signal('SIGSTOP');
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, MAX_FROZEN_MS);
      await Promise.race([recording.waitForOperations(OPERATIONS_BETWEEN_FAILURES), timer.promise]);
      clearTimeout(timeout);
      frozen?.signal('SIGCONT');
    },
    async function kill(recording) {
      const restarted = Promise.withResolvers<void>();
      instances.restarted = restarted.promise;
      const killed = instances.running.shift();
      killed?.signal('SIGKILL');
      await killed?.exited;
      if (instances.running.length > 0) await recording.waitForOperations(OPERATIONS_BETWEEN_FAILURES);
      instances.running.push(await instances.start());
      restarted.resolve();
    },
  ];
}

async function checkHistories(
  t: TestContext,
  instances: Instances,
  { failures, maxErrors }: { failures: readonly Failure[]; maxErrors: () => number },
): Promise<void> {
  const seed = MINUTES > 0 ? Date.now() % 1_000_000 : 1;
  const randomInt = seededInt(seed);
  const recording = recordHistories({
    async instances() {
      if (instances.running.length === 0) await instances.restarted;
      return instances.running;
    },
    randomInt,
  });
  const deadline = performance.now() + MINUTES * 60_000;
  for (let happened = 0; happened < failures.length || performance.now() < deadline; happened++) {
    await recording.waitForOperations(OPERATIONS_BETWEEN_FAILURES);
    await (failures[happened] ?? pick(randomInt, failures))(recording);
  }
  const isComplete = () => EXPECTED_OUTPUTS.every((expected) => recording.outputs.has(expected));
  do await recording.waitForOperations(OPERATIONS_BETWEEN_FAILURES);
  while (!isComplete());
  const histories = await recording.stop();
  t.diagnostic(`seed ${seed}: ${summarize(histories)}`);
  assert.deepEqual(histories.flatMap(findViolation), []);
  const sent = histories.reduce((sum, { operations }) => sum + operations.length, 0);
  const { errors } = recording;
  t.diagnostic(`${errors.length} of ${sent} operations got an error: ${errors.join(', ')}`);
  assert.ok(errors.length <= maxErrors(), `${errors.length} of at most ${maxErrors()}: ${errors.join(', ')}`);
}

/** Returns a text for a history that no order explains. */
function findViolation({ shortCode, operations }: LinkHistory): string[] {
  const found = linearize(LINK_MODEL, operations);
  if (found.isLinearizable) return [];
  const show = (operation: unknown) => JSON.stringify(operation);
  const explained = found.longest.map(show).join('\n');
  return [
    `${shortCode}: explained are\n${explained}\nbut none of these can come next:\n${found.stuck.map(show).join('\n')}`,
  ];
}

function summarize(histories: readonly LinkHistory[]): string {
  const operations = histories.flatMap((history) => history.operations);
  const unknown = operations.filter(({ completedAt }) => completedAt === null);
  return `${operations.length} operations on ${histories.length} links, ${unknown.length} of unknown outcome`;
}
