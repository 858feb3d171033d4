import {
  SOURCE_FLAGS,
  SOURCE_TEXTS,
  type SourceFlag,
  type SourceText,
} from '../../core/model/import-record.ts';
import { tryToDecode } from '../../core/model/percent-encoding.ts';
import { isHttpUrl } from '../../core/rules/target-url.ts';
import { plainName, type SourceRecord, type SourceRow } from './source-record.ts';

export const PRODUCTS = ['shlink', 'yourls', 'kutt', 'bitly', 'csv'] as const;
/** A service that links come from; `csv` is any other, by columns with the names of this service or common ones. */
export type ProductName = (typeof PRODUCTS)[number];

type Member = Exclude<SourceText, 'host'>;
const MEMBERS: readonly Member[] = SOURCE_TEXTS.filter((name) => name !== 'host');
type Columns = Partial<Record<Member, readonly string[]>>;

/** The names of the members of a link in the exports of a product. The first column that has a text counts. */
export type Product = {
  columns: Columns;
  tags?: string;
  flags?: readonly SourceFlag[];
  /** Columns of which every export has one, besides the target: the code is the end of a URL. */
  shortUrls?: readonly string[];
  /** Columns with further short URLs of a link. Each becomes a link. */
  moreShortUrls?: readonly string[];
  /** Columns with the host name of the short URL. Where none has a text, it is in the URL. */
  hosts?: readonly string[];
  /** Reads the short code from the path of a short URL. */
  codeOfPath?: (path: string) => string;
  tagDelimiter?: RegExp;
  /** Columns that are set where a link is not imported, with the reason. */
  refusals?: Record<string, SourceRecord['refusals'][number]>;
  /** Columns that are set where a link does what is not imported, with what that is. */
  losses?: Record<string, string>;
  formats: string;
};

/** The columns of `csv`: the name that messages use, and those of other services for the same. */
export const CSV_COLUMNS = {
  shortCode: [
    'customCode',
    'code',
    'slug',
    'customSlug',
    'keyword',
    'backHalf',
    'alias',
    'key',
    'path',
    'slashtag',
  ],
  targetUrl: ['target', 'destination', 'destinationUrl', 'longUrl', 'longLink', 'originalUrl', 'url'],
  createdAt: ['created', 'dateCreated', 'creationDate', 'timestamp'],
  startsAt: ['validSince'],
  expiresAt: ['expires', 'expirationDate', 'expiryDate', 'validUntil'],
  maxViews: ['maxVisits', 'maxClicks', 'clickLimit'],
  views: ['viewCount', 'clicks', 'clickCount', 'visits', 'visitCount', 'hits'],
  label: ['title', 'name'],
  note: ['notes', 'description', 'comments'],
  recipient: [],
  password: [],
} as const satisfies Required<Columns>;
/** The names of columns that a misspelt one may mean. */
export const CSV_COLUMN_NAMES = [...Object.keys(CSV_COLUMNS), 'tags', 'host', ...SOURCE_FLAGS];
const CSV_MEMBERS = Object.fromEntries(
  Object.entries(CSV_COLUMNS).map(([member, others]) => [member, [member, ...others].map(plainName)]),
);

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
    shortUrls: ['shorturl'],
    hosts: ['domain'],
    losses: {
      hasredirectrules: 'redirect rules',
      devicelongurlsandroid: 'the target for Android',
      devicelongurlsios: 'the target for iOS',
      devicelongurlsdesktop: 'the target for desktops',
      crawlable: 'the entry for search engines',
    },
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
    shortUrls: ['shorturl'],
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
    shortUrls: ['link'],
    hosts: ['domain'],
    refusals: { password: 'password', banned: 'banned' },
    losses: { domainid: 'the domain, of which the table has only a number' },
    formats: 'the JSON of GET /api/v2/links, or a CSV export of the table links',
  },
  bitly: {
    columns: {
      targetUrl: ['longurl', 'destinationurl'],
      createdAt: ['createdat', 'created', 'datecreated', 'createddate'],
      views: ['clicks', 'totalclicks', 'engagements', 'totalengagements'],
      label: ['title'],
    },
    tags: 'tags',
    tagDelimiter: /[|,]/,
    shortUrls: ['link', 'bitlink', 'shortlink', 'id'],
    moreShortUrls: ['custombitlinks', 'customlinks', 'customlink'],
    refusals: { isdeleted: 'deleted' },
    losses: { deeplinks: 'the links into apps', archived: 'the mark "archived"' },
    formats: 'the JSON of GET /v4/groups/GROUP/bitlinks, or the CSV of Bitly',
  },
  csv: {
    columns: CSV_MEMBERS,
    tags: 'tags',
    flags: SOURCE_FLAGS,
    tagDelimiter: /[|,]/,
    shortUrls: ['shorturl', 'shortlink'],
    hosts: ['host', 'domain'],
    formats: `CSV with the columns shortCode and targetUrl, and any of ${CSV_COLUMN_NAMES.slice(2).join(', ')}`,
  },
};

/** Returns whether a row has the columns of the product's links. */
export function isOfProduct(product: Product, fields: SourceRow['fields']): boolean {
  return identifyingColumns(product).every((names) => names.some((name) => fields.has(name)));
}

/** Without the names of other services for `csv`: `code` and `url` are also members of pages. */
const IDENTIFYING = new Set(
  PRODUCTS.flatMap((name) =>
    name === 'csv' ? ['shortcode', 'targeturl'] : identifyingColumns(PRODUCT_FORMATS[name]).flat(),
  ),
);

/** Returns whether a row has a short code or a target of any product. */
export function isAnyLink(fields: SourceRow['fields']): boolean {
  return fields.keys().some((name) => IDENTIFYING.has(name));
}

/** Returns the columns for the short code, and those for the target. */
function identifyingColumns({ columns, shortUrls = [] }: Product): string[][] {
  return [[...(columns.shortCode ?? []), ...shortUrls], [...(columns.targetUrl ?? [])]];
}

/** Returns the columns that are imported, or reported where a link has them. */
export function knownColumns(product: Product): ReadonlySet<string> {
  const {
    columns,
    tags,
    hosts = [],
    flags = [],
    shortUrls = [],
    moreShortUrls = [],
    refusals,
    losses,
  } = product;
  return new Set([
    ...Object.values(columns).flat(),
    ...[tags ?? '', ...hosts, ...flags.map(plainName), ...shortUrls, ...moreShortUrls],
    ...Object.keys({ ...refusals, ...losses }),
  ]);
}

/** Reads a link from a row of the product, and one for each further short URL of it, without its views. */
export function toRecords(product: Product, row: SourceRow): SourceRecord[] {
  const record = toRecord(product, row);
  const more = (product.moreShortUrls ?? []).flatMap((name) => toTags(row.fields.get(name), /[|,]/));
  const others = more.map((url) => ({ ...record, ...readShortUrl(product, url.trim()), views: null }));
  return [record, ...others.filter(({ shortCode }) => shortCode !== record.shortCode)];
}

function toRecord(product: Product, { line, fields }: SourceRow): SourceRecord {
  const read = (member: Member): string | null => {
    for (const name of product.columns[member] ?? []) {
      const text = toText(fields.get(name), member !== 'password');
      if (text !== null) return text;
    }
    return null;
  };
  const readFlag = (flag: SourceFlag): boolean =>
    Boolean(product.flags?.includes(flag)) && isSet(fields.get(plainName(flag)));
  const refusals = Object.entries(product.refusals ?? {});
  const losses = Object.entries(product.losses ?? {});
  const shortUrl = product.shortUrls?.map((name) => toText(fields.get(name))).find((text) => text !== null);
  const { shortCode, host } = readShortUrl(product, shortUrl ?? null);
  return {
    line,
    ...readEach(MEMBERS, read),
    shortCode: read('shortCode') ?? shortCode,
    host:
      (product.hosts ?? [])
        .map((name) => toText(fields.get(name)))
        .find((text) => text !== null)
        ?.toLowerCase() ?? host,
    tags: toTags(fields.get(product.tags ?? ''), product.tagDelimiter),
    ...readEach(SOURCE_FLAGS, readFlag),
    refusals: refusals.filter(([name]) => isSet(fields.get(name))).map(([, refusal]) => refusal),
    losses: losses.filter(([name]) => isSet(fields.get(name))).map(([, loss]) => loss),
  };
}

/** Returns what `read` returns of each name. */
function readEach<Name extends string, Value>(
  names: readonly Name[],
  read: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, Value>; // of each name one
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
  if (Array.isArray(value)) return value.length > 0;
  const text = toText(value);
  return text !== null && !/^(0|f|false|n|no)$/i.test(text);
}

function toTags(value: unknown, delimiter: RegExp = /,/): string[] {
  if (Array.isArray(value)) return value.map(String);
  return toText(value)?.split(delimiter) ?? [];
}

/** Returns the code and the host of a short URL, also of one without a scheme. */
function readShortUrl(
  { codeOfPath = (path) => path }: Product,
  url: string | null,
): Pick<SourceRecord, 'shortCode' | 'host'> {
  const whole = url === null || url.includes('://') ? (url ?? '') : `http://${url}`;
  if (!isHttpUrl(whole)) return { shortCode: null, host: null };
  const { pathname, host } = new URL(whole);
  const path = pathname.slice(1);
  return { shortCode: codeOfPath(tryToDecode(path) ?? path), host };
}
