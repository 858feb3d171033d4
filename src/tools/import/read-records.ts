import { encodingOf } from '../../../client/csv-text.ts';
import { byPlainForm, findNearMiss } from '../../common/closest-name.ts';
import { codeOf } from '../../common/error-details.ts';
import {
  CSV_COLUMN_NAMES,
  isAnyLink,
  isOfProduct,
  knownColumns,
  PRODUCT_FORMATS,
  PRODUCTS,
  type ProductName,
  toRecords,
} from './products.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { type SourceRecord, type SourceRow, UnreadableFile } from './source-record.ts';

type Texts = AsyncGenerator<string, void, undefined>;

/**
 * Reads the links of a file that a product has exported, in UTF-8 or UTF-16, as JSON or CSV.
 *
 * @param onRead is called with the number of bytes so far
 * @param onIgnored is called with the names of columns that are not imported, once for each
 * @throws UnreadableFile when the file is not an export of this product, or has a misspelt column of `csv`, or two for
 * the same
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  name: ProductName,
  onRead: (bytes: number) => void = () => {},
  onIgnored: (columns: readonly string[]) => void = () => {},
): AsyncGenerator<SourceRecord[], void, undefined> {
  const { start, texts } = await peek(decode(chunks, onRead));
  const product = PRODUCT_FORMATS[name];
  const batches = /^[[{]/.test(start) ? readJson(texts, isAnyLink) : readCsv(texts);
  const seen = new Set(['', ...knownColumns(product)]);
  let isKnown = false;
  for await (const rows of batches) {
    const [first] = rows;
    if (!isKnown && first) {
      assertProduct(name, first);
      if (name === 'csv') assertColumns(first);
      isKnown = true;
    }
    const ignored = first ? [...first.names].filter(([plain]) => !seen.has(plain)) : [];
    for (const [plain] of ignored) seen.add(plain);
    if (ignored.length > 0) onIgnored(ignored.map(([, shown]) => shown));
    yield rows.flatMap((row) => toRecords(product, row));
  }
  if (!isKnown) throw new UnreadableFile(`the file has no links; ${name} takes ${product.formats}`);
}

/** Decodes a text in UTF-8, with or without a byte order mark, or in UTF-16 with one. */
async function* decode(chunks: AsyncIterable<Uint8Array>, onRead: (bytes: number) => void): Texts {
  let decoder: TextDecoder | undefined;
  let start = Buffer.alloc(0);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      start = decoder ? start : Buffer.concat([start, chunk]);
      if (start.length < 2) continue;
      const part = decoder ? chunk : start;
      decoder ??= new TextDecoder(encodingOf(start), { fatal: true });
      yield decoder.decode(part, { stream: true });
      bytes += part.length;
      onRead(bytes);
    }
    decoder?.decode();
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw cause;
    throw new UnreadableFile(
      `the text is not in UTF-8 after byte ${bytes.toLocaleString('en-US')}: export it in UTF-8, or convert it, such as with iconv -f latin1 -t utf-8`,
      { cause },
    );
  }
}

/** Returns the start of the texts without white space, and all texts. */
async function peek(texts: Texts): Promise<{ start: string; texts: Texts }> {
  let read = '';
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    read += next.value;
    if (read.trim() !== '') break;
  }
  async function* all(): Texts {
    yield read;
    yield* texts;
  }
  return { start: read.trimStart(), texts: all() };
}

/** Refuses a file whose first row lacks the columns of the product. */
function assertProduct(name: ProductName, row: SourceRow): void {
  const { fields, line } = row;
  if (isOfProduct(PRODUCT_FORMATS[name], fields)) return;
  const other = PRODUCTS.find((each) => isOfProduct(PRODUCT_FORMATS[each], fields));
  throw new UnreadableFile(
    `line ${line} is not a link of ${name}; its fields are ${namesIn(row).slice(0, 12).join(', ')}: ` +
      (other === undefined
        ? `${name} takes ${PRODUCT_FORMATS[name].formats}`
        : `it looks like ${other}, so try import ${other}`),
  );
}

/** Refuses near misses of the columns of `csv`, and two for the same: a link would lack what one of them says. */
function assertColumns({ names }: SourceRow): void {
  const meant = byPlainForm(CSV_COLUMN_NAMES);
  const known = knownColumns(PRODUCT_FORMATS.csv);
  for (const [plain, name] of names) {
    const near = known.has(plain) ? undefined : findNearMiss(plain, meant);
    if (near !== undefined)
      throw new UnreadableFile(`the column "${name}" is unknown; did you mean ${near}? Rename or remove it`);
  }
  for (const [member, columns] of Object.entries(PRODUCT_FORMATS.csv.columns)) {
    const [one, other] = columns.filter((plain) => names.has(plain)).map((plain) => names.get(plain));
    if (other !== undefined)
      throw new UnreadableFile(`the columns "${one}" and "${other}" are both ${member}; remove one of them`);
  }
}

const namesIn = ({ fields, names }: SourceRow): string[] =>
  [...fields.keys()].map((name) => names.get(name) ?? name);
