import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import {
  appendFile,
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { createFilesystemStore, revisionOf } from '../../src/adapters/files/filesystem.ts';
import {
  assertOnlyServiceWrites,
  findWritableByAll,
  prepareStorageDirectory,
} from '../../src/adapters/files/storage-directory.ts';
import type { FileStore } from '../../src/core/ports/file-store.ts';
import { storeFile } from '../../src/core/use-cases/files/receive-file.ts';
import { fileStoreContract } from '../contract/file-store.ts';
import { sentBytes } from '../support/sent-bytes.ts';

const run = promisify(execFile);
const moduleAt = (name: string) =>
  JSON.stringify(new URL(`../../src/adapters/files/${name}`, import.meta.url).href);

/** Prints whether the storage is writable, or the code of the error. */
const PRINT_CHECK =
  "await store.checkWritable().then(() => 'writable', (error) => error.code ?? error.name).then(console.log);";

/** Returns true where a process can mount file systems of its own. */
const canMount = (): Promise<boolean> =>
  run('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).then(
    () => true,
    () => false,
  );

fileStoreContract('filesystem', async () => {
  const { world, directory, store } = await makeWorld();
  return {
    store,
    remains: () => filesBelow(directory),
    dispose: async () => {
      const names = await readdir(world);
      await endWorld(world);
      assert.deepEqual(names, ['storage'], 'nothing is written outside of the storage directory');
    },
  };
});

describe('filesystem', () => {
  /** The parent of the storage directory. Only tests write to it. */
  let world: string;
  let directory: string;
  let store: FileStore;
  beforeEach(async () => {
    ({ world, directory, store } = await makeWorld());
  });
  afterEach(() => endWorld(world));

  test('the store keeps files in two levels of directories, readable by their owner only', async () => {
    const fileId = randomUUID();
    await storeFile(store, fileId, chunk('text'));
    const place = pathOf(fileId);
    assert.equal(await readFile(path.join(directory, place), 'utf8'), 'text');
    assert.deepEqual(await filesBelow(directory), [place]);
    assert.equal(await modeOf(directory, place), 0o600);
    for (const parent of ['.', 'incoming', path.dirname(place), path.dirname(path.dirname(place))]) {
      assert.equal(await modeOf(directory, parent), 0o700, parent);
    }
  });

  test('an upload reads at most 1 MiB ahead of its writes', async () => {
    const fileId = randomUUID();
    const temporary = path.join(directory, 'incoming', fileId);
    const chunk = Buffer.alloc(2 ** 16, 'x');
    let furthestAhead = 0;
    async function* measured(): AsyncGenerator<Uint8Array> {
      for (let given = 0; given < 4096; given++) {
        furthestAhead = Math.max(furthestAhead, given * chunk.length - statSync(temporary).size);
        yield chunk;
      }
    }
    await storeFile(store, fileId, measured());
    assert.ok(furthestAhead <= 2 ** 20, `${furthestAhead} bytes`);
  });

  test('an upload flushes the file before the rename, and each directory before it resolves', async () => {
    const fileId = randomUUID();
    const trace = await traceOf(
      directory,
      ['fsync', 'rename'],
      `async function* text() { yield Buffer.from('text'); }
       await storeFile(store, '${fileId}', text());`,
    );
    const leaf = path.join(fileId.slice(0, 2), fileId.slice(2, 4));
    assert.deepEqual(trace.slice(0, 2), [`fsync incoming/${fileId}`, `rename ${pathOf(fileId)}`]);
    assert.deepEqual(
      new Set(trace.slice(2, -1)),
      new Set([`fsync ${leaf}`, `fsync ${path.dirname(leaf)}`, 'fsync .', 'fsync incoming']),
    );
    assert.equal(trace.at(-1), 'done');
  });

  test('a removal is durable before it resolves', async () => {
    const fileId = randomUUID();
    await storeFile(store, fileId, chunk('text'));
    const place = pathOf(fileId);
    assert.deepEqual(await traceOf(directory, ['fsync', 'unlink'], `await store.remove('${fileId}');`), [
      `unlink incoming/${fileId}`,
      `unlink ${place}`,
      `fsync ${path.dirname(place)}`,
      'fsync incoming',
      'done',
    ]);
  });

  test('the part of a file that a full storage took is removed', async () => {
    const fileId = randomUUID();
    // 512-byte blocks: a write that crosses the limit is cut short, and the next fails, as on a full disk.
    const child = childArguments(
      directory,
      `async function* endless() { for (;;) yield Buffer.alloc(100_000); }
       await storeFile(store, '${fileId}', endless()).then(() => 'saved', (error) => error.code).then(console.log);
       await store.remove('${fileId}');`,
    );
    const { stdout } = await run('sh', ['-c', 'ulimit -f 600; exec "$@"', 'sh', process.execPath, ...child]);
    assert.equal(stdout.trim(), 'EFBIG');
    assert.deepEqual(await filesBelow(directory), []);
  });

  test('two concurrent uploads with one id store one file', async () => {
    const fileId = randomUUID();
    const outcomes = await Promise.allSettled([
      storeFile(store, fileId, chunk('a'.repeat(100_000))),
      storeFile(store, fileId, chunk('b'.repeat(100_000))),
    ]);
    assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected']);
    const winner = outcomes[0].status === 'fulfilled' ? 'a' : 'b';
    assert.equal(await readFile(path.join(directory, pathOf(fileId)), 'utf8'), winner.repeat(100_000));
    assert.deepEqual(await filesBelow(directory), [pathOf(fileId)]);
  });

  test('an upload fails and leaves nothing when its file is removed meanwhile', async () => {
    const fileId = randomUUID();
    async function* removing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('first');
      await store.remove(fileId);
      yield Buffer.from('second');
    }
    await assert.rejects(storeFile(store, fileId, removing()), /was removed while it was stored/);
    assert.deepEqual(await filesBelow(directory), []);
  });

  test('only a regular file can be opened', async () => {
    const [asDirectory, asLink, asPipe] = [randomUUID(), randomUUID(), randomUUID()];
    const target = path.join(world, 'secret');
    await writeFile(target, 'secret');
    for (const fileId of [asDirectory, asLink, asPipe]) {
      await mkdir(path.dirname(path.join(directory, pathOf(fileId))), { recursive: true });
    }
    await mkdir(path.join(directory, pathOf(asDirectory)));
    await symlink(target, path.join(directory, pathOf(asLink)));
    await run('mkfifo', [path.join(directory, pathOf(asPipe))]);
    for (const fileId of [asDirectory, asLink, asPipe]) assert.equal(await store.open(fileId), undefined);
    assert.deepEqual(await Array.fromAsync(store.list()), []);
  });

  test('a file in another place is not listed', async () => {
    const fileId = randomUUID();
    await storeFile(store, fileId, chunk('text'));
    const leaf = path.dirname(pathOf(fileId));
    const strays = [
      `incoming/${randomUUID()}`,
      'README',
      'lost+found/x',
      randomUUID(),
      `${leaf}/notes.txt`,
      `${leaf}/${fileId.toUpperCase()}.bak`,
      `${leaf}/${fileId}.tmp`,
      `${leaf}/${withOtherHead(fileId)}`,
      `${path.dirname(leaf)}/${fileId}`,
      `${leaf}/00/${fileId}`,
      `zz/zz/${randomUUID()}`,
    ];
    for (const stray of strays) {
      await mkdir(path.dirname(path.join(directory, stray)), { recursive: true });
      await writeFile(path.join(directory, stray), 'stray');
    }
    assert.deepEqual(
      (await Array.fromAsync(store.list())).map((file) => file.fileId),
      [fileId],
    );
  });

  test('the list ignores a directory that it may not read', async () => {
    const fileId = randomUUID();
    await storeFile(store, fileId, chunk('text'));
    const lostAndFound = path.join(directory, 'lost+found');
    await mkdir(lostAndFound, { mode: 0o000 });
    const leaf = path.join(directory, path.dirname(pathOf(fileId)));
    for (const readable of [world, directory, path.dirname(leaf), leaf]) await chmod(readable, 0o755);
    const stdout = await outputAsNobody(
      directory,
      'for await (const { fileId } of store.list()) console.log(fileId);',
    );
    await chmod(lostAndFound, 0o700);
    assert.equal(stdout, fileId);
  });

  test('another error than a missing file is thrown', async () => {
    const fileId = randomUUID();
    await writeFile(path.join(directory, fileId.slice(0, 2)), 'where a directory should be');
    await assert.rejects(store.open(fileId), { code: 'ENOTDIR' });
  });

  test('an opened file can be read once', async () => {
    const fileId = randomUUID();
    await storeFile(store, fileId, chunk('text'));
    const file = await store.open(fileId);
    assert.ok(file);
    const sent = sentBytes(file);
    await assert.rejects(sentBytes(file), /only once/);
    assert.equal((await sent).toString(), 'text');
  });

  test('a bit that is flipped after a check is found, although size and modification time are the same', async () => {
    // The time of its last change counts from the beginning.
    const trusting = createFilesystemStore({ directory, clock: () => Date.now() + 10_000 });
    const fileId = randomUUID();
    await storeFile(trusting, fileId, chunk('text'));
    const send = async () =>
      sentBytes((await trusting.open(fileId, hash('sha256', 'text'))) ?? assert.fail());
    for (let times = 0; times < 2; times++) assert.equal((await send()).toString(), 'text');
    const stored = path.join(directory, fileId.slice(0, 2), fileId.slice(2, 4), fileId);
    const before = statSync(stored);
    while (statSync(stored).ctimeMs === before.ctimeMs) {
      writeFileSync(stored, 'tezt');
      utimesSync(stored, before.atime, before.mtime);
    }
    await assert.rejects(send(), { name: 'DamagedFileError', fileId });
  });

  test('a file that changed less than two seconds ago has no revision, because its next change may have the same time', () => {
    const facts = { ino: 1, size: 4, ctimeMs: 10_000 };
    assert.equal(revisionOf(facts, 12_000), undefined);
    assert.notEqual(revisionOf(facts, 12_001), undefined);
    assert.equal(revisionOf(facts, 8_000), undefined);
    assert.notEqual(revisionOf(facts, 7_999), undefined, 'it changed while the clock was ahead');
    const others = [
      { ...facts, ino: 2 },
      { ...facts, size: 5 },
      { ...facts, ctimeMs: 10_000.001 },
    ];
    const revisions = [facts, ...others].map((each) => revisionOf(each, 20_000));
    assert.equal(new Set(revisions).size, 4);
  });

  test('bytes that are appended after opening are not sent', async () => {
    const fileId = randomUUID();
    await storeFile(store, fileId, chunk('text'));
    const file = await store.open(fileId);
    assert.ok(file);
    await appendFile(path.join(directory, pathOf(fileId)), ' and more');
    assert.equal((await sentBytes(file)).toString(), 'text');
  });

  test('downloads that end while their reads wait leave the bytes of others as they are', async () => {
    const contents = Array.from({ length: 12 }, (_, index) => Buffer.alloc(1_000_000, index + 1));
    const fileIds = contents.map(() => randomUUID());
    for (const [index, fileId] of fileIds.entries())
      await storeFile(store, fileId, chunk(contents[index]?.toString() ?? ''));
    const opened = await Promise.all(fileIds.map((fileId) => store.open(fileId)));
    const sending = opened.map((file) => file && sentBytes(file));
    const ended = opened.map((file, index) => (index % 2 === 0 ? undefined : file?.close()));
    const results = await Promise.allSettled(sending);
    await Promise.all(ended);
    for (const [index, result] of results.entries()) {
      if (index % 2 === 1) assert.equal(result.status, 'rejected');
      else
        assert.ok(result.status === 'fulfilled' && contents[index] && result.value?.equals(contents[index]));
    }
    const again = await store.open(fileIds[1] ?? '');
    assert.ok(again && contents[1]?.equals(await sentBytes(again)), 'none of them keeps a place');
  });

  test('a file that is truncated after opening breaks the stream', async () => {
    const fileId = randomUUID();
    await storeFile(store, fileId, chunk('text'.repeat(500_000)));
    const file = await store.open(fileId);
    assert.ok(file);
    await truncate(path.join(directory, pathOf(fileId)), 1_000_000);
    const out = new Writable({ write: (_, __, done) => done() });
    await assert.rejects(file.sendTo(out), /a file of 2000000 bytes ended after 1000000/);
    assert.ok(out.destroyed && !out.writableEnded);
  });

  describe('checkWritable', () => {
    test('checkWritable rejects for a missing directory', async () => {
      await rm(directory, { recursive: true });
      await assert.rejects(store.checkWritable(), { code: 'ENOENT' });
    });

    test('checkWritable rejects for a file in place of the directory', async () => {
      await rm(directory, { recursive: true });
      await writeFile(directory, '');
      await assert.rejects(store.checkWritable(), /not a directory/);
    });

    test('checkWritable rejects for a read-only directory', async () => {
      await chmod(world, 0o755);
      await chmod(directory, 0o555);
      assert.equal(await outputAsNobody(directory, PRINT_CHECK), 'EACCES');
    });

    test('checkWritable rejects when the directory of unfinished uploads is read-only', async () => {
      await chmod(world, 0o755);
      await chmod(directory, 0o777);
      await mkdir(path.join(directory, 'incoming'), { mode: 0o555 });
      assert.equal(await outputAsNobody(directory, PRINT_CHECK), 'EACCES');
    });

    test('checkWritable rejects for a file in place of the directory of unfinished uploads, also for root', async () => {
      await writeFile(path.join(directory, 'incoming'), '');
      await assert.rejects(store.checkWritable(), { code: 'ENOTDIR' });
    });

    test('checkWritable rejects for a disk without space, or without inodes', async (t) => {
      if (!(await canMount())) return t.skip('no file systems can be mounted');
      const fillings: [limit: string, filling: string][] = [
        ['size=64k', 'head -c 64k /dev/zero > filler'],
        ['nr_inodes=4', 'touch 1 2 3'],
      ];
      for (const [limit, filling] of fillings) {
        const script = `mount -t tmpfs -o ${limit} none "$0" && cd "$0" && { ${filling}; exec "$@"; }`;
        const command = [process.execPath, ...childArguments(directory, PRINT_CHECK)];
        const { stdout } = await run('unshare', ['-rm', 'sh', '-c', script, directory, ...command]);
        assert.equal(stdout.trim(), 'StorageFullError', limit);
      }
    });

    test('checks at once share one, which leaves nothing', async () => {
      const script = 'await Promise.all([1, 2, 3].map(() => store.checkWritable()));';
      // The end of one check and that of the script remove a directory.
      assert.deepEqual(await traceOf(directory, [], script), ['done', 'done']);
      assert.deepEqual(await filesBelow(directory), []);
    });

    test('checkWritable uses and removes what a crash has left', async () => {
      const incoming = path.join(directory, 'incoming');
      await mkdir(incoming);
      await mkdir(path.join(directory, 'postern-can-make'));
      for (const place of [directory, incoming]) await writeFile(path.join(place, 'postern-can-write'), 'x');
      await prepareStorageDirectory(directory);
      await store.checkWritable();
      assert.deepEqual(await readdir(directory), ['incoming']);
      assert.deepEqual(await filesBelow(directory), []);
    });
  });

  describe('prepareStorageDirectory', () => {
    test('prepareStorageDirectory creates missing directories for their owner only', async () => {
      const deep = path.join(directory, 'a', 'b');
      await prepareStorageDirectory(deep);
      for (const made of ['a', 'a/b']) assert.equal(await modeOf(directory, made), 0o700);
    });

    test('each new name is durable before prepareStorageDirectory resolves', async () => {
      const trace = await traceOf(directory, ['fsync'], "await prepareStorageDirectory(directory + '/a/b');");
      assert.deepEqual(trace, ['fsync a', 'fsync .', 'done']);
    });

    test('an existing directory is unchanged', async () => {
      const fileId = randomUUID();
      await storeFile(store, fileId, chunk('text'));
      await chmod(directory, 0o750);
      await prepareStorageDirectory(directory);
      assert.equal(await modeOf(directory, '.'), 0o750);
      assert.deepEqual(await filesBelow(directory), [pathOf(fileId)]);
    });

    test('prepareStorageDirectory rejects for a file in place of the directory', async () => {
      const file = path.join(world, 'file');
      await writeFile(file, '');
      await assert.rejects(prepareStorageDirectory(file), /cannot be created or written \(EEXIST: /);
    });

    for (const name of ['incoming', 'a0']) {
      test(`prepareStorageDirectory rejects for a symbolic link in place of ${name}`, async () => {
        const elsewhere = path.join(world, 'elsewhere');
        await mkdir(elsewhere);
        await symlink(elsewhere, path.join(directory, name));
        await assert.rejects(
          prepareStorageDirectory(directory),
          new RegExp(`/${name} is a symbolic link.* remove it$`),
        );
      });
    }

    test('prepareStorageDirectory accepts a directory that all users may write to, with a warning unless it is sticky', async () => {
      await chmod(directory, 0o777);
      await prepareStorageDirectory(directory);
      assert.match(
        (await findWritableByAll(directory)).join(),
        /^\S+storage is writable by all users.*chmod o-w.*emptyDir/,
      );
      await chmod(directory, 0o1777);
      assert.deepEqual(await findWritableByAll(directory), []);
      for (const name of ['incoming', 'a0', 'lost+found']) {
        await mkdir(path.join(directory, name));
        await chmod(path.join(directory, name), 0o777);
      }
      await prepareStorageDirectory(directory);
      const [warning = '', ...more] = await findWritableByAll(directory);
      assert.match(warning, /(a0|incoming) and 1 more below the storage directory are writable by all users/);
      assert.deepEqual(more, []);
    });

    test('prepareStorageDirectory rejects for a directory of another user', async () => {
      const isRoot = (await stat(directory)).uid === 0;
      const incoming = path.join(directory, 'incoming');
      await mkdir(incoming);
      if (isRoot) await chown(incoming, 12_345, 0);
      await assert.rejects(
        assertOnlyServiceWrites(directory, 54_321),
        /belongs to user \d+.* or choose another directory$/,
      );
      if (!isRoot) return; // only root can give a directory away
      await assert.rejects(
        prepareStorageDirectory(directory),
        /incoming belongs to user 12345.*; run this as that user instead of root, or choose/,
      );
      await assert.rejects(assertOnlyServiceWrites(directory, 54_321), /\(chown -R 54321\)/);
    });

    test('prepareStorageDirectory accepts a directory of root that the group of the service may write to', async () => {
      if ((await stat(directory)).uid !== 0) return; // only root can make one
      await chown(directory, 0, 65_534);
      await chmod(directory, 0o2770);
      await chmod(world, 0o755);
      const script = "await prepareStorageDirectory(directory); console.log('accepted');";
      assert.equal(await outputAsNobody(directory, script), 'accepted');
    });
  });
});

async function makeWorld(): Promise<{ world: string; directory: string; store: FileStore }> {
  const world = await mkdtemp(path.join(tmpdir(), 'postern-files-'));
  const directory = path.join(world, 'storage');
  await prepareStorageDirectory(directory);
  return { world, directory, store: createFilesystemStore({ directory }) };
}

/** Removes the world, and fails when the store still holds a file of it open. */
async function endWorld(world: string): Promise<void> {
  try {
    assert.deepEqual(await descriptorsBelow(world), []);
  } finally {
    await rm(world, { recursive: true });
  }
}

function pathOf(fileId: string): string {
  return `${fileId.slice(0, 2)}/${fileId.slice(2, 4)}/${fileId}`;
}

/** Returns an id that belongs in another directory than this one. */
function withOtherHead(fileId: string): string {
  return (fileId.startsWith('0') ? '1' : '0') + fileId.slice(1);
}

async function* chunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function modeOf(directory: string, name: string): Promise<number> {
  return (await stat(path.join(directory, name))).mode & 0o777;
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Returns what this process has open below a directory, removed files included. Works on Linux only. */
async function descriptorsBelow(directory: string): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const descriptors = await readdir('/proc/self/fd');
  const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(directory));
}

/** The arguments of a Node process that runs `script` with a `store` on this directory. */
function childArguments(directory: string, script: string): string[] {
  const prelude = `
    import { createFilesystemStore } from ${moduleAt('filesystem.ts')};
    import { prepareStorageDirectory } from ${moduleAt('storage-directory.ts')};
    import { storeFile } from ${JSON.stringify(import.meta.resolve('../../src/core/use-cases/files/receive-file.ts'))};
    const directory = ${JSON.stringify(directory)};
    const store = createFilesystemStore({ directory });`;
  return ['--input-type=module', '-e', `${prelude}\n${script}`];
}

/** Returns the output of `script`, run as the user nobody, because permissions do not apply to root. */
async function outputAsNobody(directory: string, script: string): Promise<string> {
  const becomeNobody = 'if (process.getuid() === 0) { process.setgroups([65534]); process.setuid(65534); }';
  const { stdout } = await run(process.execPath, childArguments(directory, `${becomeNobody}\n${script}`));
  return stdout.trim();
}

/**
 * Runs `script` in a process and returns its system calls of these kinds in order, then `done`. Each has its
 * path (the new one of a rename), relative to the directory. Node 26 traces a mkdir as an unlink.
 */
async function traceOf(directory: string, calls: string[], script: string): Promise<string[]> {
  const traceFile = path.join(directory, '..', 'trace.json');
  const flags = ['--trace-event-categories=node.fs.async', `--trace-event-file-pattern=${traceFile}`];
  const sayDone = `await (await import('node:fs/promises')).rmdir(directory + '/done').catch(() => undefined);`;
  await run(process.execPath, [...flags, ...childArguments(directory, `${script}\n${sayDone}`)]);

  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(await readFile(traceFile, 'utf8'));
  const trace: string[] = [];
  let opened: unknown;
  for (const { ph, name, args } of traceEvents.toSorted((a, b) => a.ts - b.ts)) {
    if (ph !== 'b') continue;
    if (name === 'open') opened = args['path'];
    // A flush is traced without a path. The calls are sequential, so it belongs to the file opened last.
    const subject = name === 'fsync' ? opened : (args['new_path'] ?? args['path']);
    if (calls.includes(name)) trace.push(`${name} ${path.relative(directory, String(subject)) || '.'}`);
    if (name === 'rmdir') trace.push('done');
  }
  return trace;
}
type TraceEvent = { ph: string; name: string; ts: number; args: Record<string, unknown> };
