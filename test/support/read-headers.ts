import type { IncomingMessage, Server } from 'node:http';
import type { ESTree } from 'vite';
import { sourcesOf } from './sources.ts';
import { visitSyntax } from './syntax.ts';

/**
 * Returns the names by which the sources of `src/http/` read members of what they call headers: `headers.accept`,
 * `headers['x-link-token']`, `{ headers: { host } }`, `'origin' in headers`. A computed name is in brackets.
 */
export function headersInSources(): Set<string> {
  const names = new Set<string>();
  for (const { path, text } of sourcesOf('src/http')) {
    const add = (key: ESTree.Node, isComputed: boolean): void => {
      if (key.type === 'Literal') names.add(String(key.value));
      else names.add(isComputed ? `[${text.slice(key.start, key.end)}]` : text.slice(key.start, key.end));
    };
    const addMembers = (pattern: ESTree.Node): void => {
      if (pattern.type !== 'ObjectPattern') return;
      for (const each of pattern.properties) if (each.type === 'Property') add(each.key, each.computed);
    };
    visitSyntax(path, text, {
      MemberExpression({ object, property, computed }) {
        if (areHeaders(object)) add(property, computed);
      },
      VariableDeclarator({ id, init }) {
        if (init && areHeaders(init)) addMembers(id);
      },
      Property({ key, value }) {
        if (areHeaders(key)) addMembers(value);
      },
      BinaryExpression({ left, operator, right }) {
        if (operator === 'in' && areHeaders(right)) add(left, true);
      },
    });
  }
  return names;
}

/** Returns true for `headers`, `request.headers` and `request.headersDistinct`. */
function areHeaders(node: ESTree.Node): boolean {
  if (node.type === 'MemberExpression') return areHeaders(node.property);
  return node.type === 'Identifier' && /^headers(Distinct)?$/.test(node.name);
}

/**
 * Records which request headers of a server are read from now on, by libraries too.
 *
 * @returns the names that were read since the set was last cleared
 */
export function recordReadHeaders(server: Server): Set<string> {
  const names = new Set<string>();
  const record = (name: string | symbol): void => {
    if (typeof name === 'string') names.add(name);
  };
  server.prependListener('request', (request: IncomingMessage) => {
    const value = new Proxy(request.headers, {
      get(headers, name) {
        record(name);
        return Reflect.get(headers, name);
      },
      has(headers, name) {
        record(name);
        return Reflect.has(headers, name);
      },
    });
    Object.defineProperty(request, 'headers', { value });
  });
  return names;
}
