import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { generate } from 'lean-qr';
import { renderQrCode } from '../../cli/qr-code.ts';
import { VERSION } from '../../src/common/version.ts';
import { startBreakingProxy } from '../support/breaking-proxy.ts';
import { commandLine, POSTERN } from '../support/command-line.ts';
import { json, member, send } from '../support/http-client.ts';
import { addKey } from '../support/keys.ts';
import { auditedResults, createLink, openLink, shortCodeOf, TARGET, uploadFile } from '../support/links.ts';
import { fields, file, sendForm } from '../support/multipart.ts';
import { addPerson } from '../support/people.ts';
import { startCommand } from '../support/process.ts';
import { startService, testClock } from '../support/service.ts';
import { SECRET } from '../support/webhook-receiver.ts';

const cleanup = { after };
const service = await startService(cleanup, { clock: testClock(Date.now()) });
const key = await addKey(service, 'ci', ['create', 'read', 'manage']);

describe('bin/postern', { concurrency: 2 }, () => {
  test('bin/postern creates, edits, opens, shows, lists and revokes a link', async (t) => {
    const cli = commandLine(t, service.url, key);
    const created = await cli.call(
      ['create', 'example.com/offer', '--max-views=5', '--label', 'Spring', '--recipient=Ann'],
      { columns: 120 },
    );
    assert.deepEqual([created.code, /It is shown only now/.test(created.stderr)], [0, true]);
    const [, code = ''] = /^Link +\S+\/l\/(\w{8})$/m.exec(created.stdout) ?? [];
    assert.match(created.stdout, /^Target +https:\/\/example\.com\/offer\nToken +link_\S{43}$/m);
    writeFileSync(join(cli.directory, 'contract.pdf'), 'content');
    const file = await cli.run(['create', 'contract.pdf']);
    assert.equal(file.code, 2);
    assert.match(file.stderr, /contract\.pdf is a file\n {2}Use: postern upload contract\.pdf/);

    service.clock.now += 1_000;
    const edited = await cli.callJson('edit', code, '--max-views', 'none', '--tags=a,b', '--expires=7d');
    const [{ maxViews, tags, version, expiresAt } = {}] = edited;
    assert.deepEqual([maxViews, tags, version], [null, ['a', 'b'], 1]);
    assert.ok(Math.abs(Date.parse(String(expiresAt)) - Date.now() - 7 * 86_400_000) < 60_000);
    const stale = await cli.call(['edit', code, '--pause', '--if-version=0']);
    assert.deepEqual([stale.code, stale.stdout], [1, '']);

    service.clock.now += 1_000;
    assert.equal((await cli.call(['open', code])).stdout, 'https://example.com/offer\n');
    const listed = await cli.call(['list', '--search', 'offer', '--state=active,paused']);
    assert.match(
      listed.stdout,
      new RegExp(
        `^CODE .*LABEL +RECIPIENT +TARGET\\n${code}  ACTIVE +1  .*  Spring +Ann +https://example\\.com/offer\\n$`,
      ),
    );
    assert.match(listed.stderr, /^Times are in the time zone \S+\.$/m);
    const narrow = await cli.call(['list', '--search', 'offer'], { columns: 80 });
    assert.match(narrow.stdout, /^.{1,80}\n.* \d{4}-\d\d-\d\d {2}.* example\.com\S+\n$/);
    const history = await cli.call(['history', `${service.url}/l/${code}`]);
    const entries = history.stdout.split('\n').map((line) => line.split(/ {2,}/));
    assert.deepEqual(
      entries.slice(1, -1).map(([, entry, by]) => [entry, by]),
      [
        ['CREATED', 'key ci'],
        ['CHANGED', 'key ci'],
        ['PREVIEW', '127.0.0.1'],
        ['SUCCESS', '127.0.0.1'],
      ],
    );
    assert.match(history.stdout, /maxViews 5 → none/);
    assert.match((await cli.call(['show', code])).stdout, /^Created +[\d-]+ [\d:]+ \(\S+\)$/m);
    assert.match((await cli.call(['history', code, '--result=success'])).stdout, /SUCCESS/);
    assert.match((await cli.call(['verify', code])).stdout, /4 entries, complete and unchanged/);
    assert.deepEqual(await cli.callJson('revoke', code), [{ shortCode: code, revoked: true }]);
    const refused = await cli.call(['open', code, '--json']);
    assert.deepEqual([refused.code, JSON.parse(refused.stderr).error.code], [1, 'REVOKED']);
  });

  test('a text is read from standard input, and printed without what controls a terminal', async (t) => {
    const cli = commandLine(t, service.url, key);
    const input = 'door\u001b[31m code\r\n4711';
    const create = async (...more: string[]) =>
      JSON.parse((await cli.run(['create', '--text', '--json', ...more], { input })).stdout);
    const first = await create('-');
    assert.deepEqual([first.maxViews, first.confirm], [1, undefined]);
    assert.equal((await cli.run(['open', first.shortCode])).stdout, input);
    const second = await create('--max-views', 'none');
    assert.equal(second.maxViews, null);
    const shown = await cli.call(['open', second.shortCode], { columns: 80 });
    assert.equal(shown.stdout, 'door\ufffd[31m code\n4711\n');
    assert.deepEqual(await cli.callJson('open', second.shortCode), [{ type: 'TEXT', text: input }]);
    for (const words of [['create'], ['create', '--text', 'secret'], ['create', '--text', '--password']])
      assert.equal((await cli.call(words)).code, 2, words.join(' '));
  });

  test('a new link is alone on standard output, except on a terminal', async (t) => {
    const cli = commandLine(t, service.url, key);
    const LINK = /^https?:\/\/\S+\/l\/\w{8}\n$/;
    const piped = await cli.call(['create', TARGET]);
    assert.match(piped.stdout, LINK);
    assert.match(piped.stderr, /^Expires +never$/m);
    assert.match(piped.stderr, /The token of the link is not shown here/);
    assert.doesNotMatch(piped.stderr, /link_/, 'a log may keep it');
    const toPerson = await cli.call(['create', TARGET], { errorColumns: 80 });
    assert.match(toPerson.stdout, LINK);
    assert.match(toPerson.stderr, /^Token +link_\S{43}$/m);
    const quiet = await cli.call(['create', TARGET, '--quiet'], { columns: 80 });
    assert.match(quiet.stdout, LINK);
    assert.equal(quiet.stderr, '');
    const withCode = await cli.call(['create', TARGET, '-q', '--qr'], { columns: 80 });
    const [link = '', ...lines] = withCode.stdout.trimEnd().split('\n');
    assert.equal(lines.join('\n'), renderQrCode(link));
    const pipedCode = await cli.call(['create', TARGET, '-q', '--qr']);
    assert.match(pipedCode.stdout, LINK);
    assert.equal(pipedCode.stderr.trimEnd(), renderQrCode(pipedCode.stdout.trim()));
    const refused = await cli.call(['create', TARGET, '--qr', '--json']);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
  });

  test('a QR code on a terminal has two modules in each character', () => {
    const code = generate('https://links.example/l/eSWNHQJv');
    const rows = renderQrCode('https://links.example/l/eSWNHQJv').split('\n');
    const modules = rows.map((row) => [...stripVTControlCharacters(row)]);
    for (let y = 0; y < code.size; y++) {
      for (let x = 0; x < code.size; x++) {
        const character = modules[(y + 4) >> 1]?.[x + 4] ?? '';
        assert.equal(((y + 4) % 2 === 0 ? '█▀' : '█▄').includes(character), code.get(x, y), `${x}, ${y}`);
      }
    }
  });

  test('upload - sends standard input under the name of --name', async (t) => {
    const cli = commandLine(t, service.url);
    const content = 'x'.repeat(200_000);
    const args = ['upload', '-', '--name', 'notes.txt', '--json'];
    const { stdout } = await cli.run(args, { input: content });
    const { shortCode, sha256 } = JSON.parse(stdout);
    assert.equal(sha256, hash('sha256', content));
    const opened = await openLink(service, shortCode);
    assert.match(String(opened.headers['content-disposition']), /filename="notes\.txt"/);
    assert.equal(opened.text, content);
    for (const [more, message] of [
      [[], /standard input has no name\n {2}Give --name NAME/],
      [['--name=a', '--password'], /--password and - both read standard input/],
    ] as const) {
      const refused = await cli.call(['upload', '-', ...more]);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, message);
    }
  });

  test('a list fits the terminal, and keeps the label and the recipient', async (t) => {
    const cli = commandLine(t, service.url, key);
    const terms = [
      '--label=Quarterly report',
      '--recipient=Zo\u00eb Example',
      '--expires=7d',
      '--max-views=1000000',
    ];
    await cli.callJson('create', `${TARGET}?fitting`, '--code=a-code-of-20-letters', ...terms);
    for (const [columns, titles] of [
      [120, ['CODE', 'STATE', 'VIEWS', 'CREATED', 'EXPIRES', 'LABEL', 'RECIPIENT', 'TARGET']],
      [80, ['CODE', 'STATE', 'VIEWS', 'LABEL', 'RECIPIENT', 'TARGET']],
      [50, ['CODE', 'LABEL', 'RECIPIE…', 'TARGET']],
    ] as const) {
      const { stdout } = await cli.call(['list', '--search=fitting'], { columns });
      const [head = '', row = ''] = stdout.split('\n');
      assert.deepEqual(head.split(/ +/), titles, `${columns}`);
      assert.ok(row.length <= columns, row);
      assert.match(row, /^a-code-of-20-letters .*Quarter.* Zo/);
    }
  });

  test('a link is transferred to a person, and listed by its owner', async (t) => {
    await addPerson(service, 'ada');
    const cli = commandLine(t, service.url, key);
    const [kept, given] = [
      await cli.callJson('create', `${TARGET}?owned`),
      await cli.callJson('create', `${TARGET}?owned`),
    ];
    const [{ shortCode: own = '' } = {}, { shortCode: other = '' } = {}] = [kept[0], given[0]];
    const edited = await cli.call(['edit', String(other), '--owner=ada', '--team=none']);
    assert.match(edited.stdout, /^Owner +ada \(user\)$/m);
    const { stdout } = await cli.call(['list', '--search=owned'], { columns: 120 });
    const owners = stdout
      .split('\n')
      .map((line) => [line.slice(0, 8).trim(), /(OWNER|ada|ci) /.exec(line)?.[1]]);
    assert.deepEqual(Object.fromEntries(owners), {
      ...{ CODE: 'OWNER', [String(own)]: 'ci', [String(other)]: 'ada' },
      '': undefined,
    });
    const mine = await cli.callJson('list', '--search=owned', '--mine');
    assert.deepEqual(
      mine.map(({ shortCode }) => shortCode),
      [own],
    );
    const refused = await cli.call(['create', TARGET, '--team=nobody']);
    assert.match(refused.stderr, /^postern: team: must be the name of a team/);
  });

  test('options set and remove what a link passes on, and its fallback', async (t) => {
    const cli = commandLine(t, service.url, key);
    const options = ['--forward-path', '--forward-query', '--fallback-url=example.com/ended'];
    const [{ shortCode } = {}] = await cli.callJson('create', TARGET, ...options);
    const code = String(shortCode);
    const { stdout } = await cli.call(['show', code]);
    assert.match(stdout, /^Forward path +yes\nForward query +yes$/m);
    assert.match(stdout, /^Fallback url +https:\/\/example\.com\/ended$/m);
    const removed = ['--no-forward-path', '--fallback-url=none', '--target=example.com/other'];
    const [edited = {}] = await cli.callJson('edit', code, ...removed);
    const { forwardPath, forwardQuery, fallbackUrl, targetUrl } = edited;
    assert.deepEqual(
      { forwardPath, forwardQuery, fallbackUrl, targetUrl },
      { forwardPath: false, forwardQuery: true, fallbackUrl: null, targetUrl: 'https://example.com/other' },
    );
  });

  test('bin/postern uses the token of a link in place of a key', async (t) => {
    const cli = commandLine(t, service.url);
    const [{ shortCode = '', token = '' } = {}] = await cli.callJson('create', TARGET);
    const code = String(shortCode);
    const refused = await cli.call(['history', code]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^postern: .*\n {2}Set POSTERN_KEY, or run postern login; .* --token/);
    const env = { POSTERN_URL: service.url, POSTERN_KEY: 'wrong' };
    assert.match(
      (await cli.call(['history', code], { env })).stderr,
      /\n {2}Check POSTERN_KEY, or run postern login with another key/,
    );
    const { stdout } = await cli.run(['history', code, '--json', '--token=-'], {
      input: `${token}\n`,
      env: { POSTERN_URL: service.url },
    });
    assert.equal(JSON.parse(stdout).kind, 'CREATED');
    const revoke = ['revoke', code, 'nosuch'];
    assert.equal((await cli.call(['revoke', code, '--token', String(token)])).code, 0);
    assert.match(
      (await cli.call(revoke, { env: { POSTERN_URL: service.url, POSTERN_KEY: key } })).stderr,
      /^postern: nosuch: Link not found/,
    );
  });

  test('bin/postern uploads a file, and saves it without replacing another', async (t) => {
    const cli = commandLine(t, service.url);
    const content = Buffer.alloc(300_000, 'x');
    writeFileSync(join(cli.directory, 'Bericht ü.txt'), content);
    const uploaded = join(cli.directory, 'Bericht ü.txt');
    const [{ shortCode, sha256 } = {}] = await cli.callJson('upload', uploaded, '--recipient=Zoë');
    assert.equal(sha256, hash('sha256', content));
    assert.match(
      (await cli.call(['show', String(shortCode)])).stdout,
      new RegExp(`^SHA-256 +${sha256}$`, 'm'),
    );
    const link = `${service.url}/l/${shortCode}`;
    const saved = await cli.run(['open', link, '--json']);
    const file = join(cli.directory, 'Bericht ü (1).txt');
    assert.deepEqual(JSON.parse(saved.stdout), {
      type: 'DOWNLOAD',
      file,
      sizeBytes: content.length,
      sha256,
    });
    assert.ok(readFileSync(file).equals(content));
    assert.equal((await cli.run(['open', link, '-o', '-'])).stdout, content.toString());
    const taken = await cli.call(['open', link, '--output', uploaded]);
    assert.deepEqual([taken.code, auditedResults(service, String(shortCode)).length], [2, 3]);
  });

  test('bin/postern refuses a file that is too large before it is sent', async (t) => {
    const service = await startService(t, { flags: ['--app.upload.max-size=1KB'] });
    const cli = commandLine(t, service.url);
    writeFileSync(join(cli.directory, 'large.bin'), Buffer.alloc(50_000_000));
    const { code, stderr } = await cli.call(['upload', join(cli.directory, 'large.bin'), '--json']);
    assert.deepEqual([code, JSON.parse(stderr).error.code], [1, 'FILE_TOO_LARGE']);
  });

  test('bin/postern continues a download whose connection breaks, under the same view', async (t) => {
    const content = randomBytes(8 * 1024 ** 2);
    const code = await uploadFile(service, content, { fields: { maxViews: '1' } });
    const cli = commandLine(t, await startBreakingProxy(t, service.url, 3 * 1024 ** 2), key);
    const { code: exitCode } = await cli.call(['open', code, `--output=${join(cli.directory, 'copy.bin')}`]);
    assert.equal(exitCode, 0);
    assert.ok(readFileSync(join(cli.directory, 'copy.bin')).equals(content));
    assert.deepEqual(auditedResults(service, code), ['PREVIEW', 'SUCCESS']);
  });

  test('bin/postern leaves no incomplete download', async (t) => {
    const cli = commandLine(t, service.url);
    const known = service.storedFiles();
    const code = await uploadFile(service, 'short content', { fileName: 'short.txt' });
    const stored = service
      .storedFiles()
      .find((path) => !known.includes(path) && readFileSync(path, 'utf8') === 'short content');
    writeFileSync(stored ?? '', 'cont'); // shorter than its link says
    const part = join(cli.directory, 'part.txt');
    const { code: exitCode } = await cli.call(['open', code, '--output', part]);
    assert.deepEqual([exitCode, existsSync(part)], [1, false]);
  });

  test('bin/postern edit replaces the file of a link, which verify distinguishes from the former one, and changes its short code', async (t) => {
    const cli = commandLine(t, service.url, key);
    const [former, latest] = ['a.txt', 'b.txt'].map((name) => join(cli.directory, name));
    assert.ok(former && latest);
    writeFileSync(former, 'content');
    writeFileSync(latest, 'other content');
    const code = await uploadFile(service, 'content');
    const edited = await cli.call(['edit', code, '--file', latest, '--name', 'c.txt', '--if-version', '0']);
    assert.deepEqual([edited.code, edited.stdout.includes('c.txt')], [0, true], edited.stderr);
    const outdated = await cli.call(['edit', code, '--file', latest, '--if-version', '0']);
    assert.deepEqual([outdated.code, outdated.stderr.includes('another version')], [1, true]);
    const ofFormer = await cli.call(['verify', code, '--file', former]);
    assert.match(ofFormer.stdout, /a\.txt was the file of the link until entry 2, which replaced it/);
    const ofLatest = await cli.call(['verify', code, '--file', latest]);
    assert.match(ofLatest.stdout, /b\.txt is the file of the link/);
    assert.deepEqual([ofFormer.code, ofLatest.code], [0, 0]);
    const renamed = await cli.call(['edit', code, '--short-code', 'new-code']);
    assert.deepEqual([renamed.code, renamed.stdout.includes('/l/new-code')], [0, true], renamed.stderr);
    assert.equal((await cli.call(['edit', code, '--random-code'])).code, 1, 'it is revoked');
    const both = await cli.call(['edit', code, '--file', latest, '--label', 'x']);
    assert.deepEqual([both.code, both.stderr.includes('one at a time')], [2, true]);
  });

  test('bin/postern compares one file of several, and says that a ZIP cannot be compared', async (t) => {
    const cli = commandLine(t, service.url, key);
    const [zip, one, exported] = ['got.zip', 'a.txt', 'h.ndjson'].map((name) => join(cli.directory, name));
    assert.ok(zip && one && exported);
    writeFileSync(one, 'a');
    const parts = [...fields({ label: 'x' }), file('a', 'a.txt'), file('b', 'b.txt')];
    const code = shortCodeOf(await sendForm(service, parts));
    writeFileSync(zip, 'PK');
    await cli.call(['history', code, '--export', exported]);
    for (const source of [[code], ['--export', exported]]) {
      for (const [path, expected] of [
        [zip, /got\.zip is not compared: the link had several files/],
        [one, /a\.txt is a\.txt, one of the files of the link/],
      ] as const) {
        const compared = await cli.call(['verify', ...source, '--file', path]);
        assert.equal(compared.code, 0, compared.stdout);
        assert.match(compared.stdout, expected);
        assert.doesNotMatch(compared.stdout, /is the file of the link|another file/);
      }
    }
  });

  test('bin/postern compares a file with that of a link, an export or a certificate', async (t) => {
    const cli = commandLine(t, service.url, key);
    const [file, other, exported] = ['a.txt', 'b.txt', 'h.ndjson'].map((name) => join(cli.directory, name));
    assert.ok(file && other && exported);
    writeFileSync(file, 'content');
    writeFileSync(other, 'Content');
    const code = await uploadFile(service, 'content');
    await cli.call(['history', code, '--export', exported]);
    for (const source of [[code], ['--export', exported], ['--sha256', hash('sha256', 'content')]]) {
      const same = await cli.call(['verify', ...source, '--file', file]);
      assert.deepEqual(
        [same.code, same.stdout.includes(`${file} is the file of the link`)],
        [0, true],
        same.stderr,
      );
      const different = await cli.call(['verify', ...source, '--file', other]);
      assert.equal(different.code, 1);
      assert.match(different.stdout, /b\.txt has the SHA-256 \w{64}, but the file of the link has \w{64}/);
      const { stdout } = await cli.call(['verify', ...source, '--file', other, '--json']);
      assert.deepEqual([member(JSON.parse(stdout), 'count'), member(JSON.parse(stdout), 'proved')], [1, []]);
    }
    for (const [words, expected] of [
      [['--sha256', hash('sha256', '')], /--sha256 goes with --file/],
      [['--sha256', 'ab', '--file', file], /--sha256: "ab" is not 64 hexadecimal digits/],
      [[code, '--file', join(cli.directory, 'none')], /there is no file/],
      [['--file', file], /needs either a short code, --export FILE or --sha256 S/],
    ] as const) {
      const refused = await cli.call(['verify', ...words]);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, expected);
    }
  });

  test('bin/postern creates, opens and shows a link of another domain without /l/', async (t) => {
    const flags = ['--app.short-path=/', '--app.hosts=go.example'];
    const other = await startService(t, { flags });
    const cli = commandLine(t, other.url, await addKey(other, 'ci', ['create', 'read', 'manage']));
    const args = ['create', TARGET, '--host=go.example', '--code=größe/v1', '--quiet'];
    assert.equal((await cli.call(args)).stdout, 'http://go.example:8080/gr%C3%B6%C3%9Fe/v1\n');
    assert.equal((await cli.call(['open', `${other.url}/gr%C3%B6%C3%9Fe/v1`])).stdout, `${TARGET}\n`);
    for (const word of [
      'größe/v1',
      'https://go.example/gr%C3%B6%C3%9Fe/v1',
      'https://x.example/l/größe/v1',
    ]) {
      const [shown = {}] = await cli.callJson('show', word);
      assert.equal(shown['shortCode'], 'größe/v1', word);
    }
    const [edited = {}] = await cli.callJson('edit', 'größe/v1', '--host=none');
    assert.match(String(edited['accessUrl']), /^http:\/\/localhost:8080\//);
  });

  test('bin/postern says how to go on without the whole response: another digest, a signal, or a lost link', async (t) => {
    const cli = commandLine(t, service.url);
    const server = createServer(({ method, url }, response) => {
      if (url?.startsWith('/api/')) return void response.destroy();
      if (method === 'POST') return void response.end('{"type":"DOWNLOAD"}');
      response.setHeader('content-disposition', 'attachment; filename="a.txt"');
      response.setHeader('repr-digest', `sha-512=:AA==:, sha-256=:${hash('sha256', 'content', 'base64')}:`);
      if (!url?.includes('lost')) return void response.end('Content');
      response.setHeader('content-location', './lost/lease_x/a.txt');
      response.write('Content');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const opened = await cli.call(['open', `http://127.0.0.1:${port}/l/eSWNHQJv`]);
    assert.deepEqual([opened.code, existsSync(join(cli.directory, 'a.txt'))], [1, false]);
    assert.match(opened.stderr, /a\.txt was not saved: its bytes have another SHA-256/);
    const interrupted = cli.start(['open', `http://127.0.0.1:${port}/l/lost`, '--output=-']);
    await interrupted.waitForOutput(({ stdout }) => stdout === 'Content');
    interrupted.signal('SIGINT');
    const { code, stderr } = await interrupted.exited;
    assert.equal(code, 130);
    assert.match(stderr, /not saved: interrupted\n {2}This address has it without another view: \S+lease_x/);
    const env = { POSTERN_URL: `http://127.0.0.1:${port}` };
    writeFileSync(join(cli.directory, 'links.csv'), 'targetUrl\na.example\n');
    for (const words of ['create a.example', 'request a', 'upload - --name=a', 'bulk links.csv']) {
      const lost = await cli.run(words.split(' '), { env });
      assert.match(
        `${lost.code} ${lost.stderr}`,
        /^3 .*\n {2}(?:The link|Links) may have been created .* list --mine/,
      );
    }
  });

  test('bin/postern asks for a password without showing it, and reads it from standard input without a terminal', async (t) => {
    const cli = commandLine(t, service.url);
    const { stdout } = await cli.run(['create', TARGET, '--password', '--json'], {
      input: 'ópen sesame\nmore',
      env: { POSTERN_URL: service.url },
    });
    const code = String(JSON.parse(stdout).shortCode);
    assert.equal((await openLink(service, code, { 'x-link-password': 'guess' })).status, 401);
    const piped = await cli.run(['open', code], { input: 'ópen sesame', env: { POSTERN_URL: service.url } });
    assert.deepEqual([piped.code, piped.stdout], [0, `${TARGET}\n`]);

    const wait = 'for i in {1..600}; do grep -q Password screen && break; sleep 0.1; done 2>/dev/null';
    const shell = `${wait}; printf 'ópen sesamf\\177e\\r'`;
    const terminal = `(${shell}) | script --quiet --flush --return --command "$0 open $1" screen`;
    // A machine that stops for a moment after the question, while it is answered.
    const slow = `
      const write = process.stderr.write.bind(process.stderr);
      process.stderr.write = (text) => {
        write(text);
        if (text.startsWith('Password')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      };`;
    writeFileSync(join(cli.directory, 'slow.js'), slow);
    const running = startCommand(t, ['bash', '-c', terminal, POSTERN, code], {
      cwd: cli.directory,
      env: {
        ...{ PATH: '/usr/bin:/bin', HOME: cli.directory, POSTERN_URL: service.url },
        NODE_OPTIONS: '--import=./slow.js',
      },
    });
    const typed = await running.exited;
    assert.equal(typed.code, 0);
    assert.match(typed.stdout, /Password of the link: \r\n/);
    assert.ok(typed.stdout.includes(TARGET));
    assert.doesNotMatch(typed.stdout, /sesam/);
  });

  test('bin/postern shows who is notified only to those who may change the link', async (t) => {
    const flags = [
      ...[`--app.webhooks.secret=${SECRET}`, '--app.webhooks.per-link=everyone'],
      ...['--app.mail.url=smtp://127.0.0.1:9', '--app.mail.from=links@example.com'],
      ...['--app.mail.recipients=example.org', '--app.mail.per-link=everyone'],
    ];
    const cli = commandLine(t, (await startService(t, { flags })).url);
    const notify = ['--notify-url=https://hooks.example.org/links', '--notify-email=me@example.org'];
    const [{ shortCode, token } = {}] = await cli.callJson('create', TARGET, ...notify);
    const code = String(shortCode);
    const own = ['--token', String(token)];
    const receivers = /^Notify email +me@example\.org\nNotify url +https:\/\/hooks\.example\.org\/links$/m;
    assert.match((await cli.call(['edit', code, '--max-views=5', ...own])).stdout, receivers);
    assert.match((await cli.call(['show', code, ...own])).stdout, receivers);
    assert.doesNotMatch((await cli.call(['show', code])).stdout, /Notify|Target/);
    const documents = [await cli.callJson('edit', code, '--max-views=6', ...own)];
    documents.push(await cli.callJson('show', code, ...own));
    assert.deepEqual(
      documents.map(([link]) => [link?.['notifyUrl'], link?.['notifyEmail'], link?.['version']]),
      Array(2).fill(['https://hooks.example.org/links', 'me@example.org', 2]),
    );
  });

  test('a link with limited views has a confirmation page, unless the options say otherwise', async (t) => {
    const cli = commandLine(t, service.url);
    const file = join(cli.directory, 'offer.txt');
    writeFileSync(file, 'content');
    const confirmOf = async (...args: string[]) => (await cli.callJson(...args))[0]?.['confirm'];
    for (const creation of [
      ['create', TARGET],
      ['upload', file],
    ]) {
      assert.equal(await confirmOf(...creation), false);
      assert.equal(await confirmOf(...creation, '--max-views=1'), true);
      assert.equal(await confirmOf(...creation, '--max-views=1', '--no-confirm'), false);
      assert.equal(await confirmOf(...creation, '--confirm'), true);
    }
    const both = await cli.call(['create', TARGET, '--confirm', '--no-confirm']);
    assert.deepEqual([both.code, both.stdout], [2, '']);
  });

  test('bin/postern creates a link for each row of a file, and says which rows were refused', async (t) => {
    const cli = commandLine(t, service.url);
    const file =
      'Target URL;recipient;password;confirm\nhttps://a.example/;Ann;;\nnonsense;Bob;;\n"https://b.example/?a;b";"C ""y""";secret-1;no\n';
    writeFileSync(join(cli.directory, 'r.csv'), file);
    const { code, stdout, stderr } = await cli.run(['bulk', 'r.csv', '--max-views=1', '-o', 'out.csv']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /postern: 1 of 3 links refused\n {2}The result has the error.* correct only the refused rows/,
    );
    const written = readFileSync(join(cli.directory, 'out.csv'), 'utf8');
    const lines = written.trimEnd().split('\r\n');
    assert.equal(
      lines[0],
      'row;status;accessUrl;shortCode;token;targetUrl;label;recipient;fingerprint;error',
    );
    assert.match(
      lines[1] ?? '',
      /^2;201;http\S+\/l\/(\w{8});\1;link_[\w-]{43};https:\/\/a\.example\/;;Ann;[0-9a-f]{64};$/,
    );
    assert.equal(lines[2], '3;400;;;;nonsense;;Bob;;targetUrl: must be a valid URL');
    assert.match(lines[3] ?? '', /;"https:\/\/b\.example\/\?a;b";;"C ""y""";[0-9a-f]{64};$/);
    const codes = [lines[1], lines[3]].map((line = '') => line.split(';')[3] ?? '');
    const confirmed = codes.map(async (made) => {
      const response = await send(service, `/api/links/${made}`);
      return member(json(response), 'confirm');
    });
    assert.deepEqual(await Promise.all(confirmed), [true, false]);
    assert.doesNotMatch(written, /secret-1/);
    assert.equal(statSync(join(cli.directory, 'out.csv')).mode & 0o777, 0o600);
  });

  test('bin/postern fails when the tokens of new links can no longer be printed', async (t) => {
    const cli = commandLine(t, service.url);
    const options = {
      cwd: cli.directory,
      env: { PATH: '/usr/bin:/bin', HOME: cli.directory, POSTERN_URL: service.url },
    };
    // The reader has ended before anything is printed.
    const runUnread = (command: string) => {
      const script = `exec 3> >(true); wait $!; "$0" ${command} >&3`;
      return startCommand(t, ['bash', '-c', script, POSTERN], options).exited;
    };
    const rows = Array.from({ length: 1_001 }, (_, index) => `https://example.com/${index}`);
    writeFileSync(join(cli.directory, 'many.csv'), `targetUrl\n${rows.join('\n')}\n`);
    const bulk = await runUnread('bulk many.csv');
    assert.equal(bulk.code, 1);
    assert.match(
      bulk.stderr,
      /standard output was closed .*\n {2}Rows 1 to 1000 of 1001 are done: .* --output FILE for the others/,
    );
    const manager = commandLine(t, service.url, key);
    const listed = await manager.call(['list', '--search=example.com/1000', '--json']);
    assert.deepEqual([listed.code, listed.stdout], [0, ''], 'no more links are created');
    const created = await runUnread(`create ${TARGET}`);
    assert.equal(created.code, 1);
    assert.match(created.stderr, /\n {2}The link \w{8} was created, but its token is lost/);
    assert.deepEqual(await runUnread('bulk --help'), { code: 0, signal: null, stdout: '', stderr: '' });
  });

  test('bin/postern follows the history of a link', async (t) => {
    const code = await createLink(service);
    for (let opened = 0; opened < 3; opened++) await openLink(service, code);
    const cli = commandLine(t, service.url, key);
    const running = cli.start(['history', code, '--follow', '--limit=1', '--json']);
    const count = (stdout: string): number => stdout.split('\n').length - 1;
    await running.waitForOutput(({ stdout }) => count(stdout) === 1);
    await openLink(service, code, { 'user-agent': 'later' });
    await running.waitForOutput(({ stdout }) => stdout.includes('"later"'));
    assert.equal(count(running.output.stdout), 2, 'what the limit left out is not shown later');
    running.signal('SIGINT');
  });

  test('bin/postern exports a history to a file, which it does not replace', async (t) => {
    const code = await createLink(service);
    await openLink(service, code);
    const cli = commandLine(t, service.url, key);
    const file = join(cli.directory, 'history.ndjson');
    assert.equal((await cli.call(['history', code, '--export', file])).stdout, `${file}\n`);
    const content = readFileSync(file, 'utf8');
    assert.match((await cli.call(['verify', '--export', file])).stdout, /2 entries, complete and unchanged/);
    assert.match(
      (await cli.call(['verify', '--export='])).stderr,
      /--export: the name of the file is missing/,
    );
    const again = await cli.call(['history', code, '--export', file]);
    assert.deepEqual([again.code, readFileSync(file, 'utf8')], [2, content]);
    assert.match(again.stderr, /history\.ndjson exists already\n {2}Choose another name with --export/);
    assert.equal((await cli.call(['history', code, '--export=-', '--limit=1'])).code, 2);
  });

  test('bin/postern runs through a link, as npx makes one', async (t) => {
    const cli = commandLine(t, 'http://127.0.0.1:1');
    const command = ['bash', '-c', 'ln -s "$0" npx-postern && ./npx-postern --version', POSTERN];
    const env = { PATH: '/usr/bin:/bin' };
    const { code, stdout } = await startCommand(t, command, { cwd: cli.directory, env }).exited;
    assert.deepEqual([code, stdout], [0, `${VERSION}\n`]);
  });
});
