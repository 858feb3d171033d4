import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ROOT, readProjectFile } from '../support/documents.ts';
import { startService, temporaryDirectory, testClock } from '../support/service.ts';
import { openShell, shortCodes, stepsOf, toPattern, withoutRandomParts } from '../support/walk.ts';

/** The service address and the scratch directory that the documents use. */
const DOCUMENTED_FREE_BYTES = 52_613_349_376;
const DOCUMENTED_URL = 'http://localhost:8080';
/** From this heading on, the documented service needs keys. */
const CLOSING = '## Close it to strangers';
const DOCUMENTED_DIRECTORY = '/tmp/postern-demo';
const DOCUMENTED_STORE = { database: 'data/postern.db', files: '/tmp/uploads/' };

/** Every command runs in a temporary directory. Output goes to a pipe. */
const PRELUDE = `
postern() { "$POSTERN/bin/postern" "$@"; }
curl() { command curl --no-progress-meter "$@"; }
`;

for (const { file, minSteps } of [
  { file: 'README.md', minSteps: 6 },
  { file: 'docs/guide.md', minSteps: 30 },
]) {
  test(`every command in ${file} prints the documented output`, (t) => runSteps(t, file, minSteps));
}

/** Runs the `console` blocks of a document, in order, against a service with an empty store. */
async function runSteps(t: TestContext, file: string, minSteps: number): Promise<void> {
  const document = readProjectFile(file);
  const steps = stepsOf(document);
  const [before, after] = document.split(CLOSING);
  const closingLine = after === undefined ? Number.POSITIVE_INFINITY : (before ?? '').split('\n').length;
  assert.ok(steps.length >= minSteps, `found only ${steps.length} commands`);
  const directory = temporaryDirectory(t);
  // The clock stands still, so that no link expires on a slow machine; `sleep` moves it past the elapsed real time.
  const clock = testClock(Date.now());
  const freeBytes = async () => DOCUMENTED_FREE_BYTES;
  let service = await startService(t, { directory, clock, freeBytes });
  await service.startJobs();
  const shell = openShell(t, {
    cwd: directory,
    env: {
      ...{ POSTERN: ROOT, HOME: directory, NO_PROXY: '*', LC_ALL: 'C' },
      APP_DATABASE_URL: `sqlite:${service.databasePath}`,
      APP_STORAGE_PATH: service.storagePath,
    },
    prelude: PRELUDE,
  });
  const codes = shortCodes();
  const toRealCommand = (text: string) =>
    codes
      .toReal(text)
      .replaceAll(DOCUMENTED_URL, service.url)
      .replaceAll(DOCUMENTED_DIRECTORY, `${directory}/demo`);

  const toDocumentedPlaces = (printed: string) =>
    printed
      .replaceAll(service.databasePath, DOCUMENTED_STORE.database)
      .replaceAll(service.storagePath, DOCUMENTED_STORE.files)
      .replaceAll(`${directory}/demo`, DOCUMENTED_DIRECTORY);

  async function run(command: string): Promise<string> {
    const seconds = /^sleep (\d+)$/.exec(command)?.[1];
    if (seconds === undefined) return shell.run(toRealCommand(command));
    clock.now = Date.now() + Number(seconds) * 1000;
    return '\n';
  }

  let isClosed = false;
  for (const { line, command, output } of steps) {
    if (line >= closingLine && !isClosed) {
      isClosed = true;
      await service.stop();
      service = await startService(t, { directory, clock, freeBytes, flags: ['--app.access=keys'] });
    }
    await t.test(`line ${line}: ${command.split('\n')[0]}`, async () => {
      const printed = toDocumentedPlaces(await run(command));
      codes.learn(output, printed);
      const expected = withoutRandomParts(codes.toReal(output));
      const actual = withoutRandomParts(printed);
      assert.ok(
        toPattern(expected).test(actual),
        `${file} shows:\n${expected}\nThe command printed:\n${actual}`,
      );
    });
  }
}
