import { basename } from 'node:path';
import type { Link } from '../../client/client.ts';
import { createProgressBar } from '../../src/commands/progress-bar.ts';
import { defineCommand } from '../command.ts';
import { toFailure } from '../connection.ts';
import { CREATED_OPTIONS, printCreated, readShown, toCreated, withFragment } from '../created.ts';
import { ENCRYPTION_OPTIONS, encryptPaths } from '../encrypt-paths.ts';
import { usageFailure } from '../failure.ts';
import { measureFile } from '../local-file.ts';
import { type FileRoute, type SentFile, STANDARD_INPUT, sendFile } from '../send-file.ts';
import type { Settings } from '../settings.ts';
import { CREATION_TERMS, readTerms, WHEN_HELP, withConfirmation } from '../terms.ts';

export const upload = defineCommand({
  name: 'upload',
  words: 'FILE…',
  count: { min: 1, max: 1_000 },
  summary: 'Uploads a file, and prints its link with its token',
  details:
    '- in place of FILE reads standard input, for which --name is needed. Several files and folders are sent only with\n' +
    `--encrypt: as one archive, in the format of age.\n${WHEN_HELP}`,
  options: {
    ...ENCRYPTION_OPTIONS,
    ...CREATION_TERMS,
    ...CREATED_OPTIONS,
    name: { type: 'string', value: 'NAME', help: 'The name under which the file is downloaded' },
    viewable: { type: 'boolean', help: 'Shows a picture to browsers, on a page' },
  },
  examples: [
    'postern upload report.pdf --password --expires 2d',
    'pg_dump shop | gzip | postern upload - --name shop.sql.gz',
    'postern upload contracts/ notes.txt --encrypt --max-views 1',
  ],
  async run(paths, values, { output, connect }) {
    const shown = readShown(output, values);
    const connection = connect();
    const encrypted = await encryptPaths(paths, values, output);
    const [path = '', another] = paths;
    if (!encrypted && another !== undefined)
      throw usageFailure(
        'several files are sent only with --encrypt',
        'Send one, or pack them into an archive.',
      );
    const file = encrypted?.file ?? (await toSentFile(path, values));
    const { tags, ...terms } = withConfirmation(await readTerms(values, Date.now()));
    const viewable = values.viewable && { viewable: true };
    const fields = {
      ...terms,
      ...viewable,
      ...(tags && { tags: tags.join(',') }),
      ...(encrypted && { encrypted: true }),
    };
    const { headers, record } = await sendWithProgress(connection, file, fields);
    // The service responds to an upload with the record of a link.
    const created = toCreated(record as Link, headers);
    printCreated(output, withFragment(created, encrypted?.fragment), file.name, shown);
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
