import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourcesOf, withoutStrings } from '../support/sources.ts';

const SRC = sourcesOf('src');
const ALL = [...SRC, ...sourcesOf('client', 'cli', 'test', 'bench', 'docs', 'web')];
const MAX_LINES = 400;

function assertNone(sources: { path: string; code: string }[], pattern: RegExp, what: string): void {
  for (const { path, code } of sources) {
    const found = pattern.exec(code);
    if (found) assert.fail(`${path}:${code.slice(0, found.index).split('\n').length} ${what}: ${found[0]}`);
  }
}

test('only the configuration reads the environment; programs pass it on as a whole', () => {
  const handedOver = /\bload\(\{[^}]*\benv: process\.env,/g;
  const bare = SRC.map(({ path, code }) => ({ path, code: code.replaceAll(handedOver, '') }));
  assertNone(bare, /\bprocess\s*(\.|\?\.|\[)\s*['"]?env\b/, 'reads the environment');
  assertNone(bare, /import\s[^;]*\benv\b[^;]*from 'node:process'/, 'reads the environment');
  const readers = SRC.filter(({ code }) => code.match(handedOver)).map(({ path }) => path);
  assert.ok(readers.length > 0);
});

test('the service makes no HTTP requests but webhooks and traces, besides those of two libraries', () => {
  // The SDK of the object storage, and `openid-client`, which asks the provider that the configuration names.
  // `postern doctor` requests the addresses of its own configuration, and commands the service on this machine.
  const senders = [
    'src/adapters/delivery/webhooks.ts',
    'src/observability/tracing.ts',
    'src/tools/commands/check-service.ts',
    'src/tools/commands/administration.ts',
  ];
  const others = SRC.filter(({ path }) => !senders.includes(path));
  assertNone(
    others,
    /(?<![.\w])fetch\(|import\s+\{[^}]*\b(?:request|get)\b[^}]*\} from 'node:https?'/,
    'sends a request',
  );
  assertNone(others, /from '(?:node:https|node:http2|undici)'/, 'imports a client');
});

test('no file of src/ is longer than 400 lines', () => {
  for (const { path, text } of SRC) {
    const lines = text.split('\n').length - 1;
    assert.ok(lines <= MAX_LINES, `${path} has ${lines} lines`);
  }
});

test('nothing has the type any', () => {
  const bare = ALL.map(({ path, code }) => ({ path, code: withoutStrings(code) }));
  assertNone(bare, /(?::|\bas|<|\||&|=>)\s*any\b|\bany\[\]|,\s*any\s*>/, 'has an any');
});

test('no check of the compiler or the linter is switched off', () => {
  const marks = new RegExp(['@ts-ignore', '@ts-nocheck', '@ts-expect-error', 'biome-ignore'].join('|'));
  // Its own list is the only place where these words may stand; comments count here.
  for (const { path, text } of ALL.filter(({ path }) => !path.endsWith('architecture/sources.test.ts'))) {
    assert.doesNotMatch(text, marks, path);
  }
});

test('no test is left out, and none is the only one that runs', () => {
  const tests = ALL.filter(({ path }) => /\.(test|slow)\.ts$/.test(path) && !path.includes('architecture/'));
  assertNone(tests, /\b(?:test|it|describe)\.(?:only|skip|todo)\(/, 'has a test that is left out');
});
