import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { startBreakingProxy } from '../support/breaking-proxy.ts';
import { type CommandLine, commandLine } from '../support/command-line.ts';
import { addKey, bearer } from '../support/keys.ts';
import { countRows, linkState } from '../support/links.ts';
import type { Running } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { occupyRequest } from '../support/uploads.ts';

const FLAGS = ['--app.upload.chunk-size=5MB'];
const lines: string[] = [];
let onLogLine = (_line: string): void => {};
const service = await startService(
  { after },
  {
    flags: FLAGS,
    onLogLine(line) {
      lines.push(line);
      onLogLine(line);
    },
  },
);
const key = await addKey(service, 'ci', ['create', 'read', 'manage']);
const CONTENT = randomBytes(12 * 1024 ** 2);

/** Creates a file request, and returns its short code. */
async function ask(cli: CommandLine, ...options: string[]): Promise<string> {
  const [{ shortCode } = {}] = await cli.callJson('request', 'The contract', ...options);
  return String(shortCode);
}

/** Returns the links of what arrived, the newest first. */
async function arrived(code: string): Promise<{ shortCode: string; label: string; note: string }[]> {
  const headers = bearer(key);
  const response = await fetch(`${service.url}/api/links/${code}/submissions`, { headers });
  return ((await response.json()) as { items: { shortCode: string; label: string; note: string }[] }).items;
}

test('a file request is created with its limits, shown, and not opened', async (t) => {
  const cli = commandLine(t, service.url, key);
  const to = await identityToRecipient(await generateX25519Identity());
  const options = ['--max-files=2', '--max-size=3MB', '--to', to, '--max-views=4', '--label=Q3'];
  const created = await cli.call(['request', 'The contract', ...options], { columns: 120 });
  const asked = String.raw`^Message +The contract\nFiles +at most 2 at once\nSize +at most 3 MB at once\nEncrypted to +${to}\n`;
  const terms = String.raw`Token +link_\S+\nExpires +never\nSubmissions +4\nF`;
  assert.match(created.stdout, new RegExp(`${asked}${terms}`, 'm'));
  const [, code = ''] = /\/l\/(\w{8})$/m.exec(created.stdout) ?? [];
  const [{ request, maxViews, label } = {}] = await cli.callJson('show', code);
  const wanted = { message: 'The contract', maxFiles: 2, maxBytes: 3 * 1024 ** 2, recipientKey: to };
  assert.deepEqual([request, maxViews, label], [wanted, 4, 'Q3']);
  for (const [words, expected] of [
    [['show', code], new RegExp(`${asked}(.*\n)*Submissions +0 of 4$`, 'm')],
    [['list', '--type=request'], /^CODE .*TARGET\n\w+ .* Q3 +The contract\n/],
    [['request', '--help'], /--notify-email ADDRESS +Receives a mail when files arrive/],
  ] as const)
    assert.match((await cli.call(words)).stdout, expected);
  for (const [words, exitCode, expected] of [
    [['open', code], 1, /asks for files\n {2}Send them with: postern submit \w{8} FILE…/],
    [['request', 'a', '--max-size=big'], 2, /--max-size: "big" must be a number with the unit/],
    [['request', 'a', '--max-files=few'], 2, /--max-files: "few" is not a whole number/],
    [['request', 'a', '--to=age1x'], 1, /must be a recipient of age/],
    [['request', 'a', '--no-confirm'], 2, /unknown option "--no-confirm"/],
  ] as const) {
    const refused = await cli.call(words);
    assert.deepEqual([refused.code, expected.test(refused.stderr)], [exitCode, true], refused.stderr);
  }
});

test('files and folders are sent to a protected file request without a key, with a receipt of their digests', async (t) => {
  const owner = commandLine(t, service.url, key);
  const created = await owner.run(['request', 'The contract', '--password', '--max-files=3', '--json'], {
    input: 'ópen sesame\n',
  });
  const { shortCode } = JSON.parse(created.stdout);
  const cli = commandLine(t, 'http://127.0.0.1:1');
  mkdirSync(join(cli.directory, 'docs'));
  const files = { 'docs/größe.pdf': 'one', 'docs/empty': '', 'a.txt': 'three' };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cli.directory, name), content);
  const submit = ['submit', `${service.url}/l/${shortCode}`, 'docs', 'a.txt'];
  const sent = await cli.run([...submit, '--sender=Jane', '--note=as agreed', '--json'], {
    input: 'ópen sesame\n',
  });
  assert.equal(sent.code, 0, sent.stderr);
  const receipt = JSON.parse(sent.stdout);
  const expected = ['docs/empty', 'docs/größe.pdf', 'a.txt'].map((name) => {
    const content = files[name as keyof typeof files];
    return { name, sizeBytes: content.length, sha256: hash('sha256', content) };
  });
  assert.deepEqual([receipt.message, receipt.files], ['The contract', expected]);
  const [item] = await arrived(shortCode);
  assert.deepEqual([item?.label, item?.note], ['Jane', 'as agreed']);

  writeFileSync(join(cli.directory, 'docs/more'), 'four');
  for (const [words, input, code, message] of [
    [submit, 'ópen sesame', 2, /takes 3 files at once, and these are 4/],
    [submit, 'open sesame', 1, /password/i],
    [submit, '', 2, /Password of the link: nothing was given/],
  ] as const) {
    const refused = await cli.run(words, { input });
    assert.deepEqual([refused.code, message.test(refused.stderr)], [code, true], refused.stderr);
  }
  assert.equal(linkState(service, shortCode).viewCount, 1);
});

test('a receipt with another digest than the file is refused', async (t) => {
  const cli = commandLine(t, service.url, key);
  writeFileSync(join(cli.directory, 'a.txt'), 'content');
  const { hostname, port } = new URL(service.url);
  const sha256 = hash('sha256', 'content');
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) socket.on('error', () => {});
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).on('data', (bytes) => {
      client.write(bytes.toString('latin1').replace(sha256, hash('sha256', 'Content')), 'latin1');
    });
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/l/${await ask(cli)}`;
  const { code, stderr } = await cli.call(['submit', address, join(cli.directory, 'a.txt')]);
  assert.deepEqual(
    [code, /another SHA-256 than the files\n {2}They were changed/.test(stderr)],
    [1, true],
    stderr,
  );
});

test('a link that asks for no files gets none, and is not opened', async (t) => {
  const cli = commandLine(t, service.url, key);
  const [{ shortCode } = {}] = await cli.callJson('create', 'example.com', '--max-views=1');
  const refused = await cli.call(['submit', String(shortCode), 'a.txt']);
  assert.match(refused.stderr, /does not ask for files\n {2}Use: postern open/);
  assert.equal(linkState(service, String(shortCode)).viewCount, 0);
});

test('files are encrypted to the key of the file request, which alone opens them', async (t) => {
  const cli = commandLine(t, service.url, key);
  const identity = await generateX25519Identity();
  writeFileSync(join(cli.directory, 'key.txt'), identity);
  const code = await ask(cli, '--to', await identityToRecipient(identity), '--max-files=2');
  for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(cli.directory, name), `in ${name}`);
  const { stdout, stderr } = await cli.run(['submit', code, 'a.txt', 'b.txt']);
  assert.match(stdout, /^SHA-256 +SIZE +FILE\n[\da-f]{64} +[\d.]+ kB +encrypted\.tar\.age\n$/, stderr);
  assert.match(stderr, /It has 2 files, which only the owner of age1\w+ can read/);
  assert.match((await cli.run(['submit', code, 'a.txt', 'b.txt', 'c.txt'])).stderr, /takes 2 files at once/);
  const [item] = await arrived(code);
  const opened = await cli.run(['open', String(item?.shortCode), '-i', 'key.txt', '-o', 'out']);
  assert.equal(opened.code, 0, opened.stderr);
  assert.deepEqual(readdirSync(join(cli.directory, 'out')), ['a.txt', 'b.txt']);
  assert.equal(readFileSync(join(cli.directory, 'out/b.txt'), 'utf8'), 'in b.txt');
});

test('a submission waits while others have the room of the request', async (t) => {
  let refused = 0;
  const service = await startService(t, {
    onLogLine(line) {
      if (!line.includes('"method":"PATCH"') || !line.includes('"status":409')) return;
      refused += 1;
      service.clock.now += 60_001;
    },
  });
  const cli = commandLine(t, service.url);
  const code = await ask(cli, '--max-size=100B', '--max-views=1');
  await occupyRequest(service, code, 100);
  writeFileSync(join(cli.directory, 'a.txt'), 'content');
  const { code: ended, stderr } = await cli.run(['submit', code, 'a.txt']);
  assert.deepEqual([ended, refused], [0, 1], stderr);
});

test('a submission goes on over a line that breaks, and after its command was killed', async (t) => {
  const cli = commandLine(t, service.url, key);
  writeFileSync(join(cli.directory, 'a.bin'), CONTENT);
  const code = await ask(cli, '--max-views=2');
  const line = `${await startBreakingProxy(t, service.url, 3_000_000)}/l/${code}`;
  const broken = await cli.callJson('submit', line, join(cli.directory, 'a.bin'));
  const sha256 = hash('sha256', CONTENT);
  assert.deepEqual(broken[0]?.['files'], [{ name: 'a.bin', sizeBytes: CONTENT.length, sha256 }]);

  let running: Running | undefined;
  lines.length = 0;
  onLogLine = (each) => {
    if (each.includes('"method":"PATCH"')) running?.signal('SIGKILL');
  };
  running = cli.start(['submit', code, 'a.bin']);
  assert.equal((await running.exited).signal, 'SIGKILL');
  running = undefined;
  const { stdout, stderr } = await cli.run(['submit', code, 'a.bin', '--json']);
  assert.equal(JSON.parse(stdout || '{}').files?.[0].sha256, sha256, stderr);
  const begun = lines.filter((each) => each.includes('"route":"/api/links/:shortCode/uploads"'));
  assert.equal(begun.length, 1, 'the second run begins no other upload');
  assert.equal(linkState(service, code).viewCount, 2);
  const used = await cli.run(['submit', code, 'a.bin']);
  assert.deepEqual([used.code, /request takes no more files/.test(used.stderr)], [1, true], used.stderr);
  assert.deepEqual(readdirSync(join(cli.directory, '.local/state/postern/uploads')), []);
});

for (const [what, words] of [
  ['a submission', ['submit', 'CODE', 'a.txt']],
  ['an upload', ['upload', 'a.txt']],
] as const)
  test(`${what} whose command was killed before it got its last response counts once`, async (t) => {
    const cli = commandLine(t, service.url, key);
    writeFileSync(join(cli.directory, 'a.txt'), 'content');
    const code = await ask(cli);
    const args = words.map((word) => (word === 'CODE' ? code : word));
    let running: Running | undefined;
    onLogLine = (each) => {
      if (each.includes('secure_link_created')) running?.signal('SIGKILL');
    };
    running = cli.start(args);
    assert.equal((await running.exited).signal, 'SIGKILL');
    running = undefined;
    const linksBefore = countRows(service, 'link');
    const again = await cli.run(args);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(countRows(service, 'link'), linksBefore);
  });
