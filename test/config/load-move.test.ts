import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeDatabase } from '../../src/common/locations.ts';
import { type LoadedMove, loadMove } from '../../src/tools/commands/load-move.ts';
import { sourcesIn } from '../support/config.ts';

function load(
  argv: string[],
  env: Record<string, string> = {},
  files: Record<string, string> = {},
): LoadedMove {
  return loadMove(sourcesIn({ argv, env, files }));
}

function placesOf(loaded: LoadedMove) {
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.errors.join('\n'));
  const { from, to, movesLinks, movesFiles } = loaded;
  return { from: describeDatabase(from.database), to: describeDatabase(to.database), movesLinks, movesFiles };
}

const POSTGRES = 'postgres://a:sesame@localhost/b';

describe('the settings of a move', () => {
  for (const [what, argv] of [
    ['with = before each value', ['--from=sqlite:a.db', `--to=${POSTGRES}`]],
    ['with a space before each value', ['--from', 'sqlite:a.db', '--to', POSTGRES]],
  ] as const) {
    test(`settings are flags ${what}`, () => {
      assert.deepEqual(placesOf(load([...argv])), {
        from: 'sqlite:a.db',
        to: 'postgres://localhost:5432/b',
        movesLinks: true,
        movesFiles: false,
      });
    });
  }

  test('a flag wins over the environment, which may name files', () => {
    const env = { MOVE_FROM_FILE: '/from', MOVE_TO: 'sqlite:b.db', APP_DATABASE_URL: 'sqlite:own.db' };
    const { from, to } = placesOf(load([], env, { '/from': `${POSTGRES}\n` }));
    assert.deepEqual([from, to], ['postgres://localhost:5432/b', 'sqlite:b.db']);
    assert.equal(placesOf(load(['--to=sqlite:c.db'], env, { '/from': POSTGRES })).to, 'sqlite:c.db');
  });

  test('the settings of a move default to those of the service', () => {
    const own = { APP_DATABASE_URL: 'sqlite:own.db', APP_STORAGE_URL: 's3://own-bucket' };
    const loaded = load(['--files-to=/new'], own);
    assert.deepEqual(placesOf(loaded), {
      from: 'sqlite:own.db',
      to: 'sqlite:own.db',
      movesLinks: false,
      movesFiles: true,
    });
    assert.ok(loaded.ok);
    assert.equal(loaded.from.storage.kind, 's3');
    assert.deepEqual(loaded.to.storage, { kind: 'directory', path: '/new', minFreeBytes: 268_435_456 });
    assert.equal(placesOf(load(['--to=sqlite:new.db'], own)).from, 'sqlite:own.db');
  });

  test('all other settings are properties of the service, as flags or from the environment', () => {
    const flags = ['--app.database.pool-size=7', '--app.storage.endpoint=http://127.0.0.1:1'];
    const loaded = load(['--to', POSTGRES, ...flags], { APP_DATABASE_CONNECT_TIMEOUT: 'PT1S' });
    assert.ok(loaded.ok && loaded.to.database.kind === 'postgres', JSON.stringify(loaded));
    const { connectTimeoutMs, poolSize } = loaded.to.database;
    assert.deepEqual([connectTimeoutMs, poolSize], [1_000, 7]);
  });

  for (const [what, argv, text] of [
    ['that move nothing', ['--from=sqlite:a.db'], /^nothing to move: set --to=/],
    [
      'with an unknown flag',
      ['--too=sqlite:a', '--to=sqlite:b'],
      /^unknown flag "--too", did you mean --to\?$/,
    ],
    [
      'with a URL without its flag, which is not shown',
      ['postgres://a:sesame@db.example/b'],
      /^unexpected argument a value that may hold a secret \(not shown\); write each setting as --name=value/,
    ],
    [
      'with the same flag twice',
      ['--to=sqlite:a', '--to=sqlite:b'],
      /^to: flag --to is given more than once/,
    ],
    ['with a flag without its value', ['--to'], /^to: flag --to has no value; write --to=value$/],
    [
      'with an invalid URL, which is not shown',
      ['--to=postgres://a:sesame@db.example/b'],
      /^move\.to: a value that may hold a secret \(not shown\) from flag --to must say with sslmode/,
    ],
    [
      'with an empty path',
      ['--files-to='],
      /^move\.files-to: an empty value from flag --files-to must be the path/,
    ],
  ] as const) {
    test(`settings are refused ${what}`, () => {
      const loaded = load([...argv]);
      assert.ok(!loaded.ok);
      assert.ok(
        loaded.errors.some((error) => text.test(error)),
        loaded.errors.join('\n'),
      );
      assert.doesNotMatch(loaded.errors.join('\n'), /sesame/);
    });
  }

  test('errors never show the content of a file', () => {
    const loaded = load([], { MOVE_TO_FILE: '/secret' }, { '/secret': 'hunter2' });
    assert.ok(!loaded.ok);
    assert.match(loaded.errors.join('\n'), /^move\.to: .* MOVE_TO_FILE names must be sqlite:<path>/);
    assert.doesNotMatch(loaded.errors.join('\n'), /hunter2/);
  });
});
