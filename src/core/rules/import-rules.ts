import { type ImportRecord, SOURCE_FLAGS, SOURCE_REFUSALS, SOURCE_TEXTS } from '../model/import-record.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { type Rules, textOf } from './read-fields.ts';
import { parseFlag } from './term-rules.ts';

const LISTS = ['tags', 'refusals', 'losses'] as const;

/** The members of an import besides its records. */
export const IMPORT_RULES = {
  from: (value: unknown) =>
    typeof value === 'string' && /^[a-z]{1,20}$/.test(value)
      ? accept(value)
      : refuse(
          'from',
          'INVALID_IMPORT',
          'must be the name of a product in lower-case letters, such as shlink',
        ),
  timeZone: (value: unknown = 'UTC') =>
    typeof value === 'string' && isZoneOrOffset(value)
      ? accept(value)
      : refuse(
          'timeZone',
          'INVALID_TIME_ZONE',
          'must be the name of a time zone, such as Europe/Berlin, or an offset, such as +02:00',
        ),
  withRefusal: (value: unknown = 'pause'): Parsed<'pause' | 'skip'> =>
    value === 'pause' || value === 'skip'
      ? accept(value)
      : refuse('withRefusal', 'INVALID_IMPORT', 'must be pause or skip'),
  allowsBlocked: (value: unknown = false) => parseFlag('allowsBlocked', value),
  isDryRun: (value: unknown = false) => parseFlag('isDryRun', value),
} satisfies Rules<unknown>;

function isZoneOrOffset(text: string): boolean {
  try {
    Temporal.PlainDate.from('2000-01-01').toZonedDateTime(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads the records of an import. Their texts are not checked yet. */
export function parseImportRecords(items: readonly unknown[]): Parsed<ImportRecord[]> {
  const records: ImportRecord[] = [];
  for (const [index, item] of items.entries()) {
    const parsed = parseRecord(item, `items[${index}]`);
    if (!parsed.ok) return parsed;
    records.push(parsed.value);
  }
  return accept(records);
}

function parseRecord(item: unknown, field: string): Parsed<ImportRecord> {
  if (typeof item !== 'object' || item === null) return refuse(field, 'INVALID_IMPORT', 'must be an object');
  const sent: Readonly<Record<string, unknown>> = { ...item };
  const record: Record<string, unknown> = {};
  for (const name of SOURCE_TEXTS) {
    const parsed = textOf(`${field}.${name}`)(sent[name]);
    if (!parsed.ok) return parsed;
    record[name] = parsed.value;
  }
  for (const name of SOURCE_FLAGS) {
    const parsed = parseFlag(`${field}.${name}`, sent[name] ?? false);
    if (!parsed.ok) return parsed;
    record[name] = parsed.value;
  }
  for (const name of LISTS) {
    const value: unknown = sent[name] ?? [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [undefined];
    const known: readonly unknown[] | null = name === 'refusals' ? SOURCE_REFUSALS : null;
    const isList = items.every((each) => (known ? known.includes(each) : typeof each === 'string'));
    if (!isList)
      return refuse(
        `${field}.${name}`,
        'INVALID_IMPORT',
        `must be an array of ${known?.join(', ') ?? 'texts'}`,
      );
    record[name] = value;
  }
  return accept(record as ImportRecord); // each of its members was read above
}
