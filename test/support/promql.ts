import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** One selector of a PromQL expression: the metric's name and the conditions on its labels. */
export type Selector = { metric: string; matchers: Matcher[] };
export type Matcher = { label: string; operator: string; value: string };

/** The selectors of an expression, and the labels that it groups by. */
export type Query = { selectors: Selector[]; groupedBy: string[] };

const strictParser = parser.configure({ strict: true });

/** Parses an expression. Throws a `SyntaxError` when it is invalid or has an unknown function. */
export function parseQuery(expression: string): Query {
  const query: Query = { selectors: [], groupedBy: [] };
  strictParser.parse(expression).iterate({
    enter({ name, node }) {
      if (name === 'VectorSelector') query.selectors.push(toSelector(expression, node));
      if (name === 'GroupingLabels') query.groupedBy.push(...textsOf(expression, node, 'LabelName'));
    },
  });
  return query;
}

function toSelector(expression: string, node: SyntaxNode): Selector {
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return {
    metric: textsOf(expression, node, 'Identifier').join(),
    matchers: matchers.map((matcher) => ({
      label: textsOf(expression, matcher, 'LabelName').join(),
      operator: textsOf(expression, matcher, 'MatchOp').join(),
      value: String(JSON.parse(textsOf(expression, matcher, 'StringLiteral').join())),
    })),
  };
}

function textsOf(expression: string, node: SyntaxNode, kind: string): string[] {
  return node.getChildren(kind).map(({ from, to }) => expression.slice(from, to));
}

/** Returns whether a series with these labels meets a condition. */
export function matches({ label, operator, value }: Matcher, labels: Record<string, string>): boolean {
  const actual = labels[label] ?? '';
  const isLike = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
  return operator.startsWith('!') ? !isLike : isLike;
}
