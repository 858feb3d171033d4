import { parseSync, Visitor, type VisitorObject } from 'vite';

/** Visits the syntax tree of a TypeScript source. `path` says whether it has JSX. */
export function visitSyntax(path: string, text: string, visitor: VisitorObject): void {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  new Visitor(visitor).visit(program);
}

/** Returns `path:line` of a position in a text. */
export function placeOf(path: string, text: string, { start }: { start: number }): string {
  return `${path}:${text.slice(0, start).split('\n').length}`;
}
