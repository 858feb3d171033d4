import { byPlainForm, findNearMiss } from '../closest-name.ts';
import { codeOf } from '../error-details.ts';
import { isAnyLink, isOfProduct, PRODUCT_FORMATS, PRODUCTS, type ProductName, toRecord } from './products.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import { type SourceRecord, type SourceRow, UnreadableFile } from './source-record.ts';

type Texts = AsyncGenerator<string, void, undefined>;

/**
 * Reads the links of a file that a product has exported, in UTF-8, as JSON or CSV.
 *
 * @param onRead is called with the number of bytes so far
 * @param onIgnored is called once with the columns that are not imported, if there are any
 * @throws UnreadableFile when the file is not an export of this product, or has a misspelt column of `csv`
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
  let isKnown = false;
  for await (const rows of batches) {
    const [first] = rows;
    if (!isKnown && first) {
      assertProduct(name, first);
      if (name === 'csv') reportIgnored(first, onIgnored);
      isKnown = true;
    }
    yield rows.map((row) => toRecord(product, row));
  }
  if (!isKnown) throw new UnreadableFile(`the file has no links; ${name} takes ${product.formats}`);
}

/** Decodes a text in UTF-8, with or without a byte order mark. */
async function* decode(chunks: AsyncIterable<Uint8Array>, onRead: (bytes: number) => void): Texts {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      yield decoder.decode(chunk, { stream: true });
      bytes += chunk.length;
      onRead(bytes);
    }
    decoder.decode();
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
function reportIgnored({ fields }: SourceRow, onIgnored: (columns: readonly string[]) => void): void {
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
