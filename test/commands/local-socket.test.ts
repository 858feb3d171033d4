import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, chownSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteMoveTarget } from '../../src/stores/sqlite/open-move.ts';
import { freePort, startProgram, startServiceProcess } from '../support/process.ts';
import { startService, temporaryDirectory } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';

const listKeys = (databasePath: string) =>
  runServiceCommand(['keys', 'list', `--app.database.url=sqlite:${databasePath}`]);

/** Starts a service in this process, and returns how to run `postern keys list` on its database. */
async function serviceWithKeys(t: TestContext, directory = temporaryDirectory(t)) {
  const service = await startService(t, { directory });
  const socket = `${service.databasePath}-socket`;
  return { service, socket, list: () => listKeys(service.databasePath) };
}

describe('the local socket of a service on SQLite', () => {
  test('only the user of the service may connect, under any umask', async (t) => {
    const umask = process.umask(0);
    t.after(() => process.umask(umask));
    const { socket } = await serviceWithKeys(t);
    const stats = lstatSync(socket);
    assert.deepEqual([stats.isSocket(), (stats.mode & 0o777).toString(8)], [true, '600']);
    assert.equal(stats.uid, process.getuid?.());
    assert.equal(process.umask(), 0, 'other files keep their rights');
  });

  test('curl can use the local socket without a key, and histories name the socket as the author', async (t) => {
    const { socket } = await serviceWithKeys(t);
    async function send(method: string, path: string, body?: object, headers = {}) {
      const sent = request({
        ...{ socketPath: socket, method, path },
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      });
      sent.end(body && JSON.stringify(body));
      const [response] = await once(sent, 'response');
      return { status: response.statusCode, text: await text(response) };
    }
    const created = await send('POST', '/api/keys', { name: 'ci', scopes: ['read'] });
    assert.equal(created.status, 201);
    const link = await send('POST', '/api/links', { targetUrl: 'https://example.com/' });
    const { shortCode } = JSON.parse(link.text);
    assert.match((await send('GET', `/api/links/${shortCode}/history`)).text, /"COMMAND","name":"socket"/);
    assert.equal((await send('GET', `/l/${shortCode}`)).status, 404, 'it opens no link');
    const foreign = { host: 'elsewhere.example', 'x-postern-command': '../x' };
    assert.equal((await send('GET', '/api/keys', undefined, foreign)).status, 200);
  });

  test('the local socket is gone after a stop, and one that a kill left is replaced', async (t) => {
    const directory = temporaryDirectory(t);
    const { service, socket } = await serviceWithKeys(t, directory);
    await service.stop();
    assert.equal(lstatSync(socket, { throwIfNoEntry: false }), undefined);
    const process = await startServiceProcess(t, directory);
    process.signal('SIGKILL');
    await process.exited;
    assert.ok(lstatSync(socket).isSocket());
    const { list } = await serviceWithKeys(t, directory);
    assert.equal((await list()).code, 0);
  });

  test('a command works beside a socket that a kill left', async (t) => {
    const directory = temporaryDirectory(t);
    const process = await startServiceProcess(t, directory);
    process.signal('SIGKILL');
    await process.exited;
    const { code, stdout } = await listKeys(join(directory, 'postern.db'));
    assert.deepEqual([code, /^There are no keys/.test(stdout)], [0, true]);
  });

  for (const [what, put] of [
    ['a file', (path: string) => writeFileSync(path, 'precious')],
    ['a directory', (path: string) => mkdirSync(path)],
    ['a symbolic link', (path: string) => symlinkSync('elsewhere', path)],
  ] as const) {
    test(`${what} in the place of the socket stays, is a warning, and no command sends it anything`, async (t) => {
      const directory = temporaryDirectory(t);
      await (await startService(t, { directory })).stop();
      const socket = join(directory, 'postern.db-socket');
      put(socket);
      const process = await startServiceProcess(t, directory);
      const warning =
        /service_warning.*postern\.db-socket: it is no socket; remove it|postern\.db-socket: it is no socket; remove it.*service_warning/;
      await process.waitForOutput(({ stdout }) => warning.test(stdout));
      const { stderr } = await listKeys(join(directory, 'postern.db'));
      assert.match(stderr, /-socket: it is no socket; stop the service, remove it, and start/);
      process.signal('SIGTERM');
      await process.exited;
      assert.ok(!lstatSync(socket).isSocket());
    });
  }

  test('a socket of another user gets no request', {
    skip: process.getuid?.() !== 0 && 'needs root, to create a file of another user',
  }, async (t) => {
    const directory = temporaryDirectory(t);
    await (await startService(t, { directory })).stop();
    const socket = join(directory, 'postern.db-socket');
    let requests = 0;
    const server = createServer(() => requests++).listen(socket);
    t.after(() => server.close());
    await once(server, 'listening');
    chmodSync(socket, 0o777);
    chownSync(socket, 65534, 65534);
    const { code, stderr } = await listKeys(join(directory, 'postern.db'));
    assert.deepEqual([code, requests], [1, 0]);
    assert.match(stderr, /it belongs to the user 65534, the database to 0; find out who created it/);
  });

  test('a user who may not connect is asked to be the user of the service', {
    skip: process.getuid?.() !== 0 && 'needs root, to run a command as another user',
  }, async (t) => {
    const { service } = await serviceWithKeys(t);
    chmodSync(service.databasePath, 0o644); // it may read the database, and no more
    chmodSync(join(service.databasePath, '..'), 0o755);
    const leaveRoot = `import { isMainThread } from 'node:worker_threads';
      if (isMainThread) process.setuid(65534);`;
    const { code, stderr } = await startProgram(t, [
      `--import=data:text/javascript,${encodeURIComponent(leaveRoot)}`,
      ...['cli/main.ts', 'keys', 'list', `--app.database.url=sqlite:${service.databasePath}`],
    ]).exited;
    assert.equal(code, 1);
    assert.match(stderr, /EACCES.*; run the command as the user of the service/);
  });

  test('the socket stays that of the first of two services on one database', async (t) => {
    const { service, list } = await serviceWithKeys(t);
    const flags = [`--app.database.url=sqlite:${service.databasePath}`, `--server.port=${await freePort()}`];
    const second = await startProgram(t, ['cli/main.ts', 'serve', ...flags]).exited;
    assert.match(second.stderr, /another service or a command.* uses this database/);
    assert.equal((await list()).code, 0);
  });

  test('a path that is too long for a socket is a warning, and commands need the service stopped', async (t) => {
    const directory = join(temporaryDirectory(t), 'd'.repeat(100));
    mkdirSync(directory);
    const service = await startService(t, { directory });
    const [warning = ''] = await service.listenLocally();
    assert.match(warning, /cannot reach this service.*the path of a socket has at most 10\d bytes/);
    await service.stop();
    assert.equal((await listKeys(service.databasePath)).code, 0);
  });

  test('a command waits for a service that starts, and reaches it', async (t) => {
    const { service, list } = await serviceWithKeys(t);
    await new Promise((resolve) => service.localServer.close(resolve));
    const listing = list();
    await pause(500); // it finds the lock, and no socket
    await service.listenLocally();
    assert.equal((await listing).code, 0);
  });

  test('a command says that a service does not respond', async (t) => {
    const directory = temporaryDirectory(t);
    const process = await startServiceProcess(t, directory);
    process.signal('SIGSTOP');
    const flags = [`--app.database.url=sqlite:${join(directory, 'postern.db')}`];
    const listing = startProgram(t, ['cli/main.ts', 'keys', 'list', ...flags]);
    await listing.waitForOutput(({ stderr }) => /has not responded yet\. Waiting/.test(stderr));
    process.signal('SIGCONT');
    assert.equal((await listing.exited).code, 0);
  });

  test('root leaves nothing in the database of another user', {
    skip: process.getuid?.() !== 0 && 'needs root',
  }, async (t) => {
    const directory = temporaryDirectory(t);
    await (await startService(t, { directory })).stop();
    const path = join(directory, 'postern.db');
    chownSync(path, 65534, 65534);
    const { code, stderr } = await listKeys(path);
    assert.equal(code, 1);
    assert.match(stderr, /it belongs to the user 65534; run the command as that user/);
  });

  test('a move into the database of a running service is refused', async (t) => {
    const { service } = await serviceWithKeys(t);
    await assert.rejects(
      openSqliteMoveTarget(service.databasePath),
      /another service or a command, .*, uses this database/,
    );
  });

  test('a database below a symbolic link has one socket', async (t) => {
    const directory = temporaryDirectory(t);
    const { service } = await serviceWithKeys(t, join(directory, 'real'));
    symlinkSync(join(directory, 'real'), join(directory, 'link'));
    const flags = [`--app.database.url=sqlite:${join(directory, 'link', 'postern.db')}`];
    assert.equal((await runServiceCommand(['keys', 'create', 'ci', '--scopes=read', ...flags])).code, 0);
    assert.equal((await service.stores.store.keys.listKeys()).length, 1);
  });
});
