import { basename } from 'node:path';
import type { Link } from '../../client/client.ts';
import { createProgressBar } from '../../src/commands/progress-bar.ts';
import { defineCommand } from '../command.ts';
import { toFailure } from '../connection.ts';
import { CREATED_OPTIONS, printCreated, readShown, toCreated } from '../created.ts';
import { usageFailure } from '../failure.ts';
import { measureFile } from '../local-file.ts';
import { type FileRoute, type SentFile, STANDARD_INPUT, sendFile } from '../send-file.ts';
import type { Settings } from '../settings.ts';
import { CREATION_TERMS, readTerms, WHEN_HELP, withConfirmation } from '../terms.ts';

export const upload = defineCommand({
  name: 'upload',
  words: 'FILE',
  count: { min: 1, max: 1 },
  summary: 'Uploads a file, and prints its link with its token',
  details: `- in place of FILE reads standard input, for which --name is needed.\n${WHEN_HELP}`,
  options: {
    ...CREATION_TERMS,
    ...CREATED_OPTIONS,
    name: { type: 'string', value: 'NAME', help: 'The name under which the file is downloaded' },
  },
  examples: [
    'postern upload report.pdf --password --expires 2d',
    'pg_dump shop | gzip | postern upload - --name shop.sql.gz',
  ],
  async run([path = ''], values, { output, connect }) {
    const shown = readShown(output, values);
    const connection = connect();
    const file = await toSentFile(path, values);
    const { tags, ...terms } = withConfirmation(await readTerms(values, Date.now()));
    const fields = { ...terms, ...(tags && { tags: tags.join(',') }) };
    const { headers, record } = await sendWithProgress(connection, file, fields);
    // The service responds to an upload with the record of a link.
    printCreated(output, toCreated(record as Link, headers), file.name, shown);
  },
});

/** Sends a file, and shows how much of it is sent. Throws if the service refuses it. */
export async function sendWithProgress(
  settings: Settings,
  file: SentFile,
  fields: Record<string, unknown>,
  route?: FileRoute,
) {
  const bar = process.stderr.isTTY ? createProgressBar(process.stderr, true) : undefined;
  const { sizeBytes: total } = file;
  const step = total === undefined ? undefined : bar?.begin({ label: 'Upload', unit: 'bytes', total });
  const send = sendFile(settings, file, fields, (sentBytes) => step?.update(sentBytes), route);
  const { status, headers, record } = await send.finally(() => step?.end());
  if (status >= 300) throw toFailure(settings.url, status, record, headers);
  return { headers, record };
}

/** Returns the file that the arguments name. The size of standard input is not known before its end. */
export async function toSentFile(
  path: string,
  { name, password }: { name?: string; password?: boolean },
): Promise<SentFile> {
  if (path !== STANDARD_INPUT)
    return { path, sizeBytes: await measureFile(path), name: name ?? basename(path) };
  if (name === undefined)
    throw usageFailure('standard input has no name', 'Give --name NAME, under which the file is downloaded.');
  if (password)
    throw usageFailure(
      '--password and - both read standard input',
      'Save the input to a file, and upload that.',
    );
  return { path, sizeBytes: undefined, name };
}
