import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isFileId } from '../../src/core/model/stored-file.ts';
import { STALE_UPLOAD_MS } from '../../src/core/use-cases/files/sweep-uploads.ts';
import { readMoveMark } from '../../src/stores/move-mark.ts';
import { readKnownFiles } from '../../src/stores/sql/linked-files.ts';
import { composeMove } from '../../src/tools/commands/compose-move.ts';
import { loadMove } from '../../src/tools/commands/load-move.ts';
import { attemptOn, codeOf } from '../support/attempts.ts';
import { send, until } from '../support/http-client.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { SILENT, stocked } from '../support/moves.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startProgram } from '../support/process.ts';
import { startService, temporaryDirectory } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';
import { postgresPlace, type StorePlace, sqlitePlace } from '../support/store-places.ts';

/** Several pages, so that the move takes a while. */
const MANY_ATTEMPTS = 6_000;

const REFUSALS: [what: string, flags: (from: string, directory: string) => string[], text: RegExp][] = [
  ['the same database twice', (from) => ['--from', from, '--to', from], /the two databases are the same/],
  [
    'the same directory twice',
    (from, directory) => ['--from', from, '--files-from', directory, '--files-to', `${directory}/.`],
    /the two places of files are the same/,
  ],
  [
    'a target that cannot be reached',
    (from) => ['--from', from, '--to', 'postgres://a:sesame@127.0.0.1:1/b'],
    /^target postgres:\/\/127\.0\.0\.1:1\/b: No connection/,
  ],
  [
    'a target in a directory that cannot be created',
    (from, directory) => {
      writeFileSync(join(directory, 'file'), '');
      return ['--from', from, '--to', `sqlite:${directory}/file/below/new.db`];
    },
    /target sqlite:.*: (ENOTDIR|EEXIST)/,
  ],
  [
    'a source directory that does not exist',
    (from, directory) => [
      '--from',
      from,
      '--files-from',
      `${directory}/none`,
      '--files-to',
      `${directory}/new`,
    ],
    /^source .*none: no such directory/,
  ],
];

function move(flags: string[], env: Record<string, string> = {}) {
  return runServiceCommand(['move', ...flags], env);
}

/** Returns the error of a move that cannot begin. */
async function refusalOf(argv: string[]): Promise<string> {
  const settings = loadMove({ argv, env: {}, readFile: () => Buffer.alloc(0) });
  assert.ok(settings.ok);
  await using stores = new AsyncDisposableStack();
  return await composeMove(settings, SILENT, stores).then(
    () => assert.fail('the move begins'),
    (error: Error) => error.message,
  );
}

describe('postern move', () => {
  test('postern move copies a service with its files, and all limits stay exact', async (t) => {
    const directory = temporaryDirectory(t);
    const before = await startService(t, { directory });
    const limited = await createLink(before, { maxViews: 3 });
    const file = await uploadFile(before, 'whole content', { fileName: 'Vertrag – Müller.txt' });
    for (const code of [limited, limited, file]) await openLink(before, code);
    await before.stop();
    const to = await postgresPlace(t);

    const newDirectory = temporaryDirectory(t);
    const newFiles = join(newDirectory, 'files');
    const { code, stdout, stderr } = await move([
      ...['--from', `sqlite:${before.databasePath}`, '--to', to.url],
      ...['--files-from', before.storagePath, '--files-to', newFiles],
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Moved and verified: 2 links, 6 entries of the log\.$/m);
    assert.match(stdout, /^Moved and verified: 1 file with 13 bytes\.$/m);

    const flags = [`--app.database.url=${to.url}`, `--app.storage.path=${newFiles}`];
    const verified = await runServiceCommand(['verify', ...flags]);
    assert.equal(verified.code, 0, verified.stderr);
    const after = await startService(t, { flags: flags.slice(0, 1), directory: newDirectory });
    assert.equal((await openLink(after, file)).text, 'whole content');
    const responses = await Promise.all(Array.from({ length: 10 }, () => openLink(after, limited)));
    assert.equal(responses.filter(({ status }) => status === 302).length, 1);
    assert.equal((await send(after, '/api/stats/access/summary')).status, 200);
    await after.stop();
    assert.deepEqual((await to.recount()).differences, []);
  });

  test('a move is refused while a service runs on the source', async (t) => {
    const { databasePath, stop } = await startService(t);
    const to = join(temporaryDirectory(t), 'new.db');
    const flags = ['--from', `sqlite:${databasePath}`, '--to', `sqlite:${to}`];
    const refused = await move(flags);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /source sqlite:.*: another service or a command.* uses this database: stop it/,
    );
    assert.equal(existsSync(to), false);
    await stop();
    assert.equal((await move(flags)).code, 0);
  });

  test('a move that is interrupted says how to go on', async (t) => {
    const from = await stocked(sqlitePlace(t));
    const store = await from.openStore();
    const attempts = Array.from({ length: MANY_ATTEMPTS }, () => attemptOn(codeOf(1)));
    await Promise.all(attempts.map((attempt) => store.attempt(attempt)));
    await store.close();
    const to = sqlitePlace(t);
    const moving = startProgram(t, [
      'cli/main.ts',
      'move',
      `--from=${from.databaseUrl}`,
      `--to=${to.databaseUrl}`,
    ]);
    await until(() => isUnfinished(to));
    moving.signal('SIGTERM');
    const { code, stderr } = await moving.exited;
    assert.equal(code, 1);
    assert.match(stderr, /The move was interrupted:\n {2}- run the same command with --restart\n$/);
  });

  test('postern move says that another copy does not help where the source itself differs', async (t) => {
    const from = await stocked(sqlitePlace(t));
    await from.run(`UPDATE link SET created_at = created_at - 1 WHERE short_code = '${codeOf(3)}'`);
    const { code, stderr } = await move(['--from', from.databaseUrl, '--to', sqlitePlace(t).databaseUrl]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^The copy equals the source, but verifying it found 1 difference,.*`postern verify`/m,
    );
    assert.match(stderr, /L0000003: the link was created at/);
    assert.doesNotMatch(stderr, /--restart/);
  });

  test('postern move takes the places from the environment, and shows no password', async (t) => {
    const from = await stocked(sqlitePlace(t));
    const to = await postgresPlace(t);
    const secret = join(temporaryDirectory(t), 'url');
    const wrong = to.url.replace(':postgres@', ':open%20sesame@');
    writeFileSync(secret, `${wrong}\n`);
    const env = { MOVE_FROM: from.databaseUrl, MOVE_TO_FILE: secret };
    const refused = await move([], env);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /target postgres:.*password authentication failed/);
    assert.doesNotMatch(refused.stdout + refused.stderr, /sesame/);
    writeFileSync(secret, to.url);
    const moved = await move([], env);
    assert.equal(moved.code, 0, moved.stderr);
    assert.doesNotMatch(moved.stdout + moved.stderr, /postgres:postgres/);
  });

  test('files are copied while the service runs, and moved although they were replaced and passed on since', async (t) => {
    const directory = temporaryDirectory(t);
    const KEY = 'k'.repeat(40);
    const service = await startService(t, { directory, flags: [`--app.access.initial-key=${KEY}`] });
    const authorization = `Bearer ${KEY}`;
    const [replaced, passedOn] = [await uploadFile(service, 'old'), await uploadFile(service, 'passed on')];
    for (const code of [replaced, passedOn]) await openLink(service, code);
    const from = sqlitePlace(t, service.databasePath);
    const changed = await send(service, `/api/links/${passedOn}/short-code`, {
      ...{ method: 'POST', body: '{}' },
      headers: { authorization, 'content-type': 'application/json' },
    });
    assert.equal(changed.status, 200, changed.text);
    const { linkedFiles } = await from.read(({ query }) => readKnownFiles(query));
    assert.deepEqual(
      linkedFiles.map(({ fileId }) => isFileId(fileId)),
      [true, true],
    );

    const target = join(temporaryDirectory(t), 'files');
    const places = ['--files-from', service.storagePath, '--files-to', target];
    const first = await move(['--from', from.databaseUrl, ...places]);
    assert.equal(first.code, 0, first.stderr);
    const response = await send(service, `/api/links/${replaced}/file`, {
      ...{ method: 'PUT', body: encodeForm([file('new')]) },
      headers: { authorization, ...MULTIPART_HEADERS },
    });
    assert.equal(response.status, 200, response.text);
    service.clock.now += STALE_UPLOAD_MS + 1;
    await service.startJobs(); // removes the old file from the source
    await service.stop();
    const to = sqlitePlace(t);
    const second = await move(['--from', from.databaseUrl, '--to', to.databaseUrl, ...places]);
    assert.equal(second.code, 0, second.stderr);
    assert.match(
      second.stdout,
      /^Moved and verified: 2 files with 12 bytes\.\nFiles in the target .*: 1\. They stay/m,
    );
    const flags = [`--app.database.url=${to.databaseUrl}`, `--app.storage.path=${target}`];
    assert.equal((await runServiceCommand(['verify', '--read-files', ...flags])).code, 0);
  });

  test('postern move copies links whose files are missing, and lists them', async (t) => {
    const from = await stocked(sqlitePlace(t));
    const [files, target] = [temporaryDirectory(t), temporaryDirectory(t)];
    const to = sqlitePlace(t);
    const flags = [
      '--from',
      from.databaseUrl,
      '--to',
      to.databaseUrl,
      '--files-from',
      files,
      '--files-to',
      target,
    ];
    const { code, stdout, stderr } = await move(flags);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^The source has no whole file for 2 links/m);
    assert.match(stdout, /of link L0000020 is missing in the source/);
  });

  describe('refuses', () => {
    for (const [what, makeFlags, text] of REFUSALS) {
      test(what, async (t) => {
        const from = await stocked(sqlitePlace(t));
        const before = await from.dump();
        assert.match(await refusalOf(makeFlags(from.databaseUrl, temporaryDirectory(t))), text);
        assert.deepEqual(await from.dump(), before);
      });
    }

    test('a source that does not exist, and creates none', async (t) => {
      const directory = temporaryDirectory(t);
      const flags = [`--from=sqlite:${directory}/none.db`, `--to=sqlite:${directory}/new.db`];
      assert.match(await refusalOf(flags), /source sqlite:.*none\.db: there is no store at/);
      assert.deepEqual(readdirSync(directory), []);
    });

    test('a source that is a half-moved store', async (t) => {
      const [from, to] = [sqlitePlace(t), sqlitePlace(t)];
      await (await from.openStore()).close();
      await from.run(`INSERT INTO move_mark VALUES (1, 'from elsewhere', '{}', NULL)`);
      assert.match(
        await refusalOf(['--from', from.databaseUrl, '--to', to.databaseUrl]),
        /^source sqlite:.*: A move into this store is unfinished/,
      );
      assert.ok(!existsSync(to.path));
    });
  });
});

/** Returns whether there is a store with the mark of an unfinished move. */
async function isUnfinished(to: StorePlace): Promise<boolean> {
  const reading = to.read(({ query }) => readMoveMark(query));
  return (await reading.catch(() => null))?.finishedAt === null;
}
