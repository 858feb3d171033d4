import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KEY_PREFIX } from '../../src/core/model/people/api-key.ts';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';
import { SCHEMA_VERSION } from '../../src/stores/schema.ts';
import { person } from '../support/attempts.ts';
import { startServiceProcess } from '../support/process.ts';
import { temporaryDirectory } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';
import { STORE_PLACES, type StorePlace, sqlitePlace } from '../support/store-places.ts';

function keys({ databaseUrl }: Pick<StorePlace, 'databaseUrl'>, ...argv: string[]) {
  return runServiceCommand(['keys', ...argv, `--app.database.url=${databaseUrl}`]);
}

/** Creates a key and returns it, as a script does: the last line of the output. */
async function createKey(place: StorePlace, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await keys(place, 'create', ...argv);
  assert.deepEqual([code, stderr], [0, '']);
  assert.ok(stdout.endsWith('\n'));
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}

for (const [name, makePlace] of STORE_PLACES) {
  describe(`postern keys on ${name}`, { concurrency: 2 }, () => {
    test('postern keys creates a store before the first start, names it, and stores only the hash of the key', async (t) => {
      const place = await makePlace(t);
      const before = Date.now();
      const database = place.databaseUrl.replace(/\?.*$/, '').replace(/\/\/.*@/, '//'); // without password and options
      const { stdout } = await keys(place, 'create', 'ci', '--scopes', 'read,create', '--expires', 'P90D');
      const [, where, isOpen, howToEnd, ...others] = stdout.trimEnd().split('\n');
      assert.equal(where, `It is valid for services on the database ${database}, which is new.`);
      assert.match(isOpen ?? '', /^app\.access is open: without signing in, anyone/);
      assert.match(howToEnd ?? '', /: postern serve --app\.access=keys$/);
      const key = others.at(-1) ?? '';
      assert.match(key, /^postern_[A-Za-z0-9_-]{43}$/);
      const store = await place.openStore();
      const found = await store.keys.findKey(hashSecret(key));
      await store.close();
      assert.ok(found);
      const { createdAt, expiresAt, ...rest } = found;
      const isBetween = (at: number) => at >= before && at <= Date.now();
      assert.ok(isBetween(createdAt) && isBetween((expiresAt ?? 0) - 90 * 24 * 3_600_000));
      assert.deepEqual(rest, {
        name: 'ci',
        hash: hashSecret(key),
        scopes: ['create', 'read'],
        ...{ owner: null, owned: null },
        lastUsedAt: null,
        revokedAt: null,
      });
      assert.ok(!JSON.stringify(await place.dump()).includes(key.slice(KEY_PREFIX.length)));
    });

    test('postern keys refuses a store of another version, and leaves it unchanged', async (t) => {
      const place = await makePlace(t);
      await (await place.openStore()).close();
      // Only `create` may create a store, so it opens one in another way.
      for (const [version, argv, error] of [
        [
          14,
          ['create', 'ci', '--scopes=read'],
          /has schema version 14, this program \d+: a version of Postern from before its first release/,
        ],
        [SCHEMA_VERSION + 1, ['list'], /a newer version of Postern wrote it/],
      ] as const) {
        await place.run(
          name === 'SQLite'
            ? `PRAGMA user_version = ${version}`
            : `UPDATE schema_version SET version = ${version}`,
        );
        const { code, stderr } = await keys(place, ...argv);
        assert.equal(code, 1);
        assert.match(stderr, error);
        assert.equal(await place.schemaVersion(), version);
      }
    });
  });
}

describe('postern keys', { concurrency: 2 }, () => {
  test('postern keys creates, lists and revokes while a service runs', async (t) => {
    const place = sqlitePlace(t);
    const service = await startServiceProcess(t, temporaryDirectory(t), place);
    const key = await createKey(place, 'ci', '--scopes=metrics');
    assert.equal((await keys(place, 'revoke', 'ci')).stdout.split('.')[0], 'Revoked the key "ci"');
    await createKey(place, 'other', '--scopes=read');
    const listed = await keys(place, 'list');
    assert.match(listed.stdout, /^name +scopes +owner +created +expires +last used +state$/m);
    assert.match(listed.stdout, /^ci +metrics +none +\d{4}-\S+Z +never +never +revoked$/m);
    assert.match(listed.stdout, /^other +read +none +\d{4}-\S+Z +never +never +active$/m);
    assert.ok(!listed.stdout.includes(key) && !listed.stdout.includes(hashSecret(key)));
    service.signal('SIGTERM');
    assert.equal((await service.exited).code, 0);
  });

  test('postern keys refuses a store with an unfinished move', async (t) => {
    const place = sqlitePlace(t);
    await (await place.openStore()).close();
    await place.run(`INSERT INTO move_mark VALUES (1, 'from elsewhere', '{}', NULL)`);
    const { code, stderr } = await keys(place, 'create', 'ci', '--scopes=read');
    assert.equal(code, 1);
    assert.match(stderr, /A move into this store is unfinished/);
  });

  test('postern keys lists no key with the command that creates one, and refuses a taken name and an unknown key', async (t) => {
    const place = sqlitePlace(t);
    await (await place.openStore()).close();
    const empty = await keys(place, 'list');
    assert.equal(empty.code, 0);
    assert.match(empty.stdout, /^There are no keys\. Create one: postern keys create NAME/);
    assert.doesNotMatch((await keys(place, 'create', 'ci', '--scopes=read')).stdout, /which is new/);
    for (const [argv, error] of [
      [['create', 'ci', '--scopes=read'], /name: is taken, .*a revoked key/],
      [['revoke', 'unknown'], /no API key with this name, or it is not yours; postern keys list/],
    ] as const) {
      const { code, stdout, stderr } = await keys(place, ...argv);
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, error);
    }
    await keys(place, 'revoke', 'ci');
    const again = await keys(place, 'revoke', 'ci');
    assert.deepEqual([again.code, again.stderr], [0, '']);
  });

  test('postern keys creates no key with more scopes than its owner, or for an unknown person', async (t) => {
    const place = sqlitePlace(t);
    const store = await place.openStore();
    await store.people.addPerson(person('ada', { scopes: ['read'] }));
    await store.close();
    for (const [argv, error] of [
      [
        ['--scopes=read,manage', '--owner=ada'],
        /the owner of the key lacks manage; leave it out of --scopes/,
      ],
      [['--scopes=read', '--owner=bob'], /owner: must be the name of an active person; postern people list/],
    ] as const) {
      const { code, stderr } = await keys(place, 'create', 'x', ...argv);
      assert.equal(code, 2);
      assert.match(stderr, error);
    }
    await createKey(place, 'laptop', '--scopes=read', '--owner=ADA');
    assert.match((await keys(place, 'list')).stdout, /^laptop +read +ada +/m);
  });
});

describe('the arguments of postern keys', () => {
  const refused: [argv: string, ...errors: RegExp[]][] = [
    ['', /^the command is missing; write one of create, list, revoke, rotate-evidence, see --help$/],
    ['--scops=read create ci', /^unknown flag "--scops", did you mean --scopes\?$/],
    ['--scops=read lst', /^unknown flag "--scops", did you mean --scopes\?$/],
    ['lst', /^unknown command "lst", did you mean list\?; write one of/],
    ['delete ci', /^unknown command "delete"; write one of/],
    [
      'create',
      /^--scopes is missing; .* the scopes are create, read, manage, metrics, admin$/,
      /^create needs the name of the key, such as create ci$/,
    ],
    ['create ci', /^--scopes is missing/],
    ['create ci --scopes', /^scopes: flag --scopes has no value; write --scopes=value$/],
    ['create ci --scopes=read --owner=', /^--owner: an empty value must be/],
    ['create ci --scopes=', /^--scopes: an empty value must be one or more of create, read, manage/],
    ['create ci --scopes=all', /^--scopes: "all" must be one or more of create, read/],
    ['create ci --scopes=read --expires=90', /^--expires: "90" must be an ISO 8601 duration/],
    ['create ci --scopes=read --expires=-P1D', /^--expires: "-P1D" must be an ISO 8601 duration/],
    [
      'create ci --scopes=read --scopes=create',
      /^scopes: flag --scopes is given more than once; give it once$/,
    ],
    ['create my key --scopes=read', /^unexpected argument "key"; quote a name that has spaces$/],
    ['create a\u202eb --scopes=read', /^name .* must be 1 to 64 visible characters/],
    ['create initial-key --scopes=read', /^name "initial-key" is reserved/],
    ['create ci --scope=read', /^unknown flag "--scope", did you mean --scopes\?$/],
    ['revoke', /^revoke needs the name of the key/],
    ['revoke ci --scopes=read', /^unknown flag "--scopes"; see --help$/],
    ['list ci', /^unexpected argument "ci"; list takes no name$/],
    ['create ci --scopes=read --app.access.initial-key s3cret', /^app\.access\.initial-key: .* no value/],
    ['list --server.port=x', /^server\.port: "x" from flag/],
    // Without a name, all is wrong at once.
    [
      'create  --scopes=x --expires=y --server.port=x',
      /scopes: "x"/,
      /expires: "y"/,
      /needs the name/,
      /port/,
    ],
  ];
  for (const [argv, ...errors] of refused) {
    test(`postern keys refuses "${argv}" with exit code 2, every error and its remedy`, async () => {
      const words = argv === '' ? [] : argv.split(' ');
      const { code, stdout, stderr } = await runServiceCommand(['keys', ...words]);
      const [headline, ...lines] = stderr.trimEnd().split('\n');
      assert.deepEqual([code, stdout, headline], [2, '', 'The keys could not be changed or listed:']);
      assert.equal(lines.length, errors.length, stderr);
      for (const [index, error] of errors.entries())
        assert.match((lines[index] ?? '').replace(/^ {2}- /, ''), error);
    });
  }
});
