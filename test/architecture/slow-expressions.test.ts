import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryDirectory } from '../support/service.ts';
import { collectExpressions, whySlow } from '../support/slow-expressions.ts';

describe('the check of regular expressions in npm run lint', () => {
  test('the check finds an ambiguous one that read Authorization in quadratic time', () => {
    const read = { place: '', source: String.raw`^bearer +(\S.*?) *$`, flags: 'i' };
    assert.match(whySlow(read) ?? '', /^\/\^bearer .* takes quadratic time for a long text of " {3}"/);
    assert.equal(whySlow({ ...read, source: String.raw`^bearer +(\S.*)$` }), undefined);
  });

  for (const [source, flags, time] of [
    [String.raw`\/+$`, '', 'quadratic'],
    [String.raw`\s*,\s*`, 'g', 'quadratic'],
    ['^(a+)+$', '', 'exponential'],
    [String.raw`"(?:\\.|[^"])*"`, '', 'exponential'],
    ['^(?:a|ab|b)*c', '', 'exponential'],
  ] as const) {
    test(`the check finds ${source}, which takes ${time} time`, () => {
      assert.match(whySlow({ place: '', source, flags }) ?? '', new RegExp(` takes ${time} time\\b`));
    });
  }

  test('the check reads literals of TypeScript and JSX, patterns of schemas, and what a module builds', async (t) => {
    const directory = temporaryDirectory(t);
    const texts = {
      'typed.ts':
        'export const read = (text: string): boolean =>\n  text.split(/a+/u).length === "/b+/".length / 2 / 1;',
      'markup.tsx': 'export const shown = (\n  <p title={/c+/.source}>/d+/</p>\n);',
      'schema.ts': "export const schema = {\n  pattern: '^e+$' };",
      'built.ts':
        "const LETTER: string = 'f';\nexport const built = [new RegExp(LETTER + '+', 'i'),\n  RegExp('g')];",
    };
    const sources = Object.entries(texts).map(([name, text]) => ({ path: join(directory, name), text }));
    for (const { path, text } of sources) writeFileSync(path, text);
    const found = await collectExpressions(sources);
    assert.deepEqual(
      found.map(({ place, source, flags }) => `${place.slice(directory.length + 1)} /${source}/${flags}`),
      ['typed.ts:2 /a+/u', 'markup.tsx:2 /c+/', 'schema.ts:2 /^e+$/u', 'built.ts:2 /f+/i', 'built.ts:3 /g/'],
    );
  });

  test('the check refuses one that is built when a function is called, and so is out of its reach', async (t) => {
    const path = join(temporaryDirectory(t), 'later.ts');
    const text = 'export const build = (name: string) =>\n  new RegExp(name);';
    writeFileSync(path, text);
    await assert.rejects(collectExpressions([{ path, text }]), {
      message: `Built only when called, so that it cannot be checked: ${path}:2. Write a literal, or build it when its module is loaded`,
    });
  });
});
