import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { checkExport } from '../../src/commands/check-export.ts';
import { codeOf } from '../../src/error-details.ts';
import { defineCommand } from '../command.ts';
import type { Connection } from '../connection.ts';
import { exportHistory } from '../export-history.ts';
import { Failure, usageFailure } from '../failure.ts';
import { toShortCode } from '../texts.ts';
import { readTokenHeader, TOKEN_OPTION } from '../token-option.ts';

export const verify = defineCommand({
  name: 'verify',
  words: '[CODE]',
  count: { min: 0, max: 1 },
  summary: 'Checks that the history of a link is complete and unchanged',
  details:
    'With CODE, reads the history from the service. With --export, checks a file without any service. On the\n' +
    'server, npm run verify also checks the whole store.',
  options: {
    ...TOKEN_OPTION,
    export: { type: 'string', value: 'FILE', help: 'An exported history (NDJSON); - for standard input' },
    fingerprint: {
      type: 'string',
      value: 'F',
      help: 'Compares with a fingerprint that you noted earlier',
    },
  },
  examples: ['postern verify eSWNHQJv --fingerprint 9c1e…', 'postern verify --export history.ndjson'],
  async run([word], { export: path, fingerprint, ...values }, { output, connect }) {
    if ((word === undefined) === (path === undefined)) {
      throw usageFailure('verify needs either a short code or --export FILE');
    }
    if (path === '') throw usageFailure('--export: the name of the file is missing');
    const witness = fingerprint?.toLowerCase() ?? null;
    if (witness !== null && !/^[0-9a-f]{64}$/.test(witness)) {
      throw usageFailure(
        `--fingerprint: "${witness}" is not 64 hexadecimal digits`,
        'Copy the whole fingerprint.',
      );
    }
    const chunks =
      word === undefined
        ? openExport(path ?? '-')
        : await readHistory(connect(), word, await readTokenHeader(values));
    const { findings, proved } = await checkExport(chunks, witness).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') throw usageFailure(`there is no file ${resolve(path ?? '')}`);
      throw error;
    });
    if (output.isJson) output.printJson({ differences: findings.shown, count: findings.count, proved });
    else for (const line of findings.count === 0 ? proved : findings.shown) output.print(line);
    if (findings.count > 0)
      throw new Failure(
        'failed',
        `the history has ${findings.count} ${findings.count === 1 ? 'difference' : 'differences'}`,
      );
  },
});

const openExport = (path: string) => (path === '-' ? process.stdin : createReadStream(path));

async function readHistory(
  connection: Connection,
  word: string,
  headers: Record<string, string>,
): Promise<AsyncIterable<Uint8Array>> {
  const { body } = await exportHistory(connection, { shortCode: toShortCode(word), headers });
  return body ?? new ReadableStream<Uint8Array>();
}
