import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { COMMANDS } from '../../cli/commands.ts';
import { SERVICE_COMMANDS } from '../../cli/service-commands.ts';
import { VERSION } from '../../src/common/version.ts';
import { commandLine } from '../support/command-line.ts';
import { addKey } from '../support/keys.ts';
import { TARGET } from '../support/links.ts';
import { addPerson } from '../support/people.ts';
import { freePort } from '../support/process.ts';
import { startService } from '../support/service.ts';

describe('the settings of bin/postern', { concurrency: 2 }, () => {
  test('login stores a key that only its owner can read, and that reaches no other address', async (t) => {
    const service = await startService(t, { flags: ['--app.access=keys'] });
    const key = await addKey(service, 'ci', ['create']);
    const cli = commandLine(t, service.url);
    const wrong = await cli.run(['login', service.url], { env: {}, input: `${key}x` });
    assert.equal(wrong.code, 1);
    assert.match(
      wrong.stderr,
      /^Paste an API key\. On the machine of the service, postern keys create makes one\.\n/,
    );
    await addPerson(service, 'ada');
    const { code, stdout, stderr } = await cli.run(['login', `${service.url}/`], {
      env: {},
      input: `${key}\n`,
    });
    assert.equal(stderr, `Create an API key on ${service.url}/account, and paste it here.\n`);
    const path = join(cli.directory, '.config/postern/config.json');
    assert.deepEqual(
      [code, stdout],
      [0, `Stored ${service.url} in ${path}. Signed in as ci (scopes: create).\n`],
    );
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { url: service.url, key });
    assert.equal((await cli.call(['create', TARGET], { env: {} })).code, 0);

    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('hello');
    }).listen(0, '127.0.0.1');
    t.after(() => other.close());
    await once(other, 'listening');
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const elsewhere = await cli.call(['create', TARGET], { env: { POSTERN_URL: url } });
    assert.deepEqual([elsewhere.code, seen], [1, [undefined]]);
    assert.match(elsewhere.stderr, /does not respond as Postern does/);

    const loggedOut = await cli.call(['logout'], { env: {} });
    assert.deepEqual(
      [loggedOut.code, loggedOut.stdout],
      [0, `Removed the key of ${service.url} from ${path}.\n`],
    );
    assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { url: service.url });
    assert.match((await cli.call(['logout'], { env: {} })).stdout, /^There is no key in /);

    await cli.run(['login', service.url], { env: {}, input: `${key}\n` });
    const revoked = await cli.callJson('logout', '--revoke');
    assert.deepEqual(revoked, [{ url: service.url, removed: true, revoked: true, path }]);
    service.clock.now += 5_000; // a key is cached for two
    const again = await cli.call(['create', TARGET], { env: { POSTERN_URL: service.url, POSTERN_KEY: key } });
    assert.match(again.stderr, /Check POSTERN_KEY/);

    chmodSync(path, 0o640);
    const loose = await cli.call(['create', TARGET], { env: {} });
    assert.equal(loose.code, 2);
    assert.match(loose.stderr, /config\.json can be read by others, .*\n {2}Run: chmod 600 /);
  });

  test('an error has its exit code, its cause and its remedy', async (t) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const cli = commandLine(t, url);
    const directory = join(cli.directory, 'xdg/postern');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'config.json'), '[]', { mode: 0o600 });
    for (const [args, exitCode, expected, env] of [
      [['list'], 3, /cannot be reached: ECONNREFUSED\n {2}Check that it runs .*POSTERN_URL/],
      [['upload', 'none.txt'], 2, /there is no file \/.*none\.txt/],
      [['--limit=5', 'list'], 2, /--limit=5 stands before the command\n {2}Write options after it/],
      [['lsit'], 2, /unknown command "lsit", did you mean list\?/],
      [['open'], 2, /an argument is missing\n {2}Usage: postern open CODE\|URL/],
      [
        ['create', TARGET, '--expires=soon'],
        2,
        /--expires: "soon" is not a time\n {2}Write 2026-12-31 18:00, .* 7d/,
      ],
      [['edit', 'abc', '--pasword'], 2, /unknown option "--pasword", did you mean --password\?/],
      [['create', 'abc', '--viws=3'], 2, /unknown option "--viws", did you mean --max-views\?/],
      [['list', '--server=links.example'], 2, /address of the service \(--server\) is not valid/],
      [['list', '--limit=0'], 2, /--limit: 0 shows no link/],
      [['list', 'more'], 2, /too many arguments: more\n {2}Usage: postern list\. /],
      [['list'], 2, /config\.json is not valid/, { XDG_CONFIG_HOME: join(cli.directory, 'xdg') }],
      [['list'], 2, /the key has spaces/, { POSTERN_KEY: 'not a key' }],
    ] as [string[], number, RegExp, Record<string, string>?][]) {
      const { code, stdout, stderr } = await cli.call(args, env && { env });
      assert.deepEqual([code, stdout], [exitCode, ''], stderr);
      assert.match(stderr, expected);
    }
    const { error } = JSON.parse((await cli.call(['list', '--json'])).stderr);
    assert.deepEqual([error.exitCode, typeof error.remedy], [3, 'string']);
  });

  test('every command has a help with an example', async (t) => {
    const cli = commandLine(t, 'http://127.0.0.1:1');
    const { stdout } = await cli.call(['--help']);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+)(?: \S+)*? {2,}[A-Z].*/gm)].map(([, name]) => name);
    const names = [...SERVICE_COMMANDS, ...COMMANDS].map(({ name }) => name);
    assert.deepEqual(listed, names);
    for (const command of [...SERVICE_COMMANDS, ...COMMANDS]) {
      const help = (await cli.call([command.name, '--help'])).stdout.trimEnd();
      assert.match(
        help,
        new RegExp(`^Usage: postern ${command.name} .*\\n[^]*Examples:\\n {2}postern ${command.name} `),
      );
      assert.ok(
        help.split('\n').every((line) => line.length <= 100 || !line.trim().includes(' ')),
        command.name,
      );
    }
    assert.equal((await cli.call(['edit', '-h'])).stdout, (await cli.call(['help', 'edit'])).stdout);
    assert.match(
      (await cli.run(['serve', '-h'])).stdout,
      /^ {2}server\.port {2}SERVER_PORT or PORT\n {4}port to listen on\n {4}default: 8080$/m,
    );
    assert.equal((await cli.run(['verify', '--app.log.level=x', '--version'])).stdout, `${VERSION}\n`);
  });
});
