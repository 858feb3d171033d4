import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT, readProjectFile } from '../support/documents.ts';
import { startService, temporaryDirectory, testClock } from '../support/service.ts';
import { openShell, type Step, shortCodes, stepsOf, toPattern, withoutChance } from '../support/walk.ts';

/** Where the README says that the service listens, and where it puts what it tries out. */
const DOCUMENTED_URL = 'http://localhost:8080';
const DOCUMENTED_DIRECTORY = '/tmp/postern-demo';

/** npm is asked in the checkout, as the README says; all else happens beside it. The rest is for a pipe. */
const PRELUDE = `
npm() { (cd "$POSTERN" && command npm --silent "$@"); }
curl() { command curl --no-progress-meter "$@"; }
`;

const STEPS = stepsOf(readProjectFile('README.md'));

test('every command of the README gives the answer that stands below it', async (t) => {
  assert.ok(STEPS.length >= 30, `only ${STEPS.length} commands were found`);
  const directory = temporaryDirectory(t);
  // It stands still so that no slow machine outlives a link; a `sleep` moves it past what real time has passed.
  const clock = testClock(Date.now());
  const service = await startService(t, { directory, clock });
  await service.startJobs();
  const shell = openShell(t, {
    cwd: directory,
    env: {
      ...{ POSTERN: ROOT, HOME: directory, NO_PROXY: '*', LC_ALL: 'C', NPM_CONFIG_UPDATE_NOTIFIER: 'false' },
      APP_DATABASE_URL: `sqlite:${service.databasePath}`,
      APP_STORAGE_PATH: service.storagePath,
    },
    prelude: PRELUDE,
  });
  const codes = shortCodes();
  const toHere = (text: string) =>
    codes
      .toReal(text)
      .replaceAll(DOCUMENTED_URL, service.url)
      .replaceAll(DOCUMENTED_DIRECTORY, `${directory}/demo`);

  async function answerTo(command: string): Promise<string> {
    const seconds = /^sleep (\d+)$/.exec(command)?.[1];
    if (seconds === undefined) return shell.run(toHere(command));
    clock.now = Date.now() + Number(seconds) * 1000;
    return '\n';
  }

  for (const { line, command, answer } of STEPS satisfies Step[]) {
    await t.test(`line ${line}: ${command.split('\n')[0]}`, async () => {
      const actual = await answerTo(command);
      codes.learn(answer, actual);
      const expected = withoutChance(codes.toReal(answer));
      const told = withoutChance(actual);
      assert.ok(toPattern(expected).test(told), `The README has:\n${expected}\nThe answer is:\n${told}`);
    });
  }
});
