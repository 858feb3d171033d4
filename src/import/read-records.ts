import { byPlainForm, findNearMiss } from '../closest-name.ts';
import { isOfProduct, PRODUCT_FORMATS, PRODUCTS, type ProductName, toRecord } from './products.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { readSql } from './read-sql.ts';
import { peek } from './read-text.ts';
import {
  type ReadRows,
  type SourceRecord,
  type SourceRow,
  UnreadableFile,
  type UnreadableRow,
} from './source-record.ts';

/** Called once with the columns that are not imported, if there are any. */
export type OnIgnored = (columns: readonly string[]) => void;

/** Enough to see in which format a text is. */
const PEEKED_CHARACTERS = 1_024;
/** How a dump of MySQL begins, after white space. */
const SQL = /^\s*(--|#|\/\*|(SET|CREATE|INSERT|REPLACE|DROP|LOCK|USE|START)\b[^,;]*[\s`(])/i;

/**
 * Reads the links of a file that a product has exported. The content says in which of its formats it is.
 *
 * @throws UnreadableFile when the file is not an export of this product, or has a misspelt column of `csv`
 */
export async function* readRecords(
  texts: AsyncGenerator<string, void, undefined>,
  name: ProductName,
  onIgnored: OnIgnored = () => {},
): AsyncGenerator<(SourceRecord | UnreadableRow)[]> {
  const product = PRODUCT_FORMATS[name];
  const { start, all } = await peek(texts, PEEKED_CHARACTERS);
  let isKnown = false;
  for await (const rows of readerOf(start)(all)) {
    const first = rows.find((row) => 'fields' in row);
    if (!isKnown && first) {
      assertProduct(name, first);
      if (name === 'csv') nameIgnored(first, onIgnored);
      isKnown = true;
    }
    yield rows.map((row) => ('fields' in row ? toRecord(product, row) : row));
  }
}

function readerOf(start: string): ReadRows {
  if (/^\s*[[{]/.test(start)) return readJson;
  return SQL.test(start) ? readSql : readCsv;
}

/** Refuses a file whose first row lacks the columns of the product. */
function assertProduct(name: ProductName, { fields, line }: SourceRow): void {
  if (isOfProduct(PRODUCT_FORMATS[name], fields)) return;
  const other = PRODUCTS.find((each) => isOfProduct(PRODUCT_FORMATS[each], fields));
  throw new UnreadableFile(
    `line ${line} is not a link of ${name}; its fields are ${[...fields.keys()].slice(0, 12).join(', ')}: ` +
      (other === undefined
        ? `${name} takes ${PRODUCT_FORMATS[name].formats}`
        : `it looks like ${other}, so try import ${other}`),
  );
}

/** Refuses near misses of the columns of `csv`: a link would lack what its column says. */
function nameIgnored({ fields }: SourceRow, onIgnored: OnIgnored): void {
  const { columns, tags = 'tags' } = PRODUCT_FORMATS.csv;
  const known = [...Object.values(columns).flat(), tags];
  const unknown = [...fields.keys()].filter((name) => name !== '' && !known.includes(name));
  for (const name of unknown) {
    const meant = findNearMiss(name, byPlainForm(known));
    if (meant !== undefined)
      throw new UnreadableFile(`the column "${name}" is unknown; did you mean ${meant}? Rename or remove it`);
  }
  if (unknown.length > 0) onIgnored(unknown);
}
