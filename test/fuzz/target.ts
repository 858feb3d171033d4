import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFileId } from '../../src/core/model/stored-file.ts';
import { openArena, runCommand } from '../drive/arena.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { ROOT } from '../support/documents.ts';
import { json, member, type Server, send } from '../support/http-client.ts';
import { shortCodeOf } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import type { ServiceProcess } from '../support/process.ts';
import { openHandles, residentMemory } from '../support/process-figures.ts';
import { temporaryDirectory } from '../support/service.ts';
import { KEY, type Links, PASSWORD } from './templates.ts';

/** A heap on which a leak shows soon. */
const HEAP_MB = 128;
const MAX_GROWTH_BYTES = 96 * 1024 ** 2;
/** Handles that a service opens when it first needs them. */
const MAX_MORE_HANDLES = 10;
/** The log is written in blocks, after the responses. */
const LOG_DELAY_MS = 10;
/** The log says why a request failed. It includes waiting on a loaded machine. */
const MAX_CAUSE_DELAY_MS = 5_000;
const STOP_WITHIN_MS = 15_000;
const SETTLE_MS = 5_000;

export type Access = 'open' | 'keys';

/** A service that is fuzzed, in a directory of its own. It is started again after a crash. */
export type FuzzTarget = {
  links: Links;
  /** Returns the port of the running service. */
  port(): Promise<number>;
  /**
   * Returns what has gone wrong since the last call: a crash, a warning, an unexpected error in the log. Waits for it
   * if a response has failed.
   */
  newProblems(hasFailed: boolean): Promise<string[]>;
  /** Remembers the memory and handles of now, to compare with them at the end. */
  rememberSize(): void;
  /** Stops the service. Returns what it has left behind that it should not have. */
  finish(): Promise<string[]>;
  server: Server;
};

/** Starts a service. `imports` are modules that are loaded before it. */
export async function startFuzzTarget(
  cleanup: Cleanup,
  access: Access,
  imports: readonly string[] = [],
): Promise<FuzzTarget> {
  const scratch = temporaryDirectory(cleanup);
  const [data, work] = [join(scratch, 'data'), join(scratch, 'work')];
  for (const directory of [data, work]) mkdirSync(directory);
  for (const name of ['secret', 'work/secret']) writeFileSync(join(scratch, name), 'not for the service');
  const arena = await openArena(cleanup, {
    directory: data,
    flags: [`--app.access=${access}`, `--app.access.initial-key=${KEY}`],
    nodeFlags: [`--max-old-space-size=${HEAP_MB}`, ...imports.map((module) => `--import=${module}`)],
    // Such a module changes a source, which the bundle of the tests has under another name.
    env: { TMPDIR: work, HOME: work, ...(imports.length > 0 && { NODE_OPTIONS: '' }) },
    cwd: work,
  });
  const outsideBefore = filesOutside(scratch);
  let service: ServiceProcess = await arena.startInstance();
  let crash: string | undefined;
  let seen = { stdout: 0, stderr: 0 };
  const watch = (): void => {
    seen = { stdout: 0, stderr: service.output.stderr.length };
    crash = undefined;
    void service.exited.then(({ code, signal, stderr }) => {
      crash = `The service ended with ${code ?? signal}: ${stderr.slice(-2_000)}`;
    });
  };
  watch();
  const links = await createLinks(service);
  let size = { rssBytes: 0, handles: 0 };

  return {
    links,
    get server() {
      return service;
    },
    async port() {
      if (crash !== undefined) {
        service = await arena.startInstance();
        watch();
      }
      return Number(new URL(service.url).port);
    },
    async newProblems(hasFailed) {
      const giveUpAt = performance.now() + (hasFailed ? MAX_CAUSE_DELAY_MS : 0);
      const pause = () => new Promise((resolve) => setTimeout(resolve, LOG_DELAY_MS));
      const errorsOfNow = () =>
        service.output.stdout
          .slice(seen.stdout)
          .split('\n')
          .filter((line) => /^\{"level":"(error|fatal)"/.test(line));
      await pause();
      while (performance.now() < giveUpAt && crash === undefined && errorsOfNow().length === 0) await pause();
      const errors = errorsOfNow();
      const { stdout, stderr } = service.output;
      const warnings = stderr.slice(seen.stderr);
      seen = { stdout: stdout.length, stderr: stderr.length };
      // An exit is noticed after the last output of the process.
      if (warnings !== '' || errors.length > 0)
        await Promise.race([service.exited, new Promise((resolve) => setTimeout(resolve, 500))]);
      return [...(crash === undefined ? [] : [crash]), ...(warnings === '' ? [] : [warnings]), ...errors];
    },
    rememberSize() {
      size = { rssBytes: residentMemory(service.pid).nowBytes, handles: openHandles(service.pid) };
    },
    async finish() {
      const grown = await growth(service, size);
      service.signal('SIGTERM');
      const late = new Promise<undefined>((resolve) =>
        setTimeout(resolve, STOP_WITHIN_MS, undefined).unref(),
      );
      const exit = await Promise.race([service.exited, late]);
      const stopped =
        exit?.code === 0 ? [] : [`The service did not stop with code 0: ${exit?.stderr ?? 'too late'}`];
      const { code, stdout, stderr } = await runCommand('verify', arena);
      return [
        ...grown,
        ...stopped,
        ...(code === 0 && !stdout.includes('belongs to no link')
          ? []
          : [`postern verify found differences: ${stdout}${stderr}`]),
        ...unparsedLines(exit?.stdout ?? ''),
        ...filesOutside(scratch).filter((entry) => !outsideBefore.includes(entry)),
        ...strangeFiles(join(data, 'files')),
      ];
    },
  };
}

async function createLinks(server: Server): Promise<Links> {
  const authorization = `Bearer ${KEY}`;
  const create = async (members: Record<string, unknown> = {}): Promise<string> =>
    shortCodeOf(
      await send(server, '/api/links', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ targetUrl: 'https://example.com/', ...members }),
      }),
    );
  const uploaded = await send(server, '/api/links/upload', {
    method: 'POST',
    headers: { authorization, ...MULTIPART_HEADERS },
    body: encodeForm([file('content')]),
  });
  return {
    plain: await create(),
    protectedLink: await create({ password: PASSWORD }),
    confirm: await create({ confirm: true }),
    limited: await create({ maxViews: 2 }),
    file: shortCodeOf(uploaded),
  };
}

/** Asserts that a link can be created and opened. */
export async function assertWorks(server: Server): Promise<void> {
  const { plain } = await createLinks(server);
  const response = await send(server, `/l/${plain}`, { headers: { accept: 'application/json' } });
  assert.equal(response.status, 200, response.text);
  assert.equal(member(json(response), 'targetUrl'), 'https://example.com/');
}

/** Returns how the service has grown. Connections that are closing and garbage get some time. */
async function growth(
  { pid }: ServiceProcess,
  before: { rssBytes: number; handles: number },
): Promise<string[]> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const rssGrowth = residentMemory(pid).nowBytes - before.rssBytes;
    const moreHandles = openHandles(pid) - before.handles;
    const problems = [
      ...(rssGrowth > MAX_GROWTH_BYTES
        ? [`Memory has grown by ${Math.round(rssGrowth / 1024 ** 2)} MiB`]
        : []),
      ...(moreHandles > MAX_MORE_HANDLES ? [`${moreHandles} more files or sockets are open`] : []),
    ];
    if (problems.length === 0 || performance.now() > deadline) return problems;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Returns the files that the service could reach and must not change, with their sizes and times. */
function filesOutside(scratch: string): string[] {
  const filesIn = (directory: string, recursive: boolean): string[] =>
    readdirSync(directory, { recursive, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return [...filesIn(scratch, true), ...filesIn(ROOT, false), ...filesIn(join(ROOT, 'src'), true)]
    .filter((path) => !path.startsWith(join(scratch, 'data/')))
    .map((path) => {
      const { size, mtimeMs } = statSync(path);
      return `${path}: ${size} bytes, ${mtimeMs}`;
    });
}

/** Returns the stored files whose names are no ids of the service. */
function strangeFiles(storage: string): string[] {
  return readdirSync(storage, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isFileId(entry.name))
    .map(({ name }) => `The storage directory has a file ${name}`);
}

/** Returns the lines of the log that are not JSON. */
function unparsedLines(log: string): string[] {
  return log.split('\n').filter((line) => {
    try {
      return line !== '' && typeof JSON.parse(line) !== 'object';
    } catch {
      return true;
    }
  });
}
