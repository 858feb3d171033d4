import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TEXTS } from '../../src/http/pages/visitor.ts';
import { startBrowser } from '../support/browser.ts';
import { commandLine } from '../support/command-line.ts';
import { chooseFiles, encryptInPage } from '../support/create-page.ts';
import { serviceFlags, startProgram, startServiceProcess } from '../support/process.ts';
import { findInMemory } from '../support/process-memory.ts';
import { temporaryDirectory } from '../support/service.ts';

const { openPage } = await startBrowser();
const ENTRY = join(import.meta.dirname, '../../cli/main.ts');

/** Starts a proxy that keeps every byte that clients send. */
async function startRecorder(t: TestContext, url: string) {
  const sent: Buffer[] = [];
  const server = createServer((client) => {
    const service = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [client, service]) socket.on('error', () => socket.destroy());
    client.on('data', (bytes: Buffer) => void sent.push(bytes)).pipe(service);
    service.pipe(client);
  });
  t.after(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

/** Returns the 32 bytes of an identity, which is written in Bech32. */
function bytesOf(identity: string): Buffer {
  const letters = identity.slice('AGE-SECRET-KEY-1'.length, -6).toLowerCase();
  const bits = [...letters].map((letter) =>
    'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((bits) => Number.parseInt(bits, 2)));
}

/** Returns the forms in which a secret could reach the service. */
function formsOf(name: string, text: string, raw: Buffer = Buffer.from(text)): [string, Buffer][] {
  const forms: Record<string, Buffer> = {
    text: Buffer.from(text),
    'text in lower case': Buffer.from(text.toLowerCase()),
    'text of 16 bits': Buffer.from(text, 'utf16le'),
    'middle of the text': Buffer.from(text.slice(20, -10)),
    bytes: raw,
    ...Object.fromEntries(
      (['hex', 'base64', 'base64url'] as const).map((each) => [each, Buffer.from(raw.toString(each))]),
    ),
  };
  return Object.entries(forms).map(([form, bytes]) => [`${name} as ${form}`, bytes]);
}

test('nothing of the key, the names or the content reaches the service: neither requests, log, files, database nor memory', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async (t) => {
  const directory = temporaryDirectory(t);
  const create = [
    'keys',
    'create',
    'ci',
    '--scopes=create',
    ...serviceFlags(directory, 1).slice(2),
    '--app.database.must-exist=false',
  ];
  mkdirSync(join(directory, 'files'));
  const { stdout: created } = await startProgram(t, [ENTRY, ...create]).exited;
  const apiKey = created.trim().split('\n').at(-1) ?? '';
  const service = await startServiceProcess(t, directory, { flags: ['--app.access=keys'] });
  const recorder = await startRecorder(t, service.url);
  const cli = commandLine(t, recorder.url, apiKey);
  const marks = { content: randomBytes(24).toString('hex'), name: randomBytes(24).toString('hex') };
  const shown = randomBytes(24).toString('hex'); // in the place that the service does see
  writeFileSync(join(cli.directory, marks.name), marks.content);

  const upload = await cli.run(['upload', marks.name, '--encrypt', '--label', shown]);
  assert.equal(upload.code, 0, upload.stderr);
  const link = upload.stdout.trim().replace(/^.*(?=\/l\/)/, recorder.url);
  const [, code = '', identity = ''] = /\/l\/(\w+)#(.*)$/.exec(link) ?? [];
  const opened = await cli.run(['open', link, '--output', 'folder']);
  assert.equal(opened.code, 0, opened.stderr);
  let identityOfPage = '';
  await t.test('a browser decrypts, and encrypts with a key of its own', async (t) => {
    const page = await openPage(t);
    await page.goto(link);
    const press = page.getByRole('button', { name: TEXTS.en['encrypted.open'] }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), press]);
    assert.equal(readFileSync(await download.path(), 'utf8'), marks.content);

    await page.addInitScript(`sessionStorage.setItem('postern.key', '${apiKey}')`);
    await page.goto(recorder.url);
    await chooseFiles(page, join(cli.directory, marks.name));
    await encryptInPage(page);
    await page.getByRole('button', { name: 'Create link' }).click();
    const result = page.locator('.result-link p');
    await result.waitFor();
    identityOfPage = (await result.innerText()).split('#')[1] ?? '';
  });

  for (const each of [identity, identityOfPage]) assert.equal(bytesOf(each).length, 32);
  const secrets = new Map([
    ...formsOf('the key', identity, bytesOf(identity)),
    ...formsOf('the key of the page', identityOfPage, bytesOf(identityOfPage)),
    ...formsOf('the content', marks.content),
    ...formsOf('the name', marks.name),
  ]);
  const visible = new Map([
    ['the label', Buffer.from(shown)],
    ['the code', Buffer.from(code)],
  ]);
  const isIn = (bytes: Buffer) => (wanted: ReadonlyMap<string, Buffer>) =>
    new Set([...wanted].filter(([, sequence]) => bytes.includes(sequence)).map(([name]) => name));
  const stored = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const places: Record<string, [(wanted: ReadonlyMap<string, Buffer>) => Set<string>, string[]]> = {
    requests: [isIn(Buffer.concat(recorder.sent)), ['the label', 'the code']],
    'database and files': [isIn(Buffer.concat(stored)), ['the label', 'the code']],
    log: [isIn(Buffer.from(service.output.stdout + service.output.stderr)), ['the code']],
    memory: [(wanted) => findInMemory(service.pid, wanted), ['the label', 'the code']],
  };
  for (const [place, [find, control]] of Object.entries(places)) {
    await t.test(place, () => {
      assert.deepEqual([...find(visible)], control, 'the search finds what is there');
      assert.deepEqual([...find(secrets)], []);
    });
  }
  await t.test('the search finds a secret that is there', () => {
    assert.ok(findInMemory(process.pid, secrets).has('the key as bytes'));
  });
});
