import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatCsv, readText } from '../../client/bulk-csv.ts';
import { toRequests } from '../../client/bulk-requests.ts';
import type { BulkResult, RedirectRequest } from '../../client/client.ts';
import { TIME_FORMS } from '../../client/times.ts';
import { codeOf, messageOf } from '../../src/common/error-details.ts';
import { countOf } from '../../src/common/format.ts';
import { LINK_COLUMNS, type LinkColumn } from '../../src/core/model/terms.ts';
import { toPrintable } from '../../src/tools/commands/terminal.ts';
import { type LinkRow, readBulkFile, toLinkOfRow } from '../bulk-items.ts';
import { defineCommand } from '../command.ts';
import { type Connection, call, refuseCreations } from '../connection.ts';
import { EXIT_CODES, Failure, usageFailure } from '../failure.ts';
import { requireFree } from '../save-file.ts';
import { creationTerms, readTerms, termOptions } from '../terms.ts';

/** The number of times that a request is sent when its connection breaks. Its Idempotency-Key prevents a second creation. */
const MAX_TRIES = 3;
/** Without passwords: a file of links and their passwords would open them all. */
const SHOWN_COLUMNS: readonly LinkColumn[] = ['targetUrl', 'label', 'recipient'];
const RESULT_COLUMNS = [
  'row',
  'status',
  'accessUrl',
  'shortCode',
  'token',
  ...SHOWN_COLUMNS,
  'fingerprint',
  'error',
];

export const bulk = defineCommand({
  count: { min: 1, max: 1 },
  details:
    `The first line names the columns: ${LINK_COLUMNS.slice(0, 7).join(', ')},\n` +
    `${LINK_COLUMNS.slice(7, 14).join(', ')},\n${LINK_COLUMNS.slice(14).join(', ')}. Only targetUrl is needed.\n` +
    'The options are for every link.\n' +
    `Times are written like ${TIME_FORMS}, as with --expires.\n` +
    'confirm is true or false. Without a value, --confirm and --no-confirm decide; without these, links with\n' +
    'maxViews show a confirmation page.\n' +
    'Prints CSV with the link, its token and fingerprint, or its error. With --json, prints a JSON document for\n' +
    'each row, in the order of the file. The exit code is 1 when a row was refused.',
  options: {
    ...termOptions((name) => name !== 'customCode'),
    confirm: creationTerms('REDIRECT').confirm,
    output: {
      type: 'string',
      value: 'FILE',
      short: 'o',
      help: 'Writes the result to a new file that only you can read',
    },
  },
  examples: ['postern bulk recipients.csv --max-views 1 --output links.csv'],
  async run([path = ''], { output: file, ...values }, { output, connect }) {
    const connection = connect();
    const now = Date.now();
    const { rows, delimiter } = readBulkFile(await readText(new Blob([readInput(path)])), now);
    const terms = await readTerms(values, now);
    if (file !== undefined) requireFree(file);
    using target = openTarget(file);
    const format = (results: BulkResult[], start: number): string =>
      output.isJson
        ? results
            .map((result, index) => `${JSON.stringify({ row: rows[start + index]?.number, ...result })}\n`)
            .join('')
        : formatCsv(toLines(rows, results, start), delimiter);
    let refused = 0;
    let done = 0;
    for (const { start, some } of toRequests(rows.map((row) => toLinkOfRow(row, terms, now)))) {
      const results = await createLinks(connection, some).catch((error: unknown) => {
        throw withProgress(error, done, rows.length);
      });
      done += some.length;
      if (file === undefined) output.announceTokens(describeLoss(done, rows.length));
      await target.write(format(results, start));
      refused += results.filter(({ link }) => link === undefined).length;
      output.note(`${done} of ${rows.length}`);
    }
    if (refused > 0)
      throw new Failure('failed', `${refused} of ${countOf(rows.length, 'link')} refused`, {
        remedy:
          'The result has the error of each of them. The other links exist: correct only the refused rows, in a file ' +
          'of their own.',
      });
  },
});

function readInput(path: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(path === '-' ? 0 : path);
  } catch (error) {
    throw usageFailure(codeOf(error) === 'ENOENT' ? `there is no file ${resolve(path)}` : messageOf(error));
  }
}

/** Opens a new file for the result, or standard output. */
function openTarget(path: string | undefined) {
  const file = path === undefined ? undefined : openSync(path, 'wx', 0o600);
  return {
    write: async (text: string): Promise<void> => {
      if (file !== undefined) writeSync(file, text);
      else await print(text);
    },
    [Symbol.dispose]: () => file !== undefined && closeSync(file),
  };
}

/** Prints a text. Waits for ever on an error, which ends the process: no further links are created meanwhile. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(process.stdout.isTTY ? toPrintable(text) : text, (error) => {
      if (!error) resolve();
    });
  });
}

async function createLinks(connection: Connection, items: RedirectRequest[]): Promise<BulkResult[]> {
  const headers = { 'idempotency-key': randomUUID() };
  for (let tries = 1; ; tries++) {
    try {
      const request = connection.client.POST('/api/links/bulk', { headers, body: { items } });
      return (await call(connection, request)).data.results;
    } catch (error) {
      const isBroken = error instanceof Failure && error.exitCode === EXIT_CODES.unreachable;
      if (!isBroken || tries === MAX_TRIES) refuseCreations(error);
    }
  }
}

/** Returns the lines of the result, with titles above those of the first request. */
function toLines(rows: readonly LinkRow[], results: readonly BulkResult[], start: number): string[][] {
  const lines = results.map(({ status, link, error }, index) => {
    const { number, cells } = rows[start + index] ?? { number: 0, cells: {} };
    return [
      ...[String(number), String(status), link?.accessUrl ?? '', link?.shortCode ?? '', link?.token ?? ''],
      ...SHOWN_COLUMNS.map((column) => cells[column] ?? ''),
      link?.fingerprint ?? '',
      error?.message ?? '',
    ];
  });
  return start === 0 ? [RESULT_COLUMNS, ...lines] : lines;
}

/** Returns what to do when the results of the last of the rows that are done were not all printed. */
function describeLoss(done: number, total: number): string {
  const rest = done < total ? ' Remove these rows from the file, and give --output FILE for the others.' : '';
  return (
    `Rows 1 to ${done} of ${total} are done: another run would create their links again.${rest} ` +
    'The tokens of some of these links are lost; postern list shows these links.'
  );
}

/** Adds to a failure how many links of the file had been handled before it. */
function withProgress(error: unknown, done: number, total: number): unknown {
  if (!(error instanceof Failure) || done === 0) return error;
  const { message, code, remedy, cause, kind } = error;
  const rest = `Links 1 to ${done} of ${total} are done, and their results printed.`;
  return new Failure(kind, message, { code, cause, remedy: `${rest}${remedy ? ` ${remedy}` : ''}` });
}
