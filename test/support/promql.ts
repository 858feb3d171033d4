/** One selector of a PromQL expression: the metric's name and what its labels have to be. */
export type Selector = { metric: string; matchers: Matcher[] };
export type Matcher = { label: string; operator: '=' | '!=' | '=~' | '!~'; value: string };

/** What an expression asks for: its selectors, and the labels that it groups by. */
export type Query = { selectors: Selector[]; groupedBy: string[] };

const TOKEN =
  /\s+|#.*|(?<string>"(?:[^"\\]|\\.)*")|(?<word>[A-Za-z_:$][\w:$]*)|(?<number>\d[\w.]*)|(?<sign>=~|!~|[!=><]=|[-+*/%^=<>(){}[\],])/gy;

const GROUPING = new Set(['by', 'without', 'on', 'ignoring', 'group_left', 'group_right']);
const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset']);
const FUNCTIONS = new Set([
  ...['sum', 'min', 'max', 'avg', 'count', 'rate', 'increase', 'changes', 'absent'],
  ...['histogram_quantile', 'vector', 'time', 'label_values'],
]);

type Token = { kind: 'string' | 'word' | 'number' | 'sign'; text: string };

/** Reads an expression as far as its names go; throws at what it does not know. */
export function readQuery(expression: string): Query {
  const tokens = tokensOf(expression);
  const query: Query = { selectors: [], groupedBy: [] };
  let at = 0;
  const textAt = (index: number) => tokens[index]?.text;

  /** Goes past a list that begins at `at`, and gives what stands between its brackets. */
  function takeList(end: ')' | '}' | ']'): Token[] {
    const start = at + 1;
    while (at < tokens.length && textAt(at) !== end) at++;
    if (at === tokens.length) throw new Error(`"${end}" is missing in ${expression}`);
    return tokens.slice(start, at++);
  }

  while (at < tokens.length) {
    const { kind, text } = tokens[at++] as Token;
    if (text === '[') {
      at--;
      takeList(']');
    } else if (kind !== 'word' || KEYWORDS.has(text)) {
      if (text === 'offset') at++;
    } else if (GROUPING.has(text)) {
      query.groupedBy.push(...takeList(')').flatMap((token) => (token.kind === 'word' ? [token.text] : [])));
    } else if (textAt(at) === '(' || GROUPING.has(textAt(at) ?? '')) {
      if (!FUNCTIONS.has(text)) throw new Error(`there is no function ${text} in ${expression}`);
    } else {
      query.selectors.push({ metric: text, matchers: textAt(at) === '{' ? toMatchers(takeList('}')) : [] });
    }
  }
  return query;
}

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of expression.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    for (const kind of ['string', 'word', 'number', 'sign'] as const) {
      const text = match.groups?.[kind];
      if (text !== undefined) tokens.push({ kind, text });
    }
  }
  if (end !== expression.length) throw new Error(`cannot read ${expression.slice(end)}`);
  return tokens;
}

function toMatchers(tokens: Token[]): Matcher[] {
  const matchers: Matcher[] = [];
  for (let at = 0; at < tokens.length; at += 4) {
    const [label, operator, value, comma] = tokens.slice(at, at + 4);
    const isComplete = label?.kind === 'word' && value?.kind === 'string' && (comma?.text ?? ',') === ',';
    if (!isComplete || !isOperator(operator?.text)) {
      throw new Error(`no matcher: ${tokens.map(({ text }) => text).join(' ')}`);
    }
    matchers.push({ label: label.text, operator: operator.text, value: JSON.parse(value.text) });
  }
  return matchers;
}

function isOperator(text: string | undefined): text is Matcher['operator'] {
  return text === '=' || text === '!=' || text === '=~' || text === '!~';
}

/** Whether a series with these labels is one that a matcher asks for. */
export function matches({ label, operator, value }: Matcher, labels: Record<string, string>): boolean {
  const actual = labels[label] ?? '';
  const isLike = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
  return operator.startsWith('!') ? !isLike : isLike;
}
