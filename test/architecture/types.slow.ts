import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Node } from 'typescript/unstable/ast';
import {
  isAsExpression,
  isBindingElement,
  isCallExpression,
  isElementAccessExpression,
  isExpression,
  isIdentifier,
  isNewExpression,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyDeclaration,
  isTypeNode,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';
import { ROOT } from '../support/documents.ts';

// The compiler reports an implicit `any` at few places. It accepts `new Map()` and what `JSON.parse` returns.

describe('a value', () => {
  for (const [configFile, directory] of [
    ['tsconfig.json', 'src/'],
    ['web/tsconfig.json', 'web/'],
  ] as const) {
    test(`a value in ${directory} neither is nor holds any`, (t) => {
      const api = new API({ cwd: ROOT });
      t.after(() => api.close());
      assert.deepEqual(findAny(api, configFile, directory), []);
    });
  }
});

/** Returns the places in a directory where a declared name or the result of an expression is or holds `any`. */
function findAny(api: API, configFile: string, directory: string): string[] {
  const [project] = api.updateSnapshot({ openProjects: [ROOT + configFile] }).getProjects();
  assert.ok(project);
  const { program, checker } = project;
  const paths = program.getSourceFileNames().filter((path) => path.startsWith(ROOT + directory));
  assert.ok(paths.length > 10);
  return paths.flatMap((path) => {
    const file = program.getSourceFile(path);
    assert.ok(file);
    const values = valuesIn(file);
    const types = typesOf(checker, values);
    return values
      .filter((value, index) => isAny(checker, value, types[index]))
      .map((value) => {
        const { line } = file.getLineAndCharacterOfPosition(value.getStart());
        return `${path.slice(ROOT.length)}:${line + 1} ${value.getText()}`;
      });
  });
}

/** Returns the declared names, and the expressions whose type is not asserted on the spot. */
function valuesIn(file: Node): Node[] {
  const values: Node[] = [];
  const visit = (node: Node, parent: Node): void => {
    if (isTypeNode(node)) return;
    if (isVariableDeclaration(node) || isBindingElement(node) || isParameterDeclaration(node)) {
      if (node.name) values.push(node.name);
    } else if (isPropertyDeclaration(node)) values.push(node.name);
    const mayReturnAny =
      isCallExpression(node) ||
      isNewExpression(node) ||
      isPropertyAccessExpression(node) ||
      isElementAccessExpression(node);
    if (mayReturnAny && !isAsExpression(parent)) values.push(node);
    node.forEachChild((child) => visit(child, node));
  };
  visit(file, file);
  return values;
}

/** The compiler's interface fails for some tuples, which are not any: they are looked up one by one. */
function typesOf(checker: Checker, nodes: readonly Node[]): (Type | undefined)[] {
  try {
    return [...checker.getTypeAtLocation(nodes)];
  } catch (error) {
    if (nodes.length > 1) return nodes.flatMap((node) => typesOf(checker, [node]));
    assert.match(String(error), /TupleType/);
    return [undefined];
  }
}

/**
 * An expression of type any is allowed where `unknown` is expected. A declared name may not hold any either, as in
 * `Map<any, any>`. Functions may: many of the language's own do.
 */
function isAny(checker: Checker, value: Node, type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.flags & TypeFlags.Any) {
    const expected = isExpression(value) ? checker.getContextualType(value) : undefined;
    return expected === undefined || !(expected.flags & TypeFlags.Unknown);
  }
  return isIdentifier(value) && /^[^({]*\bany\b/.test(checker.typeToString(type));
}
