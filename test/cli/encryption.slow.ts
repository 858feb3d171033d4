import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { armor, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { commandLine } from '../support/command-line.ts';
import { uploadEncrypted } from '../support/encrypted-links.ts';
import { addKey } from '../support/keys.ts';
import { linkState } from '../support/links.ts';
import { startService } from '../support/service.ts';

const service = await startService({ after });
const key = await addKey(service, 'ci', ['create', 'read', 'manage']);
const hasAge = spawnSync('age', ['--version']).status === 0;

/** Writes a folder with files into the working directory of a command line. */
function writeFolder(directory: string): Record<string, Buffer> {
  const files = {
    'contracts/2026/größe.pdf': randomBytes(200_000),
    'contracts/empty': Buffer.of(),
    'notes.txt': Buffer.from('hello'),
  };
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), bytes);
    utimesSync(join(directory, name), 1_700_000_000, 1_700_000_000);
  }
  return files;
}

function assertSame(directory: string, files: Record<string, Buffer>): void {
  for (const [name, bytes] of Object.entries(files))
    assert.deepEqual(readFileSync(join(directory, name)), bytes, name);
  assert.deepEqual(readdirSync(directory).sort(), ['contracts', 'notes.txt']);
}

const toArmor = (bytes: Uint8Array) => Buffer.from(armor.encode(bytes));
const withText = (name: string) => [name, 'new'] as const;

/** Returns the printed link, with the address of the service of this test. */
const linkIn = (stdout: string): string => stdout.trim().replace(/^.*(?=\/l\/)/, service.url);

describe('bin/postern with encryption', () => {
  test('bin/postern encrypts files and folders, and unpacks them from their link', async (t) => {
    const cli = commandLine(t, service.url, key);
    const files = writeFolder(cli.directory);
    const created = await cli.run(['upload', 'contracts', 'notes.txt', '--encrypt']);
    assert.equal(created.code, 0, created.stderr);
    const link = linkIn(created.stdout);
    assert.match(link, /\/l\/\w{8}#AGE-SECRET-KEY-1\w{58}$/);
    const [address = '', identity = ''] = link.split('#');
    const opened = await cli.run(['open', link, '--output', 'unpacked']);
    assert.equal(opened.code, 0, opened.stderr);
    assertSame(join(cli.directory, 'unpacked'), files);
    assert.equal(statSync(join(cli.directory, 'unpacked/notes.txt')).mtimeMs, 1_700_000_000_000);

    if (!hasAge) return;
    mkdirSync(join(cli.directory, 'by-hand'));
    writeFileSync(join(cli.directory, 'key.txt'), identity);
    const pipeline = `curl --silent --fail ${address} | age -d -i key.txt | tar -x -C by-hand`;
    await promisify(execFile)('bash', ['-o', 'pipefail', '-c', pipeline], { cwd: cli.directory });
    assertSame(join(cli.directory, 'by-hand'), files);
  });

  test('bin/postern encrypts with a passphrase, and for the owner of a public key', async (t) => {
    const cli = commandLine(t, service.url, key);
    const files = writeFolder(cli.directory);
    const sent = ['upload', 'contracts', 'notes.txt', '--quiet'];
    const withPassphrase = await cli.run([...sent, '--passphrase'], {
      input: 'öffne dich\n'.normalize('NFD'),
    });
    assert.match(withPassphrase.stdout, /\/l\/\w{8}\n$/, withPassphrase.stderr);
    const open = ['open', linkIn(withPassphrase.stdout), '-o', 'a'];
    for (const [input, code, expected] of [
      ['offne dich\n', 1, /the passphrase is wrong/],
      ['', 2, /Passphrase or key .*: nothing was given/],
    ] as const) {
      const refused = await cli.run(open, { input });
      assert.deepEqual([refused.code, expected.test(refused.stderr)], [code, true], refused.stderr);
    }
    const right = await cli.run(open, { input: 'öffne\u00a0dich\n' });
    assert.equal(right.code, 0, right.stderr);
    assertSame(join(cli.directory, 'a'), files);

    const identity = await generateX25519Identity();
    writeFileSync(join(cli.directory, 'key.txt'), `# of the owner\n${identity}\n`);
    const { stdout } = await cli.run([...sent, '--to', await identityToRecipient(identity)]);
    assert.match(stdout, /\/l\/\w{8}\n$/);
    const opened = await cli.run(['open', linkIn(stdout), '-i', 'key.txt', '-o', 'b']);
    assert.equal(opened.code, 0, opened.stderr);
    assertSame(join(cli.directory, 'b'), files);
  });

  test('bin/postern unpacks an archive into a new folder, with names that are safe there', async (t) => {
    const cli = commandLine(t, service.url, key);
    const hostile = [
      '.bashrc',
      '../../.ssh/authorized_keys',
      '/tmp/a',
      './b',
      'B',
      'aux',
      'what?',
      '.git/hooks/x',
    ];
    const unpacked = [
      'B (2)',
      '_aux',
      '_bashrc',
      '_git/hooks/x',
      '_ssh/authorized_keys',
      'b',
      'tmp/a',
      'what_',
    ];
    const open = async (names: string[], ...more: string[]) =>
      cli.run(['open', await uploadEncrypted(service, names.map(withText)), ...more]);
    const filesBelow = (folder: string) =>
      readdirSync(join(cli.directory, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(cli.directory, folder, name)).isFile())
        .sort();
    mkdirSync(join(cli.directory, 'there'));
    writeFileSync(join(cli.directory, 'there/old'), 'old');
    for (const [folder, ...more] of [
      ['_bashrc + 7'],
      ['_bashrc + 7 (1)'],
      ['new', '--output', 'new'],
      ['there/_bashrc + 7', '--output', 'there'],
      ['_bashrc + 7 (2)', '--output', '.'],
    ] as const) {
      const opened = await open(hostile, ...more);
      assert.equal(opened.code, 0, opened.stderr);
      assert.deepEqual(filesBelow(folder), unpacked);
      assert.deepEqual(
        opened.stdout.trim().split('\n').sort(),
        unpacked.map((name) => join(folder, name)),
      );
    }
    assert.equal(statSync(join(cli.directory, 'new')).mode & 0o777, 0o777 & ~process.umask());
    assert.deepEqual(readdirSync(cli.directory).sort(), [
      '_bashrc + 7',
      '_bashrc + 7 (1)',
      '_bashrc + 7 (2)',
      'new',
      'there',
    ]);
    const missing = await open(['a'], '--output', 'no/folder');
    assert.deepEqual(
      [missing.code, /there is no folder .*no\n/.test(missing.stderr)],
      [2, true],
      missing.stderr,
    );
  });

  test('an encrypted link that is opened without its key spends no view', async (t) => {
    const cli = commandLine(t, service.url, key);
    const fields = { maxViews: '1', password: 'open sesame' };
    const [address = '', identity = ''] = (await uploadEncrypted(service, [['a', 'new']], { fields })).split(
      '#',
    );
    const code = address.slice(-8);
    const open = (...more: string[]) => cli.run(['open', ...more], { input: 'open sesame\n' });
    const refused = await open(address);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /nothing was given\n {2}Write the whole address in quotes, .*--identity FILE/,
    );
    assert.match(refused.stderr, /--encrypted saves .* This spent no view\./);
    assert.deepEqual(linkState(service, code), { status: 'ACTIVE', viewCount: 0 });
    const opened = await open(`${address}#${identity}`);
    assert.equal(opened.code, 0, opened.stderr);
    assert.equal(readFileSync(join(cli.directory, 'a/a'), 'utf8'), 'new');
    assert.equal(linkState(service, code).viewCount, 1);
  });

  test('the key of an encrypted link, and of a continued download, may be typed', async (t) => {
    const cli = commandLine(t, service.url, key);
    const [address = '', identity = ''] = (await uploadEncrypted(service, [['a', 'new']])).split('#');
    const failed = await cli.run(['open', address], { input: 'open sesame' });
    assert.deepEqual([failed.code, /needs a key, not a passphrase/.test(failed.stderr)], [1, true]);
    const [lease = ''] = /http\S+lease_[^\s']+/.exec(failed.stderr) ?? [];
    for (const [text, name] of [
      [address, 'a'],
      [lease, 'b'],
      [lease.slice(0, lease.lastIndexOf('/') + 1), 'c'], // as the page shows it
    ] as const) {
      const opened = await cli.run(['open', text, '--output', name], { input: identity });
      assert.deepEqual([opened.code, readdirSync(join(cli.directory, name))], [0, ['a']], opened.stderr);
    }
    assert.equal(linkState(service, address.slice(-8)).viewCount, 2);
  });

  test('bin/postern encrypts a text from standard input, which opens once', async (t) => {
    const cli = commandLine(t, service.url, key);
    const input = 'door code\r\n4711\n';
    const { stdout, stderr } = await cli.run(['create', '--text', '--encrypt'], { input });
    const link = linkIn(stdout);
    assert.match(link, /#AGE-SECRET-KEY-1\w{58}$/, stderr);
    const page = await fetch(link, { headers: { accept: 'text/html' } });
    assert.match(await page.text(), /data-encrypted=/);
    assert.equal((await cli.run(['open', link])).stdout, input);
    assert.match((await cli.call(['open', link])).stderr, /view/);
    const [, code = ''] = /(\w{8})#/.exec(link) ?? [];
    assert.deepEqual(linkState(service, code), { status: 'EXPIRED', viewCount: 1 });

    const more = ['create', '--text', '--encrypt', '--max-views', 'none', '--json'];
    const unlimited = JSON.parse((await cli.run(more, { input })).stdout);
    assert.equal(unlimited.maxViews, null);
    const shown = await cli.call(['open', linkIn(unlimited.accessUrl)], { columns: 80 });
    assert.equal(shown.stdout, 'door code\n4711\n\n');
    for (const [words, expected] of [
      [['--text', '--passphrase'], /--passphrase and --text both read standard input/],
      [['--text', '--encrypt'], /the text is empty/],
      [['example.com', '--encrypt'], /--encrypt has no effect on a URL/],
    ] as const) {
      const refused = await cli.run(['create', ...words]);
      assert.deepEqual([refused.code, expected.test(refused.stderr)], [2, true], refused.stderr);
    }
  });

  test('bin/postern leaves no file of what is damaged or has another key, and says how to receive it again', async (t) => {
    const cli = commandLine(t, service.url, key);
    const link = await uploadEncrypted(service, [['a', 'new']]);
    const [address = '', identity = ''] = link.split('#');
    const open = (text: string) => cli.run(['open', text, '--output', 'folder']);
    const noArchive =
      /is no tar archive\n {2}Decrypt it with: curl 'http\S+lease_\S+' \| age -d -i KEY-FILE > FILE\n/;
    let lease = '';
    for (const [text, expected] of [
      [
        await uploadEncrypted(service, [['a', 'new']], { damage: (bytes) => bytes.subarray(0, -1) }),
        /was changed or cut off/,
      ],
      [await uploadEncrypted(service, [], { plain: Readable.from([Buffer.from('short')]) }), noArchive],
      [await uploadEncrypted(service, [], { plain: Readable.from([Buffer.alloc(600, 'x')]) }), noArchive],
      [`${address}#${await generateX25519Identity()}`, /it was encrypted for another key/],
    ] as const) {
      const opened = await open(text);
      assert.equal(opened.code, 1, text);
      assert.match(opened.stderr, expected);
      assert.deepEqual(readdirSync(cli.directory), []);
      lease = /postern open '(\S+)' --identity FILE\n.*no view left/.exec(opened.stderr)?.[1] ?? '';
    }
    const again = await open(`${lease}#${identity}`);
    assert.deepEqual([again.code, readdirSync(join(cli.directory, 'folder'))], [0, ['a']], again.stderr);
    const shortened = await open(link.slice(0, -1));
    assert.deepEqual([shortened.code, /copy it once more/i.test(shortened.stderr)], [2, true]);
  });

  test('bin/postern decrypts a file in ASCII armor', async (t) => {
    const cli = commandLine(t, service.url, key);
    const content = randomBytes(100_000);
    const link = await uploadEncrypted(service, [['a.bin', content]], { damage: toArmor });
    const opened = await cli.run(['open', link]);
    assert.deepEqual([opened.code, opened.stdout], [0, 'a/a.bin\n'], opened.stderr);
    assert.deepEqual(readFileSync(join(cli.directory, 'a/a.bin')), content);
    const cut = await uploadEncrypted(service, [['b', 'new']], {
      damage: (bytes) => toArmor(bytes).subarray(0, -20),
    });
    const refused = await cli.run(['open', cut]);
    assert.deepEqual(
      [refused.code, /armor was changed or cut off/.test(refused.stderr)],
      [1, true],
      refused.stderr,
    );
  });

  test('bin/postern prints an encrypted text, and saves what is encrypted as it is', async (t) => {
    const cli = commandLine(t, service.url, key);
    const link = await uploadEncrypted(service, [['message.txt', 'new']], { isText: true });
    assert.deepEqual((await cli.run(['open', link])).stdout, 'new');
    const saved = await cli.run(['open', link, '--encrypted']);
    assert.match(saved.stdout, /encrypted\.tar\.age\n$/);
    assert.match(readFileSync(saved.stdout.trim(), 'latin1'), /^age-encryption\.org\/v1\n/);
  });

  test('bin/postern refuses what contradicts the encryption', async (t) => {
    const cli = commandLine(t, service.url, key);
    writeFolder(cli.directory);
    for (const [words, expected] of [
      [['-', '--encrypt'], /standard input has no size/],
      [['notes.txt', '--passphrase', '--to=age1'], /exclude each other/],
      [['notes.txt', '--passphrase', '--password'], /both read standard input/],
      [['notes.txt', '--encrypt', '--name=a'], /--name has no effect/],
      [['notes.txt', 'notes.txt', '--encrypt'], /two files have the name notes\.txt/],
      [['notes.txt', '--to=age1x'], /--to: .*\n.*public key of age/],
    ] as const) {
      const refused = await cli.call([
        'upload',
        ...words.map((word) => word.replace(/^(?=notes|contr)/, `${cli.directory}/`)),
      ]);
      assert.equal(refused.code, 2, words.join(' '));
      assert.match(refused.stderr, expected);
    }
  });
});
