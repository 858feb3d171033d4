import { collectExpressions, whySlow } from '../test/support/slow-expressions.ts';
import { sourcesOf } from '../test/support/sources.ts';

/** Tests are left out: they match texts of their own. */
const expressions = await collectExpressions(
  sourcesOf('src', 'client', 'cli', 'web', 'docs', 'bench', 'packaging'),
);
const slow = expressions.flatMap((expression) => {
  const reason = whySlow(expression);
  return reason === undefined ? [] : [`${expression.place} ${reason}`];
});
for (const line of slow) process.stderr.write(`${line}\n`);
process.stdout.write(`Checked ${expressions.length} regular expressions. ${slow.length} are slow.\n`);
process.exitCode = slow.length === 0 ? 0 : 1;
