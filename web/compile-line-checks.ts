import * as Format from 'typebox/format';
import { Build } from 'typebox/schema';
import { toClosed } from '../src/core/use-cases/history/exported/exported-items.ts';
import { HISTORY_LINES } from '../src/http/history-schemas.ts';

/** The functions that the code of a check may call, by their names. */
const FORMATS: ReadonlyMap<unknown, string> = new Map(
  Object.entries(Format).map(([name, check]) => [check, name]),
);

/**
 * Returns a module with a check of each kind of line of an export. Without it, the page would interpret the schemas, which
 * takes most of the time of a check: its policy forbids to compile them there.
 */
export function compileLineChecks(): string {
  const checks = Object.entries(HISTORY_LINES).map(
    ([name, schema]) => `export const ${name} = ${compile(toClosed(schema))};`,
  );
  return [`import * as Format from 'typebox/format';`, ...checks].join('\n');
}

function compile(schema: object): string {
  const built = Build(schema);
  const { identifier, variables } = built.External();
  const code = `(${identifier} => { ${built.Functions().join('; ')}; return value => ${built.Entry()}; })`;
  if (built.UseUnevaluated() || /\b(?:Guard|Hashing)\./.test(code))
    throw new Error('The check of a line needs more of its library than the pages have.');
  return `${code}([${variables.map(toCode).join(', ')}])`;
}

function toCode(variable: unknown): string {
  const format = FORMATS.get(variable);
  if (format !== undefined) return `Format.${format}`;
  if (variable instanceof RegExp) return String(variable);
  throw new Error('The check of a line has a value that cannot be written as code.');
}
