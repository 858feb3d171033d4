import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourcesOf } from '../support/sources.ts';

// No linter can check that it is not switched off itself.
test('no check of the compiler or the linter is switched off', () => {
  const marks = new RegExp(['@ts-ignore', '@ts-nocheck', '@ts-expect-error', 'biome-ignore'].join('|'));
  const sources = sourcesOf('src', 'client', 'cli', 'test', 'bench', 'docs', 'web');
  // Its own list is the only place where these words may stand; comments count here.
  for (const { path, text } of sources.filter(({ path }) => !path.endsWith('architecture/sources.test.ts'))) {
    assert.doesNotMatch(text, marks, path);
  }
});

// What the functions that one calls throw changes without it.
test('@throws in src/core names only errors that the same file throws', () => {
  const sources = sourcesOf('src/core');
  const classes = sources.flatMap(({ code }) => [...code.matchAll(/class (\w+) extends \w*Error\b/g)]);
  const errors = new Set(classes.map(([, name]) => name));
  for (const { path, text, code } of sources)
    for (const [comment] of text.matchAll(/@throws(?:(?!\*\/|@\w).)*/gs))
      for (const [name] of comment.matchAll(/\w+/g))
        assert.ok(!errors.has(name) || code.includes(`throw new ${name}(`), `${path}: ${comment}`);
});
