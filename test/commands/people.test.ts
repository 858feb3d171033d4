import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { SCOPES } from '../../src/core/model/people/caller.ts';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';
import { codeOf, newChange, redirectLink } from '../support/attempts.ts';
import { recordSecret } from '../support/log-secrets.ts';
import { cookieOf, PASSWORD, sendFromPage, signIn } from '../support/people.ts';
import { type Exit, startProgram, startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { withoutWaiting } from '../support/service-command.ts';
import { STORE_PLACES } from '../support/store-places.ts';

type Place = { flags: string[] };

const onSqlite = (directory: string): Place => ({
  flags: [`--app.database.url=sqlite:${join(directory, 'postern.db')}`],
});

function people(t: TestContext, { flags }: Place, ...argv: string[]): Promise<Exit> {
  return startProgram(t, ['cli/main.ts', 'people', ...argv, ...flags]).exited.then(withoutWaiting);
}

/** Runs a command that prints a link as its last line. Returns the secret of the link. */
async function linkOf(t: TestContext, place: Place, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await people(t, place, ...argv);
  assert.deepEqual([code, stderr], [0, '']);
  const url = new URL(stdout.trimEnd().split('\n').at(-1) ?? '');
  assert.equal(url.pathname, '/sign-in');
  assert.match(url.hash, /^#setup_[\w-]{43}$/);
  return url.hash.slice(1);
}

for (const [name, makePlace] of STORE_PLACES) {
  test(`postern people adds a person on ${name} before the first start, with the hash of a link`, async (t) => {
    const place = await makePlace(t);
    const flags = [`--app.database.url=${place.databaseUrl}`, '--app.database.must-exist=false'];
    const argv = ['add', 'Ada', '--scopes=read,create', '--email=Ada@Example.com', '--emergency'];
    const token = await linkOf(t, { flags }, ...argv);
    const store = await place.openStore();
    const ada = await store.people.findPerson('ada');
    await store.close();
    assert.deepEqual([ada?.scopes, ada?.email], [['create', 'read'], 'ada@example.com']);
    assert.deepEqual([ada?.isEmailVerified, ada?.isEmergency, ada?.passwordHash], [true, true, null]);
    assert.equal(ada?.link?.hash, hashSecret(token));
    assert.ok(!JSON.stringify(await place.dump()).includes(token));
  });

  test(`postern people gives the name of an owner of links on ${name} only with --owns-links`, async (t) => {
    const place = await makePlace(t);
    const flags = [`--app.database.url=${place.databaseUrl}`];
    const store = await place.openStore();
    await store.create(redirectLink(codeOf(1), { owner: 'USER ada' }), newChange());
    await store.close();
    const refused = await people(t, { flags }, 'add', 'Ada', '--scopes=create');
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /name: is taken, .*owns links; choose another; if a user .* is this person, add --owns-links/,
    );
    await linkOf(t, { flags }, 'add', 'Ada', '--scopes=create', '--owns-links');
  });
}

describe('postern people', { concurrency: 2 }, () => {
  test('a person is added, listed, reset and deactivated while a service runs', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await startServiceProcess(t, directory, { flags: ['--app.access=keys'] });
    const place = onSqlite(directory);
    const token = await linkOf(t, place, 'add', 'ada', '--scopes=create,read');
    const set = (secret: string, newPassword: string) =>
      sendFromPage(service, 'PUT', '/api/password', { token: secret, newPassword });
    recordSecret(PASSWORD);
    assert.equal((await set(token, PASSWORD)).status, 204);
    const listed = await people(t, place, 'list');
    assert.match(listed.stdout, /^name +scopes +created +last sign-in +signs in with +state$/m);
    assert.match(listed.stdout, /^ada +create,read +\d{4}-\S+Z +\d{4}-\S+Z +password +active$/m);
    assert.match(
      listed.stdout,
      /^admin +create,read,manage,metrics,admin +\S+Z +never +nothing yet +invited$/m,
    );
    assert.doesNotMatch(listed.stdout, /argon2|setup_/);
    assert.equal((await people(t, place, 'space')).stdout, 'owner  used     files\ntotal  0 bytes  0\n');
    assert.equal((await set(await linkOf(t, place, 'reset', 'ADA'), `${PASSWORD} two`)).status, 204);
    assert.equal((await signIn(service, { name: 'ada', password: PASSWORD })).status, 401);
    const session = cookieOf(await signIn(service, { name: 'ada', password: `${PASSWORD} two` }));
    await sendFromPage(service, 'POST', '/api/links', { targetUrl: 'https://example.com/' }, session);
    const added = await people(t, place, 'add', 'bob', '--scopes=create');
    assert.doesNotMatch(added.stdout, /app\.access/);
    assert.match(
      (await people(t, place, 'scopes', 'bob', '--scopes=read')).stdout,
      /has the scopes read now/,
    );
    assert.match((await people(t, place, 'deactivate', 'ada')).stderr, /owns links.*--links-to=NAME/);
    const { stdout } = await people(t, place, 'deactivate', 'ada', '--links-to=BOB');
    assert.match(stdout, /^Deactivated the person "ada", and .* The links belong to "bob" now\.$/m);
    assert.equal((await signIn(service, { name: 'ada', password: `${PASSWORD} two` })).status, 401);
    for (const [argv, error] of [
      [['add', 'ADA', '--scopes=read'], /name: is taken, .*choose another/],
      [['reset', 'ada'], /There is no person with this name, or it was deactivated; postern people list/],
      [['deactivate', 'unknown'], /There is no person with this name/],
      [['deactivate', 'admin'], /This is the last person with the scope admin/],
      [['scopes', 'admin', '--scopes=read'], /This is the last person with the scope admin/],
      [['deactivate', 'bob', '--links-to=ada'], /linksTo: must be the name of an active person/],
    ] as const) {
      const { code, stderr } = await people(t, place, ...argv);
      assert.equal(code, /^ {2}- linksTo/m.test(stderr) ? 2 : 1);
      assert.match(stderr, error);
    }
    assert.match((await people(t, place, 'activate', 'ada')).stdout, /is active\./);
    assert.equal((await signIn(service, { name: 'ada', password: `${PASSWORD} two` })).status, 204);
    service.signal('SIGTERM');
    assert.equal((await service.exited).code, 0);
  });

  test('the output of add says that the running service is open, and its help lists the scopes', async (t) => {
    const directory = temporaryDirectory(t);
    const service = await startServiceProcess(t, directory);
    const { stdout } = await people(t, onSqlite(directory), 'add', 'ada', '--scopes=create');
    assert.match(stdout, /^app\.access is open: .*\nTo end that, .*: postern serve --app\.access=keys$/m);
    const help = await people(t, { flags: [] }, '--help');
    for (const scope of SCOPES) assert.match(help.stdout, new RegExp(`^  ${scope} +\\w.* \\w`, 'm'));
    service.signal('SIGTERM');
    await service.exited;
  });

  test('the first start prints a link for the first administrator, on standard error alone', async (t) => {
    const directory = temporaryDirectory(t);
    const start = () => startServiceProcess(t, directory, { flags: ['--app.access=keys'] });
    const linkIn = (stderr: string) =>
      /^ {2}Sign in {4}\S+\/sign-in#(setup_[\w-]{43})$/m.exec(stderr)?.[1] ?? '';
    const first = await start();
    const token = linkIn(first.output.stderr);
    assert.notEqual(token, '');
    assert.ok(!first.output.stdout.includes(token));
    assert.doesNotMatch(first.output.stderr + first.output.stdout, /no valid API key/);
    recordSecret(PASSWORD);
    const body = { token, newPassword: PASSWORD };
    assert.equal((await sendFromPage(first, 'PUT', '/api/password', body)).status, 204);
    assert.equal((await signIn(first, { name: 'admin' })).status, 204);
    first.signal('SIGTERM');
    await first.exited;
    const second = await start();
    assert.equal(linkIn(second.output.stderr), '');
    second.signal('SIGTERM');
    await second.exited;
  });

  test('wrong arguments are refused with exit code 2, each in a line', async (t) => {
    for (const [argv, lines] of [
      [['add', '--scopes=x', '--email=x', '--server.port=x'], 4],
      [['add', 'ada'], 2],
      [['list', 'ada', '--scopes=read'], 3],
      [['remove', 'ada'], 2],
      [['activate', 'ada', '--links-to=bob'], 2],
      [['scopes', 'ada', '--email=x'], 2],
    ] as const) {
      const { code, stdout, stderr } = await people(t, { flags: [] }, ...argv);
      assert.deepEqual([code, stdout], [2, '']);
      assert.equal(stderr.trimEnd().split('\n').length, lines, stderr);
    }
  });
});
