import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { createFilesystemStore } from '../../src/adapters/files/filesystem.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { STALE_UPLOAD_MS } from '../../src/core/use-cases/files/sweep-uploads.ts';
import { openPostgresStore } from '../../src/stores/postgres/open-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { openBackupFolder, readBackupFolder } from '../../src/tools/copy/backup-folder.ts';
import { json, member, type Server, send, until } from '../support/http-client.ts';
import { countRows, createLink, openLink, storedFileOf, uploadFile } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { startOwnServer } from '../support/own-postgres.ts';
import { pluck } from '../support/pluck.ts';
import { postgresOptions } from '../support/postgres-options.ts';
import { type Running, startCommand, startProgram, startServiceProcess } from '../support/process.ts';
import { scrape } from '../support/prometheus.ts';
import { CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { startService, type TestService, temporaryDirectory, testClock } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';
import { holdLock } from '../support/sqlite-lock.ts';

const LOSSES = 4;

/** The flags of a service with its data in a directory. */
const flagsOf = (directory: string): string[] => [
  `--app.database.url=sqlite:${join(directory, 'postern.db')}`,
  `--app.storage.path=${join(directory, 'files')}`,
];

function start(t: TestContext, command: 'backup' | 'restore', ...args: string[]): Running {
  return startProgram(t, ['cli/start.js', command, ...args], CREDENTIALS);
}

const run = (command: 'backup' | 'restore' | 'verify', ...args: string[]) =>
  runServiceCommand([command, ...args], CREDENTIALS);

async function succeed(...args: Parameters<typeof run>): ReturnType<typeof run> {
  const exit = await run(...args);
  assert.equal(exit.code, 0, exit.stderr);
  return exit;
}

const backupsIn = (folder: string): Promise<string[]> => readBackupFolder(folder).listBackups();

async function newestIn(folder: string): Promise<string> {
  return join(folder, 'backups', (await backupsIn(folder)).at(-1) ?? 'none');
}

type Stocked = TestService & {
  directory: string;
  flags: string[];
  files: Map<string, Buffer>;
  folder: string;
};

/** Starts a service with three files and a link to a URL. `folder`: for its backups. */
async function startStocked(t: TestContext): Promise<Stocked> {
  const directory = temporaryDirectory(t);
  const service = await startService(t, { directory, clock: testClock(Date.now()) });
  const files = new Map<string, Buffer>();
  for (const bytes of [1, 70_000, 300_000]) {
    const content = randomBytes(bytes);
    files.set(await uploadFile(service, content), content);
  }
  await createLink(service);
  return {
    ...service,
    directory,
    files,
    flags: flagsOf(directory),
    folder: join(temporaryDirectory(t), 'backups'),
  };
}

async function startBackedUp(t: TestContext): Promise<Stocked> {
  const service = await startStocked(t);
  await succeed('backup', service.folder, ...service.flags);
  return service;
}

/** Asserts that a service on restored data sends every file. */
async function assertServes(t: TestContext, directory: string, files: Map<string, Buffer>): Promise<void> {
  const service = await startService(t, { directory, clock: testClock(Date.now()) });
  for (const [shortCode, content] of files) {
    const response = await openLink(service, shortCode);
    assert.deepEqual([response.status, content.equals(response.body)], [200, true], shortCode);
  }
  await service.stop();
}

describe('postern backup and postern restore', { concurrency: 2 }, () => {
  test('a backup copies each file once, and a restore of it serves every link', async (t) => {
    const service = await startStocked(t);
    const { folder } = service;
    const first = await succeed('backup', folder, ...service.flags);
    assert.match(
      first.stdout,
      /^Backed up sqlite:.* and the files of .*\nFiles: 3, of them copied: 3 with 0\.4 MB/,
    );
    const later = randomBytes(1_000);
    service.files.set(await uploadFile(service, later), later);
    const second = await succeed('backup', folder, ...service.flags);
    assert.match(second.stdout, /^Files: 4, of them copied: 1 with 0\.0 MB/m);
    const target = temporaryDirectory(t);
    const restored = await succeed('restore', folder, ...flagsOf(target));
    assert.match(restored.stdout, /^Restored the backup \S+ to sqlite:.*\n$/);
    await succeed('verify', '--read-files', ...flagsOf(target));
    await assertServes(t, target, service.files);
    assert.equal(statSync(join(target, 'postern.db')).mode & 0o777, 0o600);
  });

  test('an older backup is restored by its name, and later files stay in the folder', async (t) => {
    const service = await startBackedUp(t);
    const { folder } = service;
    const later = await uploadFile(service);
    await succeed('backup', folder, ...service.flags);
    const [older = ''] = await backupsIn(folder);
    const target = temporaryDirectory(t);
    await succeed('restore', folder, `--backup=${older}`, ...flagsOf(target));
    await assertServes(t, target, service.files);
    assert.ok(!existsSync(storedFileOf(service, later).replace(service.directory, target)));
    const missing = await run('restore', folder, '--backup=2020', ...flagsOf(temporaryDirectory(t)));
    assert.match(missing.stderr, /has no complete backup 2020; the newest is /);
  });

  test('--keep removes old backups, and the files that only they have', async (t) => {
    const service = await startStocked(t);
    const { folder } = service;
    const pool = createFilesystemStore({ directory: join(folder, 'files') });
    await succeed('backup', folder, ...service.flags);
    const unneeded = randomUUID(); // such as a file that an interrupted backup left
    await storeFile(pool, unneeded, Readable.from([Buffer.from('x')]));
    await succeed('backup', folder, ...service.flags);
    const kept = await succeed('backup', folder, '--keep=1', ...service.flags);
    assert.match(kept.stdout, /^Removed older backups: 2\.$/m);
    assert.equal((await backupsIn(folder)).length, 1);
    const stored = (await Array.fromAsync(pool.list())).map(({ fileId }) => fileId);
    assert.deepEqual([stored.length, stored.includes(unneeded)], [3, false]);
    const target = temporaryDirectory(t);
    await succeed('restore', folder, ...flagsOf(target));
    await assertServes(t, target, service.files);
  });

  test('a backup after which --keep fails is complete, and says so', async (t) => {
    const service = await startBackedUp(t);
    const { folder } = service;
    const older = await newestIn(folder);
    await succeed('backup', folder, ...service.flags);
    writeFileSync(join(older, 'manifest.ndjson'), 'damaged');
    const { code, stdout, stderr } = await run('backup', folder, '--keep=3', ...service.flags);
    assert.equal(code, 4);
    assert.match(stdout, /^Backed up /);
    assert.match(stderr, /^The backup is complete, but something failed:\n.*--keep removes.*manifest/m);
    assert.equal((await backupsIn(folder)).length, 3);
  });

  test('a backup that is older than the newest one by the clock is refused before it copies', async (t) => {
    const service = await startBackedUp(t);
    const { folder } = service;
    const ahead = join(folder, 'backups/2999-01-01T00-00-00.000Z');
    renameSync(await newestIn(folder), ahead);
    const { code, stderr } = await run('backup', folder, '--keep=1', ...service.flags);
    assert.deepEqual([code, stderr.includes(`the clock is behind the newest backup ${ahead}`)], [1, true]);
    assert.deepEqual(
      readdirSync(join(folder, 'backups')).filter((name) => name === 'unfinished'),
      [],
    );
    renameSync(ahead, ahead.replace('2999', '2020'));
    await succeed('backup', folder, '--keep=1', ...service.flags);
    assert.equal((await backupsIn(folder)).length, 1);
  });

  test('--keep without files removes older backups, but none with files', async (t) => {
    const service = await startStocked(t);
    const [folder, withFiles] = [join(temporaryDirectory(t), 'one'), join(temporaryDirectory(t), 'two')];
    const backUp = (to: string) => run('backup', to, '--without-files', '--keep=1', ...service.flags);
    assert.deepEqual([(await backUp(folder)).code, (await backUp(folder)).code], [0, 0]);
    assert.equal((await backupsIn(folder)).length, 1);
    await succeed('backup', withFiles, ...service.flags);
    const { code, stderr } = await backUp(withFiles);
    assert.deepEqual([code, /would remove backups with files/.test(stderr)], [1, true]);
    const withoutFiles = await succeed('backup', withFiles, '--without-files', ...service.flags);
    assert.match(withoutFiles.stdout, /^Files: 0, of them copied: 0 /m);
    const [older = ''] = await backupsIn(withFiles);
    await succeed('restore', withFiles, `--backup=${older}`, ...flagsOf(temporaryDirectory(t)));
  });

  test('a backup that the database cannot record is complete, and says so', async (t) => {
    const service = await startBackedUp(t);
    const { folder } = service;
    await service.stop();
    const lock = await holdLock(t, service.databasePath);
    const { stdout } = await succeed('backup', folder, '--keep=1', ...service.flags);
    await lock.release();
    assert.match(stdout, /^Removed older backups: 1\.\nNote: health does not show this backup: ./m);
  });

  test('a backup of a storage that is not there copies nothing', async (t) => {
    const service = await startStocked(t);
    const { folder } = service;
    rmSync(service.storagePath, { recursive: true });
    const { code, stderr } = await run('backup', folder, ...service.flags);
    assert.deepEqual([code, /there is no such directory/.test(stderr)], [1, true]);
    assert.deepEqual(
      [stderr.includes('copy database'), existsSync(join(folder, 'backups/unfinished'))],
      [false, false],
    );
  });

  test('health and metrics have the age of the last backup', async (t) => {
    const service = await startStocked(t);
    const ageOf = async () =>
      (await scrape(service)).find(({ name }) => name === 'secure_link_backup_age_seconds')?.value;
    const lastBackupOf = async () => {
      const { components } = json(await send(service, '/actuator/health')) as {
        components: { database: { details: object } };
      };
      return member(components.database.details, 'lastBackup');
    };
    assert.deepEqual([await ageOf(), await lastBackupOf()], [undefined, undefined]);
    const begunAt = Date.now();
    service.clock.now = begunAt + 60_000; // the command has a clock of its own
    await succeed('backup', join(temporaryDirectory(t), 'backups'), ...service.flags);
    const recordedAt = Date.parse(String(await lastBackupOf()));
    assert.ok(recordedAt >= begunAt && recordedAt <= Date.now());
    service.clock.now = recordedAt + 90_000;
    assert.equal(await ageOf(), 90);
  });

  test('a restore refuses a place that is not empty, and changes nothing there', async (t) => {
    const service = await startBackedUp(t);
    const { folder } = service;
    const occupied = await run('restore', folder, ...service.flags);
    assert.equal(occupied.code, 1);
    assert.match(occupied.stderr, /^Nothing was restored:\n.*there is a store already; name an empty place/);
    const target = temporaryDirectory(t);
    const files = createFilesystemStore({ directory: join(target, 'files') });
    mkdirSync(join(target, 'files'));
    const foreign = randomUUID();
    await storeFile(files, foreign, Readable.from([Buffer.from('of another service')]));
    const refused = await run('restore', folder, ...flagsOf(target));
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`is not empty: it holds file ${foreign}`));
    assert.deepEqual(pluck(await Array.fromAsync(files.list()), 'fileId'), [foreign]);
    assert.ok(!existsSync(join(target, 'postern.db')));
  });

  test('a restore does not replace a database that appears meanwhile', async (t) => {
    const server = await startS3Server();
    t.after(() => server.stop());
    const service = await startBackedUp(t);
    const { folder } = service;
    const path = join(temporaryDirectory(t), 'postern.db');
    const [url, endpoint = ''] = server.flags;
    server.failNext('PutObject', { kind: 'hang' }); // which is tried again after the time limit
    const flags = [
      `--app.database.url=sqlite:${path}`,
      `${url}/restored`,
      endpoint,
      '--app.storage.timeout=PT10S',
    ];
    const restoring = run('restore', folder, ...flags);
    await until(() => server.requests().includes('PutObject'));
    cpSync(service.databasePath, path);
    const appeared = readFileSync(path);
    const { code, stderr } = await restoring;
    assert.deepEqual([code, /there is a store already/.test(stderr)], [1, true], stderr);
    assert.ok(readFileSync(path).equals(appeared));
  });

  test('a restore names what is damaged: a database ends it, lost files get another exit code', async (t) => {
    const service = await startBackedUp(t);
    const { folder } = service;
    const pathInFolder = (code: string) => storedFileOf(service, code).replace(service.directory, folder);
    const [, damaged = '', lost = ''] = [...service.files.keys()];
    flipByte(pathInFolder(damaged));
    rmSync(pathInFolder(lost));
    const target = temporaryDirectory(t);
    const restored = await run('restore', folder, ...flagsOf(target));
    assert.equal(restored.code, LOSSES);
    assert.match(restored.stderr, /^What the backup has is restored, but something is lost or damaged:\n/m);
    for (const [code, what] of [
      [damaged, 'has other bytes than were uploaded'],
      [lost, 'is missing'],
    ])
      assert.match(restored.stderr, new RegExp(`^  - file \\S+ of link ${code} ${what} in the source$`, 'm'));
    service.files.delete(damaged);
    service.files.delete(lost);
    await assertServes(t, target, service.files);

    const database = join(await newestIn(folder), 'postern.db');
    flipByte(database);
    const refused = await run('restore', folder, ...flagsOf(temporaryDirectory(t)));
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, new RegExp(`${basename(database)} is damaged: it has another SHA-256`));
    writeFileSync(join(await newestIn(folder), 'manifest.ndjson'), '{"format":1');
    const unreadable = await run('restore', folder, ...flagsOf(temporaryDirectory(t)));
    assert.match(unreadable.stderr, /the manifest .*manifest\.ndjson cannot be used .*choose another backup/);
  });

  test('a backup of a storage that lacks a file is complete, and says so', async (t) => {
    const service = await startStocked(t);
    const { folder } = service;
    const [lost = ''] = service.files.keys();
    rmSync(storedFileOf(service, lost));
    const { code, stderr } = await run('backup', folder, ...service.flags);
    assert.equal(code, LOSSES);
    assert.match(stderr, new RegExp(`^  - file \\S+ of link ${lost} is missing in the storage$`, 'm'));
    assert.equal((await backupsIn(folder)).length, 1);
  });

  test('a backup without files, and a restore of it, compare the database with the files in place', async (t) => {
    const service = await startStocked(t);
    const { folder } = service;
    await succeed('backup', folder, '--without-files', ...service.flags);
    await uploadFile(service, 'later');
    await service.stop();
    const target = temporaryDirectory(t);
    cpSync(service.storagePath, join(target, 'files'), { recursive: true });
    const { stdout } = await succeed('restore', folder, '--without-files', ...flagsOf(target));
    assert.match(stdout, /^Note: file \S+ belongs to no link$/m);
    await assertServes(t, target, service.files);
  });
});

function flipByte(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  writeFileSync(path, bytes);
}

/** Returns a file whose passphrase is checked in a millisecond instead of a second. */
function encryptCheaply(passphrase: string): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(8);
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt('an identity');
}

describe('an encrypted backup', { concurrency: 2 }, () => {
  test('the programs of age decrypt an encrypted backup', {
    skip: spawnSync('age', ['--version']).error && 'no age',
  }, async (t) => {
    const service = await startStocked(t);
    const directory = temporaryDirectory(t);
    const folder = join(directory, 'backups');
    const key = join(directory, 'key.txt');
    execFileSync('age-keygen', ['-o', key], { stdio: 'ignore' });
    const recipient = execFileSync('age-keygen', ['-y', key], { encoding: 'utf8' }).trim();
    await succeed('backup', folder, `--recipient=${recipient}`, ...service.flags);
    const decrypt = (path: string): Buffer =>
      execFileSync('age', ['--decrypt', '-i', key, path], { maxBuffer: 1e9 });
    for (const [shortCode, content] of service.files) {
      const stored = storedFileOf(service, shortCode).replace(service.directory, folder);
      assert.ok(decrypt(stored).equals(content), shortCode);
      assert.ok(content.length < 100 || !readFileSync(stored).includes(content.subarray(0, 100)));
    }
    const database = decrypt(join(await newestIn(folder), 'postern.db.age'));
    assert.equal(database.subarray(0, 15).toString(), 'SQLite format 3');
    assert.deepEqual(
      readdirSync(service.directory).filter((name) => name.includes('backup')),
      [],
    );
  });

  test('the plain copy of an encrypted backup has a name for each folder, and the next backup removes that of a killed one', async (t) => {
    const service = await startStocked(t);
    const recipient = `--recipient=${await identityToRecipient(await generateX25519Identity())}`;
    const folders = [join(temporaryDirectory(t), 'one'), join(temporaryDirectory(t), 'two')] as const;
    const copies = new Set<string>();
    const watcher = watch(service.directory, (_, name) => {
      if (/-backup(-\w+)?$/.test(String(name))) copies.add(String(name));
    });
    t.after(() => watcher.close());
    for (const folder of folders) await succeed('backup', folder, recipient, ...service.flags);
    await until(() => copies.size === 2); // the watcher reports after the end of the command
    const left = () => [...copies].filter((name) => existsSync(join(service.directory, name)));
    assert.deepEqual(left(), []);
    const [, ofTwo] = copies;
    for (const name of copies) writeFileSync(join(service.directory, name), 'left by a kill');
    await succeed('backup', folders[0], recipient, ...service.flags);
    assert.deepEqual(left(), [ofTwo]);
  });

  test('an encrypted backup is restored with its identity, and with no other', async (t) => {
    const service = await startStocked(t);
    const directory = temporaryDirectory(t);
    const folder = join(directory, 'backups');
    const identity = await generateX25519Identity();
    const [key, other] = [join(directory, 'key.txt'), join(directory, 'other.txt')];
    writeFileSync(key, `# created: 2026-11-22\n${identity}\n`);
    writeFileSync(other, await generateX25519Identity());
    await succeed('backup', folder, `--recipient=${await identityToRecipient(identity)}`, ...service.flags);
    await succeed('backup', folder, ...service.flags); // for the same recipient
    assert.ok(existsSync(join(await newestIn(folder), 'postern.db.age')));
    const target = temporaryDirectory(t);
    for (const [flags, reason] of [
      [[], /it is encrypted; name the key in --identity-file/],
      [[`--identity-file=${other}`], /postern\.db\.age cannot be read: no identity matched/],
      [[`--passphrase-file=${other}`], /encrypted for a recipient, not with a passphrase/],
    ] as const) {
      const { code, stderr } = await run('restore', folder, ...flags, ...flagsOf(target));
      assert.equal(code, 1);
      assert.match(stderr, reason);
    }
    await succeed('restore', folder, `--identity-file=${key}`, ...flagsOf(target));
    await assertServes(t, target, service.files);
  });

  test('a passphrase is needed for the first backup of a folder and for a restore, and is the same', async (t) => {
    const service = await startStocked(t);
    const directory = temporaryDirectory(t);
    const folder = join(directory, 'backups');
    const [passphrase, other] = [join(directory, 'passphrase'), join(directory, 'other')];
    writeFileSync(passphrase, 'öffne dich\n'.normalize('NFD'));
    writeFileSync(other, 'open barley\n');
    await succeed('backup', folder, `--passphrase-file=${passphrase}`, ...service.flags);
    await succeed('backup', folder, ...service.flags);
    const target = temporaryDirectory(t);
    const identity = join(folder, 'identity.age');
    const encrypted = readFileSync(identity);
    writeFileSync(identity, await encryptCheaply('open sesame'));
    for (const command of ['backup', 'restore'] as const) {
      const flags = command === 'backup' ? service.flags : flagsOf(target);
      const wrong = await run(command, folder, `--passphrase-file=${other}`, ...flags);
      assert.equal(wrong.code, 1);
      assert.match(wrong.stderr, /the passphrase does not decrypt .*identity\.age/);
    }
    writeFileSync(identity, encrypted);
    writeFileSync(passphrase, 'öffne dich\n');
    await succeed('restore', folder, `--passphrase-file=${passphrase}`, ...flagsOf(target));
    await assertServes(t, target, service.files);
  });

  test('a folder takes no encrypted backups after plain ones', async (t) => {
    const service = await startBackedUp(t);
    const { folder } = service;
    const recipient = await identityToRecipient(await generateX25519Identity());
    const { code, stderr } = await run('backup', folder, `--recipient=${recipient}`, ...service.flags);
    assert.deepEqual([code, /its backups are not encrypted; name another folder/.test(stderr)], [1, true]);
  });
});

const KEY = 'k'.repeat(40);
const WITH_KEY = [`--app.access.initial-key=${KEY}`];

async function replaceFile(server: Server, shortCode: string, content: string | Buffer): Promise<void> {
  const headers = { ...MULTIPART_HEADERS, authorization: `Bearer ${KEY}` };
  const body = encodeForm([file(content)]);
  const response = await send(server, `/api/links/${shortCode}/file`, { method: 'PUT', headers, body });
  assert.equal(response.status, 200, response.text);
}

/** Changes the short code of a link. Returns the new one. */
async function changeCode(server: Server, shortCode: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  const path = `/api/links/${shortCode}/short-code`;
  const response = await send(server, path, { method: 'POST', headers, body: '{}' });
  assert.equal(response.status, 200, response.text);
  return String(member(json(response), 'shortCode'));
}

/** Erases the file of a link as the retention does. */
async function eraseFile(server: Server, store: Store, shortCode: string): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}` };
  assert.equal((await send(server, `/api/links/${shortCode}`, { method: 'DELETE', headers })).status, 204);
  assert.equal(await store.erasures.erasePart('FILE', [shortCode], Date.now()), 1);
}

/** Uploads, opens, replaces and erases files, and changes short codes, until `isOver`. */
async function churn(service: TestService, isOver: () => boolean): Promise<void> {
  async function work(): Promise<void> {
    let shortCode = await uploadFile(service, randomBytes(2_000));
    while (!isOver()) {
      await openLink(service, shortCode);
      await replaceFile(service, shortCode, randomBytes(2_000));
      shortCode = await changeCode(service, shortCode);
      await eraseFile(service, service.stores.store, await uploadFile(service, randomBytes(2_000)));
    }
  }
  await Promise.all(Array.from({ length: 6 }, work));
}

/** Uploads files, opens and creates links until `isOver`. */
async function loadService(server: Server, isOver: () => boolean): Promise<void> {
  async function work(): Promise<void> {
    while (!isOver()) {
      await openLink(server, await uploadFile(server, randomBytes(20_000)));
      await createLink(server);
    }
  }
  await Promise.all([work(), work(), work()]);
}

const mountsDisks = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test('a full disk is named, and not what is copied to it', {
  skip: !mountsDisks && 'no file systems can be mounted',
}, async (t) => {
  const service = await startStocked(t);
  const folder = join(temporaryDirectory(t), 'backups');
  await succeed('backup', folder, ...service.flags);
  const recipient = await identityToRecipient(await generateX25519Identity());
  const elsewhere = temporaryDirectory(t);
  const disk = temporaryDirectory(t);
  const [database, files] = [disk, elsewhere].map((to) => [
    `--app.database.url=sqlite:${join(to, 'postern.db')}`,
    `--app.storage.path=${join(to === disk ? elsewhere : disk, 'files')}`,
  ]);
  const cases: [argv: readonly string[], size: string, text: string][] = [
    [
      ['restore', folder, ...(database ?? [])],
      '64k',
      `${disk}/postern.db-restoring cannot be written: ENOSPC`,
    ],
    [['restore', folder, ...(files ?? [])], '64k', `${disk}/files cannot store file `],
    [['backup', disk, ...service.flags], '64k', ` to ${disk}/backups/unfinished/postern.db: `],
    [['backup', disk, ...service.flags], '400k', `the folder ${disk} cannot store file `],
    [
      ['backup', disk, `--recipient=${recipient}`, ...service.flags],
      '64k',
      'postern.db.age cannot be written',
    ],
  ];
  for (const [argv, size, text] of cases) {
    const mount = `mount -t tmpfs -o size=${size},mode=700 none "$0" && exec "$@"`;
    const command = ['unshare', '-rm', 'sh', '-c', mount, disk, process.execPath, 'cli/start.js', ...argv];
    const { code, stderr } = await startCommand(t, command, {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    }).exited;
    assert.deepEqual([code, stderr.includes(text), /full|ENOSPC/.test(stderr)], [1, true, true], stderr);
  }
});

describe('under load', () => {
  test('a backup has every file of its database while others are replaced, passed on and erased', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await startService(t, { directory, flags: WITH_KEY, clock: testClock(Date.now()) });
    let isOver = false;
    const churning = churn(service, () => isOver);
    const folder = join(temporaryDirectory(t), 'backups');
    for (let backups = 0; backups < 3; backups++) {
      await until(() => service.storedFiles().length > 20 * (backups + 1));
      await succeed('backup', folder, ...flagsOf(directory));
    }
    isOver = true;
    await churning;
    for (const name of await backupsIn(folder)) {
      const target = temporaryDirectory(t);
      await succeed('restore', folder, `--backup=${name}`, ...flagsOf(target));
      await succeed('verify', '--read-files', ...flagsOf(target));
    }
  });

  test('a backup is consistent, also after one that was killed, and so is a restore', async (t) => {
    const directory = temporaryDirectory(t);
    const folder = join(temporaryDirectory(t), 'backups');
    const service = await startServiceProcess(t, directory);
    const before = new Map<string, Buffer>();
    for (let index = 0; index < 20; index++) {
      const content = randomBytes(5_000);
      before.set(await uploadFile(service, content), content);
    }
    let isOver = false;
    const loading = loadService(service, () => isOver);
    const killed = start(t, 'backup', folder, ...flagsOf(directory));
    await killed.waitForOutput(({ stderr }) => stderr.includes('copy files'));
    killed.signal('SIGKILL');
    await killed.exited;
    assert.deepEqual([await backupsIn(folder), existsSync(join(folder, 'backups/unfinished'))], [[], true]);
    const nothing = await run('restore', folder, ...flagsOf(temporaryDirectory(t)));
    assert.match(nothing.stderr, /it has no complete backup/);
    await succeed('backup', folder, ...flagsOf(directory));
    isOver = true;
    await loading;
    assert.equal(existsSync(join(folder, 'backups/unfinished')), false);

    const target = temporaryDirectory(t);
    const interrupted = start(t, 'restore', folder, ...flagsOf(target));
    await interrupted.waitForOutput(({ stderr }) => stderr.includes('copy files'));
    interrupted.signal('SIGKILL');
    await interrupted.exited;
    assert.equal(existsSync(join(target, 'postern.db')), false);
    await succeed('restore', folder, ...flagsOf(target));
    await succeed('verify', '--read-files', ...flagsOf(target));
    await assertServes(t, target, before);
  });

  test('two backups into one folder do not run at once', async (t) => {
    const { flags } = await startStocked(t);
    const folder = join(temporaryDirectory(t), 'backups');
    const first = await openBackupFolder(folder);
    const { code, stderr } = await run('backup', folder, ...flags);
    first.close();
    assert.deepEqual([code, /another backup writes to it/.test(stderr)], [1, true]);
    await succeed('backup', folder, ...flags);
  });
});

test('the files of a bucket are copied out, and restored to a bucket', async (t) => {
  const server = await startS3Server();
  t.after(() => server.stop());
  const [url, endpoint = ''] = server.flags;
  const directory = temporaryDirectory(t);
  const database = `--app.database.url=sqlite:${join(directory, 'postern.db')}`;
  const flags = [`${url}/before`, endpoint];
  const service = await startService(t, { directory, flags, clock: testClock(Date.now()) });
  const content = randomBytes(9 * 1024 ** 2); // two parts
  const shortCode = await uploadFile(service, content);
  const folder = join(directory, 'backups');
  await succeed('backup', folder, database, ...flags);
  await service.stop();

  const target = temporaryDirectory(t);
  const restoredFlags = [`${url}/after`, endpoint];
  await succeed(
    'restore',
    folder,
    `--app.database.url=sqlite:${join(target, 'postern.db')}`,
    ...restoredFlags,
  );
  const restored = await startService(t, {
    directory: target,
    flags: restoredFlags,
    clock: testClock(Date.now()),
  });
  assert.ok((await openLink(restored, shortCode)).body.equals(content));
});

test('a backup begins again when a file of its database is removed before it is copied, a day later', async (t) => {
  const server = await startS3Server();
  t.after(() => server.stop());
  const directory = temporaryDirectory(t);
  const service = await startService(t, { directory, flags: [...server.flags, ...WITH_KEY] });
  const shortCode = await uploadFile(service, 'of the copy');
  await uploadFile(service, 'of another link');
  server.failNext('GetObject', { kind: 'hang' }, { kind: 'hang' });
  const database = `--app.database.url=sqlite:${join(directory, 'postern.db')}`;
  const folder = join(directory, 'backups');
  const backup = run('backup', folder, database, ...server.flags, '--app.storage.timeout=PT2S');
  await until(() => server.requests().filter((operation) => operation === 'GetObject').length === 2);
  await replaceFile(service, shortCode, 'of the next copy');
  service.clock.now += STALE_UPLOAD_MS + 1;
  await service.startJobs();
  assert.deepEqual(countRows(service, 'upload'), 0, 'the file was removed');
  const { code, stdout, stderr } = await backup;
  assert.deepEqual([code, /^Files: 2, of them copied: 2 /m.test(stdout)], [0, true], stderr);
  const target = temporaryDirectory(t);
  await succeed('restore', folder, ...flagsOf(target));
});

test('on PostgreSQL, a base backup and then the files are a backup', async (t) => {
  const postgres = await startOwnServer();
  t.after(() => postgres.stop());
  const directory = temporaryDirectory(t);
  const storage = join(directory, 'files');
  const flags = [`--app.database.url=${postgres.url}`, `--app.storage.path=${storage}`];
  const service = await startServiceProcess(t, directory, { databaseUrl: postgres.url, flags: WITH_KEY });
  const content = randomBytes(50_000);
  const shortCode = await uploadFile(service, content);
  const [replaced, passedOn, erased] = [
    await uploadFile(service, 'replaced'),
    await uploadFile(service, 'passed on'),
    await uploadFile(service, 'erased'),
  ];

  const folder = join(directory, 'backups');
  const base = join(directory, 'base');
  const data = await copyDataOf(postgres.url, base);
  const copiedAt = Date.now();
  const later = await uploadFile(service, 'uploaded after the base backup');
  await replaceFile(service, replaced, 'by another');
  await changeCode(service, passedOn);
  const store = await openPostgresStore(postgresOptions(postgres.url));
  await eraseFile(service, store, erased);
  await store.close();
  const { stdout } = await succeed('backup', folder, ...flags);
  const [, from = '', to = ''] = /^Keep it with a copy .* made from (\S+) to (\S+)\.$/m.exec(stdout) ?? [];
  assert.ok(Date.parse(from) < copiedAt && copiedAt < Date.parse(to), stdout);
  service.signal('SIGTERM');
  await service.exited;

  await postgres.crash();
  rmSync(data, { recursive: true });
  rmSync(storage, { recursive: true });
  copy(base, data);
  await postgres.start();
  const restored = await succeed('restore', folder, ...flags);
  assert.match(
    restored.stdout,
    /^Files of the backup that no link of the database has, and that were not restored: 2\.$/m,
  );
  const again = await startServiceProcess(t, directory, { databaseUrl: postgres.url });
  assert.ok((await openLink(again, shortCode)).body.equals(content));
  for (const [code, text] of [
    [replaced, 'replaced'],
    [passedOn, 'passed on'],
    [erased, 'erased'],
  ] as const)
    assert.equal((await openLink(again, code)).text, text);
  assert.equal((await openLink(again, later)).status, 404);
  await succeed('verify', '--read-files', ...flags);
});

/** Copies a directory with its owners. */
const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

/** Copies the data of a PostgreSQL server that runs, as its documentation says. Returns where they are. */
async function copyDataOf(url: string, target: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SHOW data_directory');
  const data = String(rows[0].data_directory);
  await client.query("SELECT pg_backup_start('test', true)");
  copy(data, target);
  rmSync(join(target, 'postmaster.pid'));
  const stopped = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  const label = join(target, 'backup_label');
  writeFileSync(label, String(stopped.rows[0].labelfile));
  execFileSync('chown', ['--reference', data, label]);
  copy(`${data}/pg_wal/.`, join(target, 'pg_wal')); // what was written meanwhile
  return data;
}
