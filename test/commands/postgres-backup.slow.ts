import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { assertResponsesAreRecorded } from '../support/audit-consistency.ts';
import { fencedBlocks, ROOT, readProjectFile, sectionOf } from '../support/documents.ts';
import { type Server, until } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { startLoad } from '../support/load.ts';
import { readAudit } from '../support/postgres-harness.ts';
import { openSchema } from '../support/postgres-server.ts';
import { type Exit, freePort, startCommand, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';

/** Where Debian installs each version of PostgreSQL. */
const VERSIONS = '/usr/lib/postgresql';
const [PROGRAMS] = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
  .map((version) => join(VERSIONS, version, 'bin'))
  .filter((directory) => existsSync(join(directory, 'initdb')));
const SUPERUSER = 'postgres';
const LOSSES = 4;

/** The documented commands of a backup, and those of a restore. */
const [BACKUP = [], RESTORE = []] = fencedBlocks(
  sectionOf(readProjectFile('docs/operations/backup.md'), 'PostgreSQL'),
  'sh',
).map(({ text }) => text.trimEnd().split('\n'));

/** Starts a server with the user `postern`, who owns two empty databases. Returns the URL of each. */
async function startServer(t: TestContext, programs: string): Promise<[string, string]> {
  // Hooks run in their order: before the directory is removed.
  t.after(() => run('pg_ctl', '--pgdata', data, '--mode', 'immediate', 'stop'));
  const directory = temporaryDirectory(t);
  const data = join(directory, 'data');
  const idOf = (option: string) => Number(execFileSync('id', [option, SUPERUSER]));
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  chmodSync(directory, 0o711);
  mkdirSync(data);
  if (user) chownSync(data, user.uid, user.gid);
  function run(program: string, ...args: string[]): void {
    execFileSync(join(programs, program), args, { ...user, cwd: data, stdio: 'ignore' });
  }
  const port = await freePort();
  const host = '127.0.0.1';
  run(
    'initdb',
    '--pgdata',
    data,
    '--username',
    SUPERUSER,
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--no-sync',
  );
  const options = `-p ${port} -c listen_addresses=${host} -c unix_socket_directories=`;
  run('pg_ctl', '--pgdata', data, '--log', join(data, 'log'), '--options', options, '--wait', 'start');
  const place = [`--host=${host}`, `--port=${port}`, `--username=${SUPERUSER}`];
  run('createuser', ...place, 'postern');
  const create = (name: string): string => {
    run('createdb', ...place, '--owner=postern', name);
    return `postgres://postern@${host}:${port}/${name}`;
  };
  return [create('postern'), create('restored')];
}

/** Uploads files until the service ends. */
async function upload(service: Server, files: Map<string, Buffer>): Promise<void> {
  for (;;) {
    const content = randomBytes(20_000);
    try {
      files.set(await uploadFile(service, content), content);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error; // another response
      return;
    }
  }
}

test('the documented commands back PostgreSQL up under load, and restore it', {
  skip: PROGRAMS === undefined && 'needs the server of PostgreSQL',
  timeout: 240_000,
}, async (t) => {
  const [url, restoredUrl] = await startServer(t, PROGRAMS ?? '');
  const backups = temporaryDirectory(t);
  /** Runs a documented command on a database and a directory of files. */
  const run = (command: string, databaseUrl: string, storage: string): Promise<Exit> => {
    const script = `postern() { "$POSTERN/bin/postern" "$@"; }\n${command.replaceAll('/var/backups', backups)}`;
    const PATH = [PROGRAMS, process.env['PATH']].join(delimiter);
    const env = { POSTERN: ROOT, PATH, APP_DATABASE_URL: databaseUrl, APP_STORAGE_PATH: storage };
    return startCommand(t, ['bash', '-c', script], { env }).exited;
  };
  async function succeed(command: string, ...place: [string, string]): Promise<Exit> {
    const exit = await run(command, ...place);
    assert.equal(exit.code, 0, `${command}: ${exit.stderr}`);
    return exit;
  }

  const service = await startServiceProcess(t, temporaryDirectory(t), { databaseUrl: url });
  const codes = await Promise.all([5, undefined].map((maxViews) => createLink(service, { maxViews })));
  const files = new Map<string, Buffer>();
  const uploading = upload(service, files);
  let requests = 0;
  const load = startLoad(service, 3, () => {
    const all = [...codes, ...files.keys()];
    return { shortCode: all[requests++ % all.length] ?? '' };
  });
  await load.waitForResponses(200);
  const filesBefore = new Map(files);
  const sentBefore = load.sent.filter(({ response }) => response !== undefined);
  for (const command of BACKUP) {
    await succeed(command, url, service.storagePath);
    const { size } = files;
    await until(() => files.size > size + 1); // uploaded between the commands
  }
  service.signal('SIGTERM');
  await Promise.all([service.exited, uploading, load.ended]);

  const restored = temporaryDirectory(t);
  const storage = join(restored, 'files');
  const printed: string[] = [];
  for (const command of RESTORE) printed.push((await succeed(command, restoredUrl, storage)).stdout);
  assert.match(
    printed.join(''),
    /^Files of the backup that no link of the database has, and that were not restored: [1-9]\d*\.$/m,
  );
  assert.match(
    (await succeed('postern verify --read-files', restoredUrl, storage)).stdout,
    /complete and unchanged/,
  );
  const schema = openSchema(restoredUrl, 'public');
  assertResponsesAreRecorded(sentBefore, await readAudit(schema));
  await schema.close();
  const again = await startServiceProcess(t, restored, { databaseUrl: restoredUrl });
  for (const [shortCode, content] of filesBefore)
    assert.ok((await openLink(again, shortCode)).body.equals(content), shortCode);
  again.signal('SIGTERM');
  await again.exited;

  await t.test('a file that the backup lost is a loss, with another exit code', async () => {
    const [name = ''] = readdirSync(join(backups, 'postern/files'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /^..\/..\/.*[0-9a-f-]{36}$/.test(path))
      .filter((path) => existsSync(join(storage, path)));
    rmSync(join(backups, 'postern/files', name));
    const [restoreFiles = ''] = RESTORE.slice(-1);
    const { code, stderr } = await run(restoreFiles, restoredUrl, join(temporaryDirectory(t), 'files'));
    assert.equal(code, LOSSES, stderr);
    assert.match(stderr, /something is lost or damaged:\n {2}- file [0-9a-f-]{36} of link \w{8} is missing/);
  });
});
