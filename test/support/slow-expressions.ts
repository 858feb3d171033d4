import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getCallSites } from 'node:util';
import { visitRegExpAST } from '@eslint-community/regexpp';
import { type Concatenation, isDisjointWith, JS, NFA, type NoParent, type Quantifier } from 'refa';
import { analyse } from 'scslre';
import { ROOT } from './documents.ts';
import { placeOf, visitSyntax } from './syntax.ts';

/** A regular expression, and where it is: `path:line`. */
export type Expression = { place: string; source: string; flags: string };
type Source = { path: string; text: string };

/**
 * Returns the regular expressions of sources: literals, patterns of schemas, and those that a module builds when it is
 * loaded. @throws Error for a place that builds one later, out of the reach of a check
 */
export async function collectExpressions(sources: readonly Source[]): Promise<Expression[]> {
  const found = sources.map((source) => ({ ...source, ...findExpressions(source) }));
  const built = await recordBuilt(found.filter(({ calls }) => calls.length > 0).map(({ path }) => path));
  const later = found
    .flatMap(({ calls }) => calls)
    .filter((call) => !built.some(({ place }) => place === call));
  if (later.length > 0) {
    throw new Error(
      `Built only when called, so that it cannot be checked: ${later.join(', ')}. Write a literal, or build it when its module is loaded`,
    );
  }
  return [...found.flatMap(({ literals }) => literals), ...built];
}

/** Returns what the syntax tree of a source shows, and the places that call `RegExp`. */
function findExpressions({ path, text }: Source): { literals: Expression[]; calls: string[] } {
  const literals: Expression[] = [];
  const calls: string[] = [];
  const addCall = (node: { start: number; callee: { start: number; end: number } }): void => {
    if (text.slice(node.callee.start, node.callee.end) === 'RegExp') calls.push(placeOf(path, text, node));
  };
  visitSyntax(path, text, {
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern: source, flags } = node.regex;
      literals.push({ place: placeOf(path, text, node), source, flags });
    },
    Property({ key, value }) {
      const isPattern = key.type === 'Identifier' && key.name === 'pattern' && value.type === 'Literal';
      if (!isPattern || typeof value.value !== 'string') return;
      literals.push({ place: placeOf(path, text, value), source: value.value, flags: 'u' }); // as JSON Schema says
    },
    NewExpression: addCall,
    CallExpression: addCall,
  });
  return { literals, calls };
}

/** Loads modules. Returns the expressions that they build from texts meanwhile. */
async function recordBuilt(paths: readonly string[]): Promise<Expression[]> {
  const built: Expression[] = [];
  const record = ({ source, flags }: RegExp): void => {
    const [, , { scriptName = '', lineNumber = 0 } = {}] = getCallSites(3);
    const path = paths.find((path) => scriptName === pathToFileURL(resolve(ROOT, path)).href);
    if (path !== undefined) built.push({ place: `${path}:${lineNumber}`, source, flags });
  };
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const expression: RegExp = Reflect.construct(target, args, newTarget);
      record(expression);
      return expression;
    },
    apply(target, _, args) {
      const expression: RegExp = Reflect.apply(target, undefined, args);
      record(expression);
      return expression;
    },
  });
  try {
    for (const path of paths) await import(pathToFileURL(resolve(ROOT, path)).href);
  } finally {
    globalThis.RegExp = original;
  }
  return built;
}

/** Returns why some text takes an expression more than linear time, or undefined. */
export function whySlow({ source, flags }: Expression): string | undefined {
  const expression = `/${source}/${flags}`;
  const [report] = analyse({ source, flags }).reports;
  if (report !== undefined) {
    const time = report.exponential ? 'exponential' : 'quadratic';
    return `${expression} takes ${time} time for a long text of ${JSON.stringify(report.character.pick.repeat(3))}…`;
  }
  const ambiguous = findAmbiguousChoice({ source, flags });
  return ambiguous && `${expression} takes exponential time: a text can match ${ambiguous} in several ways`;
}

const PARSING = { assertions: 'disable', backreferences: 'disable' } as const;

/**
 * Returns a repeated choice that matches one text in several ways, which scslre does not look for: `(?:a|ab|b)*`. The
 * alternatives of `(…)*` are unambiguous if no text begins with two of them, each followed by any further ones.
 */
function findAmbiguousChoice(literal: { source: string; flags: string }): string | undefined {
  const parser = JS.Parser.fromLiteral(literal);
  const { maxCharacter } = parser;
  const ambiguous: string[] = [];
  visitRegExpAST(parser.ast.pattern, {
    onQuantifierEnter({ element, max, raw }) {
      if (max !== Number.POSITIVE_INFINITY || !('alternatives' in element)) return;
      const { alternatives } = parser.parseElement(element, PARSING).expression;
      const further: NoParent<Quantifier> = { type: 'Quantifier', min: 0, max, lazy: false, alternatives };
      const beginnings = element.alternatives.map((alternative) => {
        const { expression } = parser.parseElement(alternative, PARSING);
        const first: NoParent<Concatenation>[] = expression.alternatives;
        const whole = first.map(({ type, elements }) => ({ type, elements: [...elements, further] }));
        return NFA.fromRegex({ type: 'Expression', alternatives: whole }, { maxCharacter });
      });
      const overlap = beginnings.some((one, index) =>
        beginnings.slice(index + 1).some((other) => !isDisjointWith(one, other)),
      );
      if (overlap) ambiguous.push(raw);
    },
  });
  return ambiguous[0];
}
