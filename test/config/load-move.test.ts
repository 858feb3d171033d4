import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeDatabase } from '../../src/config/config.ts';
import { type LoadedMove, loadMove } from '../../src/config/load-move.ts';

function load(
  argv: string[],
  env: Record<string, string> = {},
  files: Record<string, string> = {},
): LoadedMove {
  return loadMove({ argv, env, readFile: (path) => files[path] ?? assert.fail(`no file ${path}`) });
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
    test(`are flags ${what}`, () => {
      assert.deepEqual(placesOf(load([...argv])), {
        from: 'sqlite:a.db',
        to: 'postgres://localhost:5432/b',
        movesLinks: true,
        movesFiles: false,
      });
    });
  }

  test('may be in the environment, or in files that it names; a flag wins', () => {
    const env = { MOVE_FROM_FILE: '/from', MOVE_TO: 'sqlite:b.db', APP_DATABASE_URL: 'sqlite:own.db' };
    const { from, to } = placesOf(load([], env, { '/from': `${POSTGRES}\n` }));
    assert.deepEqual([from, to], ['postgres://localhost:5432/b', 'sqlite:b.db']);
    assert.equal(placesOf(load(['--to=sqlite:c.db'], env, { '/from': POSTGRES })).to, 'sqlite:c.db');
  });

  test('are those of the service where nothing else is told', () => {
    const own = ['--app.database.url=sqlite:own.db', '--app.storage.path=/own'];
    const loaded = load([...own, '--files-to=/new']);
    assert.deepEqual(placesOf(loaded), {
      from: 'sqlite:own.db',
      to: 'sqlite:own.db',
      movesLinks: false,
      movesFiles: true,
    });
    assert.equal(
      placesOf(load(['--to=sqlite:new.db'], { APP_DATABASE_URL: 'sqlite:own.db' })).from,
      'sqlite:own.db',
    );
  });

  test('leave all else to the properties of the service, for both sides', () => {
    const loaded = load(['--to', POSTGRES, '--app.database.connect-timeout=PT1S']);
    assert.ok(loaded.ok && loaded.to.database.kind === 'postgres');
    assert.equal(loaded.to.database.connectTimeoutMs, 1_000);
  });

  for (const [what, argv, told] of [
    ['that move nothing', ['--from=sqlite:a.db'], /^nothing is to be moved; say where to with --to=/],
    ['with an unknown flag', ['--too=sqlite:a', '--to=sqlite:b'], /^unknown flag "--too"/],
    ['with a flag twice', ['--to=sqlite:a', '--to=sqlite:b'], /^unknown flag "--to"/],
    ['with a flag without its value', ['--to'], /^unknown flag "--to"/],
    [
      'with a URL that is none, which is not shown',
      ['--to=postgres://a:sesame@db.example/b'],
      /^--to: a value that may hold a secret \(not shown\) from flag --to must say with sslmode/,
    ],
    [
      'with a path that is none',
      ['--files-to='],
      /^--files-to: an empty value from flag --files-to must be the path/,
    ],
  ] as const) {
    test(`are refused ${what}`, () => {
      const loaded = load([...argv]);
      assert.ok(!loaded.ok);
      assert.ok(
        loaded.errors.some((fault) => told.test(fault)),
        loaded.errors.join('\n'),
      );
      assert.doesNotMatch(loaded.errors.join('\n'), /sesame/);
    });
  }

  test('never show what a file holds', () => {
    const loaded = load([], { MOVE_TO_FILE: '/secret' }, { '/secret': 'hunter2' });
    assert.ok(!loaded.ok);
    assert.match(loaded.errors.join('\n'), /^--to: .* MOVE_TO_FILE names must be sqlite:<path>/);
    assert.doesNotMatch(loaded.errors.join('\n'), /hunter2/);
  });
});
