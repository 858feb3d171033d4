import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf } from '../../src/common/error-details.ts';
import { listFindings } from '../../src/common/findings.ts';
import { checkFile } from '../../src/core/use-cases/history/exported/compare-file.ts';
import { type CheckInWords, checkExport, toWords } from '../../src/tools/commands/check-export.ts';
import { defineCommand } from '../command.ts';
import type { Connection } from '../connection.ts';
import { exportHistory } from '../export-history.ts';
import { Failure, usageFailure } from '../failure.ts';
import { readComparedFile } from '../local-file.ts';
import { toShortCode } from '../texts.ts';
import { readTokenHeader, TOKEN_OPTION } from '../token-option.ts';

export const verify = defineCommand({
  count: { min: 0, max: 1 },
  details:
    'With CODE, gets the history of the link from the service, and checks that it is complete and unchanged. With --export,\n' +
    'checks an exported history without any service. With --file, also checks that FILE is the file of the link; with --sha256,\n' +
    'only that, without a history.\n\n' +
    'Without any of these, on the machine of the service, checks its whole store, and changes nothing: an SQLite file for\n' +
    'damage, the history of every link for changes, all statistics against a recount, and links against files. Takes the\n' +
    'properties of the service, which may be running. Files without a link are only noted.',
  options: {
    ...TOKEN_OPTION,
    export: { type: 'string', value: 'FILE', help: 'An exported history (NDJSON); - for standard input' },
    fingerprint: {
      type: 'string',
      value: 'F',
      help: 'Compares with a fingerprint that you noted earlier',
    },
    evidence: {
      type: 'string',
      value: 'FILE',
      help: 'Compares with what you kept of the log: its key, keys of witnesses, checkpoints, proofs',
    },
    file: { type: 'string', value: 'FILE', help: 'Compares a file with that of the link' },
    sha256: { type: 'string', value: 'S', help: 'The SHA-256 on a delivery record, for --file' },
    'read-files': {
      type: 'boolean',
      help: 'Of a whole store: also compares the SHA-256 of each file with that of its upload',
    },
  },
  examples: [
    'postern verify eSWNHQJv --fingerprint 9c1e…',
    'postern verify --export history.ndjson --file report.pdf',
    'postern verify --app.database.url=sqlite:/var/lib/postern/postern.db --read-files',
  ],
  async run([word], { export: path, file: filePath, ...values }, { output, connect }) {
    const sources = [word, path, values.sha256].filter((source) => source !== undefined);
    if (values['read-files'])
      throw usageFailure('--read-files is for a whole store', 'Leave out the other arguments.');
    if (sources.length !== 1)
      throw usageFailure(
        'verify needs either a short code, --export FILE or --sha256 S',
        'To check a whole store, give only properties of the service, and --read-files.',
      );
    if (path === '') throw usageFailure('--export: the name of the file is missing');
    const knownFingerprint = readHash('fingerprint', values.fingerprint) ?? null;
    const kept = values.evidence === undefined ? undefined : await readText(values.evidence);
    const sha256 = readHash('sha256', values.sha256);
    const file = filePath === undefined ? undefined : await readComparedFile(filePath);
    if (sha256 !== undefined && (!file || knownFingerprint !== null || kept !== undefined))
      throw usageFailure('--sha256 goes with --file, and without --fingerprint and --evidence');
    const checkHistory = async (): Promise<CheckInWords> => {
      const chunks =
        word === undefined
          ? openExport(path ?? '-')
          : await readHistory(connect(), word, await readTokenHeader(values));
      return checkExport(chunks, knownFingerprint, file, kept).catch((error: unknown) => {
        if (codeOf(error) === 'ENOENT') throw usageFailure(`there is no file ${resolve(path ?? '')}`);
        throw error;
      });
    };
    const { findings, proved, reason } =
      file && sha256 !== undefined ? toWords(checkFile(file, sha256)) : await checkHistory();
    if (output.isJson) output.printJson({ differences: findings.shown, count: findings.count, proved });
    else for (const line of [...proved, ...listFindings(findings)]) output.print(line);
    if (reason) throw new Failure('failed', NOT_CHECKED[reason]);
    if (findings.count > 0)
      throw new Failure(
        'failed',
        `there ${findings.count === 1 ? 'is 1 difference' : `are ${findings.count} differences`}`,
      );
  },
});

const NOT_CHECKED = {
  notExported: 'this is not an exported history, so nothing was checked',
  unchecked: 'the check cannot be done',
  notCompared: 'what you kept was not compared with the history',
};

/** Reads a SHA-256 that a person copied. */
function readHash(option: string, text: string | undefined): string | undefined {
  const hash = text?.toLowerCase();
  if (hash === undefined || /^[0-9a-f]{64}$/.test(hash)) return hash;
  throw usageFailure(`--${option}: "${hash}" is not 64 hexadecimal digits`, 'Copy all of them.');
}

/** Reads a small text file. */
async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') throw usageFailure(`there is no file ${resolve(path)}`);
    throw error;
  });
}

const openExport = (path: string) => (path === '-' ? process.stdin : createReadStream(path));

async function readHistory(
  connection: Connection,
  word: string,
  headers: Record<string, string>,
): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await exportHistory(connection, { shortCode: toShortCode(word), headers });
  return body ?? new ReadableStream<Uint8Array>();
}
