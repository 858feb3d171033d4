import { isHttpUrl } from '../links/rules/target-url.ts';
import { plainName, type SourceRecord, type SourceRow } from './source-record.ts';

export const PRODUCTS = ['shlink', 'yourls', 'kutt', 'csv'] as const;
/** A service that links come from; `csv` is any other, by columns with the names of this service. */
export type ProductName = (typeof PRODUCTS)[number];

type Member = Exclude<keyof SourceRecord, 'line' | 'tags' | 'refusals' | 'losses' | Flag>;
type Flag = 'forwardPath' | 'forwardQuery';

/** The names of the members of a link in the exports of a product. The first column that has a text counts. */
export type Product = {
  columns: Partial<Record<Member, readonly string[]>>;
  tags?: string;
  flags?: readonly Flag[];
  /** Columns of which every export has one, besides the target. `shortUrl`: the code is the end of a URL. */
  shortUrl?: string;
  /** Reads the short code from the path of a short URL. */
  codeOfPath?: (path: string) => string;
  tagDelimiter?: RegExp;
  /** Columns that are set where a link is not imported, with the reason. */
  refusals?: Record<string, SourceRecord['refusals'][number]>;
  /** Columns that are set where a link does what is not imported, with what that is. */
  losses?: Record<string, string>;
  formats: string;
};

/** The columns of `csv` as its messages name them. */
const CSV_COLUMNS: Product['columns'] = {
  shortCode: ['shortCode', 'customCode'],
  targetUrl: ['targetUrl'],
  createdAt: ['createdAt'],
  startsAt: ['startsAt'],
  expiresAt: ['expiresAt'],
  maxViews: ['maxViews'],
  views: ['views', 'viewCount'],
  label: ['label'],
  note: ['note'],
  recipient: ['recipient'],
  password: ['password'],
};
const FLAGS = ['forwardPath', 'forwardQuery'] as const;
export const CSV_COLUMN_NAMES = [...Object.values(CSV_COLUMNS).flat(), 'tags', ...FLAGS];

export const PRODUCT_FORMATS: Record<ProductName, Product> = {
  shlink: {
    columns: {
      shortCode: ['shortcode'],
      targetUrl: ['longurl'],
      createdAt: ['datecreated', 'createdat'],
      startsAt: ['metavalidsince'],
      expiresAt: ['metavaliduntil'],
      maxViews: ['metamaxvisits'],
      views: ['visitssummarytotal', 'visitscount', 'visits'],
      label: ['title'],
    },
    tags: 'tags',
    flags: ['forwardQuery'],
    tagDelimiter: /[|,]/,
    shortUrl: 'shorturl',
    losses: { hasredirectrules: 'its redirect rules' },
    formats: 'the JSON of GET /rest/v3/short-urls, or the CSV of the web client',
  },
  yourls: {
    columns: {
      shortCode: ['keyword'],
      targetUrl: ['url'],
      createdAt: ['timestamp'],
      views: ['clicks'],
      label: ['title'],
    },
    shortUrl: 'shorturl',
    // Installed in a directory, YOURLS has a longer path. Its keywords have no slash.
    codeOfPath: (path) => path.slice(path.lastIndexOf('/') + 1),
    formats: 'a CSV export of the table yourls_url, or the JSON of the API action stats',
  },
  kutt: {
    columns: {
      shortCode: ['address'],
      targetUrl: ['target'],
      createdAt: ['createdat'],
      expiresAt: ['expirein'],
      views: ['visitcount'],
      label: ['description'],
    },
    shortUrl: 'link',
    refusals: { password: 'password', banned: 'banned' },
    formats: 'the JSON of GET /api/v2/links, or a CSV export of the table links',
  },
  csv: {
    columns: Object.fromEntries(
      Object.entries(CSV_COLUMNS).map(([member, names]) => [member, names.map(plainName)]),
    ),
    tags: 'tags',
    flags: FLAGS,
    tagDelimiter: /,/,
    formats:
      'CSV with the columns shortCode and targetUrl, and any of createdAt, startsAt, expiresAt, maxViews, views, label, note, tags, recipient, password, forwardPath, forwardQuery',
  },
};

/** Returns whether a row has the columns of the product's links. */
export function isOfProduct(product: Product, fields: SourceRow['fields']): boolean {
  return identifyingColumns(product).every((names) => names.some((name) => fields.has(name)));
}

const IDENTIFYING = new Set(Object.values(PRODUCT_FORMATS).flatMap(identifyingColumns).flat());

/** Returns whether a row has a short code or a target of any product. */
export function isAnyLink(fields: SourceRow['fields']): boolean {
  return fields.keys().some((name) => IDENTIFYING.has(name));
}

/** Returns the columns for the short code, and those for the target. */
function identifyingColumns({ columns, shortUrl }: Product): string[][] {
  const codes = [...(columns.shortCode ?? []), ...(shortUrl === undefined ? [] : [shortUrl])];
  return [codes, [...(columns.targetUrl ?? [])]];
}

/** Reads a link from a row of the product. */
export function toRecord(product: Product, { line, fields }: SourceRow): SourceRecord {
  const read = (member: Member): string | null => {
    for (const name of product.columns[member] ?? []) {
      const text = toText(fields.get(name), member !== 'password');
      if (text !== null) return text;
    }
    return null;
  };
  const readFlag = (flag: Flag): boolean =>
    Boolean(product.flags?.includes(flag)) && isSet(fields.get(plainName(flag)));
  const refusals = Object.entries(product.refusals ?? {});
  const losses = Object.entries(product.losses ?? {});
  return {
    line,
    shortCode: read('shortCode') ?? codeOfUrl(product, toText(fields.get(product.shortUrl ?? ''))),
    targetUrl: read('targetUrl'),
    createdAt: read('createdAt'),
    startsAt: read('startsAt'),
    expiresAt: read('expiresAt'),
    maxViews: read('maxViews'),
    views: read('views'),
    label: read('label'),
    note: read('note'),
    tags: toTags(fields.get(product.tags ?? ''), product.tagDelimiter),
    recipient: read('recipient'),
    password: read('password'),
    forwardPath: readFlag('forwardPath'),
    forwardQuery: readFlag('forwardQuery'),
    refusals: refusals.filter(([name]) => isSet(fields.get(name))).map(([, refusal]) => refusal),
    losses: losses.filter(([name]) => isSet(fields.get(name))).map(([, loss]) => loss),
  };
}

/** Returns null for an empty value. NULL is how exports of databases to CSV write it. */
function toText(value: unknown, isTrimmed = true): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return null;
  const text = isTrimmed ? value.trim() : value;
  return text === '' || text === 'NULL' || text === '\\N' ? null : text;
}

/** Returns whether a value is there and is not false, as JSON and exports of databases write it. */
function isSet(value: unknown): boolean {
  const text = toText(value);
  return text !== null && !/^(0|f|false|n|no)$/i.test(text);
}

function toTags(value: unknown, delimiter: RegExp = /,/): string[] {
  if (Array.isArray(value)) return value.map(String);
  return toText(value)?.split(delimiter) ?? [];
}

function codeOfUrl({ codeOfPath = (path) => path }: Product, url: string | null): string | null {
  if (url === null) return null;
  const whole = url.includes('://') ? url : `http://${url}`;
  return isHttpUrl(whole) ? codeOfPath(decode(new URL(whole).pathname.slice(1))) : null;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not percent-encoded
  }
}
