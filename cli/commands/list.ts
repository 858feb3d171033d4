import type { LinkPage, paths } from '../../client/client.ts';
import { countOf } from '../../src/common/format.ts';
import { defineCommand } from '../command.ts';
import { type Connection, call } from '../connection.ts';
import { usageFailure } from '../failure.ts';
import type { Output } from '../output.ts';
import { type Column, leastWidth } from '../table.ts';
import { parseCount } from '../terms.ts';
import { formatTime, TIME_ZONE } from '../texts.ts';

type Query = NonNullable<paths['/api/links']['get']['parameters']['query']>;
type Item = LinkPage['items'][number];

const DEFAULT_LINKS = 50;
const MAX_PAGE = 200;
const SORTS = ['created', 'views', 'opened'] as const;
const ORDERS = ['desc', 'asc'] as const;
/** On a narrower terminal, days stand for times, and targets have no scheme. */
const WIDE = 100;
const TYPES = ['REDIRECT', 'DOWNLOAD', 'REQUEST'] as const;
const OWNER_KINDS = ['KEY', 'USER', 'ANONYMOUS', 'COMMAND'] as const;

export const list = defineCommand({
  count: { min: 0, max: 0 },
  details:
    'Without the scope read, only links of yours and of your teams. Targets of other links need the scope manage, too.\n' +
    'With --json, each link is a JSON document in a line of its own, as in the API.',
  options: {
    search: {
      type: 'string',
      value: 'WORDS',
      short: 's',
      help: 'Beginnings of words in the label, target, file name, tags or recipient, or of the code',
    },
    state: { type: 'string', value: 'A,B', help: 'ACTIVE, SCHEDULED, PAUSED, EXPIRED, USED_UP or REVOKED' },
    type: {
      type: 'string',
      value: 'TYPE',
      help: 'REDIRECT for links to a URL, DOWNLOAD for files and texts, REQUEST for file requests',
    },
    label: { type: 'string', value: 'TEXT', help: 'Links with exactly this label' },
    tag: { type: 'string', value: 'TAG', help: 'Links with this tag' },
    mine: { type: 'boolean', help: 'Only links that you own' },
    owner: { type: 'string', value: 'NAME', help: 'The name of the person or the key that owns the link' },
    team: { type: 'string', value: 'NAME', help: 'Links that are shared with this team' },
    'owner-kind': {
      type: 'string',
      value: 'KIND',
      help: 'KEY, USER, ANONYMOUS (no credentials) or COMMAND',
    },
    start: {
      type: 'string',
      value: 'DATE',
      help: 'Created at or after this time, such as 2030-01-31T12:00Z or 2030-01-31 (UTC)',
    },
    end: { type: 'string', value: 'DATE', help: 'Created before this time' },
    sort: { type: 'string', value: 'BY', help: 'created, views or opened' },
    order: { type: 'string', value: 'ORDER', help: 'desc or asc' },
    limit: {
      type: 'string',
      value: 'N',
      short: 'n',
      help: `How many links at most; ${DEFAULT_LINKS} by default`,
    },
    all: { type: 'boolean', help: 'Sets no limit' },
  },
  examples: [
    'postern list --search invoice --state ACTIVE,PAUSED',
    'postern list --all --json > links.ndjson',
  ],
  async run(_, { all, limit, sort, order, type, state, 'owner-kind': kind, ...texts }, { output, connect }) {
    const count = all
      ? Number.POSITIVE_INFINITY
      : limit === undefined
        ? DEFAULT_LINKS
        : parseCount('limit', limit);
    if (count === 0) throw usageFailure('--limit: 0 shows no link', 'Write a whole number from 1.');
    const query: Query = {
      ...texts,
      ...(state !== undefined && { state: state.toUpperCase() }),
      ...(sort !== undefined && { sort: oneOf('sort', sort, SORTS) }),
      ...(order !== undefined && { order: oneOf('order', order, ORDERS) }),
      ...(type !== undefined && { type: oneOf('type', type.toUpperCase(), TYPES) }),
      ...(kind !== undefined && { ownerKind: oneOf('owner-kind', kind.toUpperCase(), OWNER_KINDS) }),
    };
    const rows: Item[] = [];
    let hasMore = false;
    for await (const page of readPages(connect(), query, count)) {
      hasMore = page.next !== null;
      if (output.isJson) for (const item of page.items) output.printJson(item);
      else rows.push(...page.items);
    }
    if (output.isJson) return;
    printLinks(output, rows);
    if (hasMore)
      output.note(`Only the first ${countOf(rows.length, 'link')}: give a larger --limit, or --all.`);
  },
});

/** Yields pages up to a number of links. A page may be empty and still have a next one. */
async function* readPages(connection: Connection, query: Query, count: number): AsyncGenerator<LinkPage> {
  let rest = count;
  let cursor: string | null = null;
  do {
    const limit = Math.min(rest, MAX_PAGE);
    if (limit === 0) return;
    const params = { query: { ...query, limit, ...(cursor !== null && { cursor }) } };
    const page: LinkPage = (await call(connection, connection.client.GET('/api/links', { params }))).data;
    yield page;
    rest -= page.items.length;
    cursor = page.next;
  } while (cursor !== null);
}

function oneOf<const Known extends string>(option: string, text: string, known: readonly Known[]): Known {
  const found = known.find((each) => each === text);
  if (found !== undefined) return found;
  throw usageFailure(`--${option}: "${text}" is unknown`, `Write one of ${known.join(', ')}.`);
}

const COLUMNS: readonly Column[] = [
  { title: 'CODE' },
  { title: 'STATE' },
  { title: 'VIEWS', isNumber: true },
  { title: 'CREATED' },
  { title: 'EXPIRES' },
  { title: 'LABEL', isFlexible: true },
  { title: 'RECIPIENT', isFlexible: true },
  { title: 'OWNER', isFlexible: true },
  { title: 'TARGET', isFlexible: true },
];

function printLinks(output: Output, links: readonly Item[]): void {
  if (links.length === 0) {
    output.note('No link matches.');
    return;
  }
  const isNarrow = (output.width ?? WIDE) < WIDE;
  const hasSeveralOwners = new Set(links.map(({ owner }) => `${owner?.kind} ${owner?.name}`)).size > 1;
  printRows(
    output,
    links.map((link) => toRow(link, { isNarrow, hasSeveralOwners })),
  );
  output.note(`Times are in the time zone ${TIME_ZONE}.`);
}

/** The columns that a terminal has no space for before all others have it. */
const RARE_COLUMNS = ['OWNER', 'EXPIRES', 'CREATED', 'VIEWS', 'STATE'];

/** Leaves out the columns in which no link has anything, and those that the terminal has no space for. */
function printRows(output: Output, rows: string[][]): void {
  let shown = COLUMNS.map((_, column) => column).filter((column) => rows.some((row) => row[column] !== ''));
  const columns = () => shown.map((column) => COLUMNS[column] ?? { title: '' });
  const cells = () => rows.map((row) => shown.map((column) => row[column] ?? ''));
  for (const title of RARE_COLUMNS) {
    if (leastWidth(columns(), cells()) <= (output.width ?? Number.POSITIVE_INFINITY)) break;
    shown = shown.filter((column) => COLUMNS[column]?.title !== title);
  }
  output.printTable(columns(), cells());
}

function toRow(
  link: Item,
  { isNarrow, hasSeveralOwners }: { isNarrow: boolean; hasSeveralOwners: boolean },
): string[] {
  const when = (instant: string): string => formatTime(instant).slice(0, isNarrow ? 10 : 16);
  return [
    link.shortCode,
    link.state,
    link.maxViews === null ? String(link.viewCount) : `${link.viewCount}/${link.maxViews}`,
    when(link.createdAt),
    link.expiresAt === null ? '' : when(link.expiresAt),
    link.label ?? '',
    link.recipient ?? '',
    hasSeveralOwners ? (link.owner?.name ?? '') : '',
    (isNarrow ? link.targetUrl?.replace(/^https?:\/\//, '') : link.targetUrl) ??
      link.file?.name ??
      link.request?.message.split('\n', 1)[0] ??
      '',
  ];
}
