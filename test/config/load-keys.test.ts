import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadKeys } from '../../src/tools/commands/load-keys.ts';
import { sourcesIn } from '../support/config.ts';

function load(argv: string[], env: Record<string, string> = {}) {
  return loadKeys(sourcesIn({ argv, env }));
}

describe('postern keys', () => {
  const P90D = Temporal.Duration.from('P90D').toString();
  const create = { kind: 'create', name: 'ci', scopes: ['create', 'read'], owner: null, lifetime: null };
  const accepted: [argv: string[], action: Record<string, unknown>][] = [
    [['create', 'ci', '--scopes', 'create,read'], create],
    [['--scopes=read,create', 'create', 'ci'], create],
    [['create', 'ci', '--scopes=create,read', '--expires', 'P90D'], { ...create, lifetime: P90D }],
    [['create', '--expires=P90D', 'ci', '--scopes=create,read'], { ...create, lifetime: P90D }],
    [['list'], { kind: 'list' }],
    [['revoke', 'ci'], { kind: 'revoke', name: 'ci' }],
    [['revoke', 'initial-key'], { kind: 'revoke', name: 'initial-key' }],
  ];
  for (const [argv, action] of accepted) {
    test(`postern keys reads ${argv.join(' ')}, among properties of the service`, () => {
      const loaded = load(['--server.port=81', ...argv, '--app.database.url=sqlite:/d/p.db'], {
        APP_LOG_LEVEL: 'warn',
      });
      assert.ok(loaded.ok, JSON.stringify(loaded));
      const { config } = loaded;
      assert.deepEqual(JSON.parse(JSON.stringify(loaded.settings)), action);
      assert.deepEqual(
        [config.port, config.database, config.logLevel],
        [81, { kind: 'sqlite', path: '/d/p.db' }, 'warn'],
      );
    });
  }

  const refused: [argv: string[], errors: RegExp[]][] = [
    [[], [/^the command is missing; write one of create, list, revoke, see --help$/]],
    [['lst'], [/^unknown command "lst", did you mean list\?; write one of/]],
    [['delete', 'ci'], [/^unknown command "delete"; write one of/]],
    [['create'], [/^--scopes is missing; say what/, /^create needs the name of the key, such as create ci$/]],
    [['create', 'ci'], [/^--scopes is missing/]],
    [['create', 'ci', '--scopes'], [/^scopes: flag --scopes has no value; write --scopes=value$/]],
    [
      ['create', 'ci', '--scopes='],
      [/^--scopes: an empty value must be one or more of create, read, manage/],
    ],
    [['create', 'ci', '--scopes=all'], [/^--scopes: "all" must be one or more of create, read/]],
    [['create', 'ci', '--scopes=read', '--expires=90'], [/^--expires: "90" must be an ISO 8601 duration/]],
    [
      ['create', 'ci', '--scopes=read', '--expires=-P1D'],
      [/^--expires: "-P1D" must be an ISO 8601 duration/],
    ],
    [
      ['create', 'ci', '--scopes=read', '--scopes=create'],
      [/^scopes: flag --scopes is given more than once; give it once$/],
    ],
    [['create', 'my', 'key', '--scopes=read'], [/^unexpected argument "key"; quote a name that has spaces$/]],
    [['create', 'a\u202eb', '--scopes=read'], [/^name .* must be 1 to 64 visible characters/]],
    [['create', 'initial-key', '--scopes=read'], [/^name "initial-key" is reserved/]],
    [['create', 'ci', '--scope=read'], [/^unknown flag "--scope", did you mean --scopes\?$/]],
    [['revoke'], [/^revoke needs the name of the key/]],
    [['revoke', 'ci', '--scopes=read'], [/^--scopes is only for create; leave it out$/]],
    [['list', 'ci'], [/^unexpected argument "ci"; list takes no name$/]],
    [
      ['create', 'ci', '--scopes=read', '--app.access.initial-key', 's3cret'],
      [/^app\.access\.initial-key: .* no value/],
    ],
    [['list', '--server.port=x'], [/^server\.port: "x" from flag/]],
    [
      ['create', '', '--scopes=x', '--expires=y', '--server.port=x'],
      [/^--scopes: "x"/, /^--expires: "y"/, /^name "" must be/, /^server\.port/],
    ],
  ];
  for (const [argv, errors] of refused) {
    test(`postern keys refuses "${argv.join(' ')}" with every error and its remedy`, () => {
      const loaded = load(argv);
      assert.ok(!loaded.ok);
      assert.equal(loaded.errors.length, errors.length, loaded.errors.join('\n'));
      for (const [index, error] of errors.entries()) assert.match(loaded.errors[index] ?? '', error);
    });
  }
});
