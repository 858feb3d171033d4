import { basename } from 'node:path';
import type { Link } from '../../client/client.ts';
import { countOf } from '../../src/common/format.ts';
import { createProgressBar } from '../../src/tools/commands/progress-bar.ts';
import { defineCommand, type Options, type Values } from '../command.ts';
import { type Connection, refuseCreation, toFailure } from '../connection.ts';
import { CREATED_OPTIONS, printCreated, readShown, toCreated, withFragment } from '../created.ts';
import { ENCRYPTION_OPTIONS, encryptPaths } from '../encrypt-paths.ts';
import { usageFailure } from '../failure.ts';
import { findFiles, measureFile } from '../local-file.ts';
import type { Output } from '../output.ts';
import { joinFiles, toNewLink, toSource, uploadResumably } from '../resumable-upload.ts';
import { type FileRoute, type SentFile, type SentResponse, STANDARD_INPUT, sendFile } from '../send-file.ts';
import type { Settings } from '../settings.ts';
import { creationTerms, readTerms, WHEN_HELP, withConfirmation } from '../terms.ts';

const OPTIONS = {
  ...ENCRYPTION_OPTIONS,
  ...creationTerms('DOWNLOAD'),
  ...CREATED_OPTIONS,
  name: { type: 'string', value: 'NAME', help: 'The name under which the file is downloaded' },
  viewable: { type: 'boolean', help: 'Shows the file to browsers, on a page' },
} as const satisfies Options;
type UploadValues = Values<typeof OPTIONS>;

export const upload = defineCommand({
  count: { min: 1, max: 1_000 },
  details:
    'A broken upload goes on by itself and, unless it is encrypted, when the command is run again. Several files and folders\n' +
    'become one link; with --encrypt they are one archive, in the format of age. - in place of FILE reads standard input,\n' +
    `for which --name is needed, up to the limit of the service for forms, and does not go on.\n${WHEN_HELP}`,
  options: OPTIONS,
  examples: [
    'postern upload report.pdf --password --expires 2d',
    'pg_dump shop | gzip | postern upload - --name shop.sql.gz',
    'postern upload contracts/ notes.txt --encrypt --max-views 1',
  ],
  async run(paths, values, { output, connect, environment }) {
    const shown = readShown(output, values);
    const connection = connect();
    const encrypted = await encryptPaths(paths, values, output);
    if (!encrypted && paths.includes(STANDARD_INPUT))
      return sendStandardInput(connection, { paths, values, shown, output });
    const source = encrypted
      ? toSource(encrypted.file)
      : joinFiles(await findFiles(paths, output), values.name);
    const terms = withConfirmation(await readTerms(values, Date.now()));
    const fields = {
      ...{ ...terms, ...(values.name !== undefined && { fileName: values.name }) },
      ...(encrypted && { encrypted: true }),
      ...(values.viewable && { viewable: true }),
    };
    const { headers, record } = await withProgress(connection, source.sizeBytes, (onProgress) =>
      uploadResumably(connection, source, toNewLink(fields), { environment, onProgress }),
    );
    // The service responds with the record of a link.
    const { sha256, ...created } = withFragment(toCreated(record as Link, headers), encrypted?.fragment);
    if (source.files)
      printCreated(output, created, `${source.name} (${countOf(source.files.length, 'file')})`, shown); // a set has no file with its digest
    else printCreated(output, { ...created, ...(sha256 && { sha256 }) }, source.name, shown);
  },
});

/** Uploads what has no known size as a form. */
async function sendStandardInput(
  connection: Connection,
  {
    paths,
    values,
    shown,
    output,
  }: { paths: string[]; values: UploadValues; shown: ReturnType<typeof readShown>; output: Output },
): Promise<void> {
  if (paths.length > 1) throw usageFailure('- and files exclude each other', 'Save the input to a file.');
  const file = await toSentFile(STANDARD_INPUT, values);
  const terms = Object.entries(withConfirmation(await readTerms(values, Date.now())));
  const fields = {
    ...Object.fromEntries(
      terms.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
    ),
    ...(values.viewable && { viewable: true }),
  };
  const { headers, record } = await sendWithProgress(connection, file, fields).catch(refuseCreation);
  printCreated(output, toCreated(record as Link, headers), file.name, shown); // the record of a link
}

/** Sends a file as a form, and shows how much of it is sent. Throws if the service refuses it. */
export const sendWithProgress = (
  settings: Settings,
  file: SentFile,
  fields: Record<string, unknown>,
  route?: FileRoute,
) =>
  withProgress(settings, file.sizeBytes, (onProgress) => sendFile(settings, file, fields, onProgress, route));

/** Sends something, and shows how much of it is sent. Throws if the service refuses it. */
export async function withProgress<Sent extends SentResponse>(
  settings: Settings,
  total: number | undefined,
  send: (onProgress: (sentBytes: number) => void) => Promise<Sent>,
): Promise<Sent> {
  const bar = process.stderr.isTTY ? createProgressBar(process.stderr, true) : undefined;
  const step = total === undefined ? undefined : bar?.begin({ label: 'Upload', unit: 'bytes', total });
  const sent = await send((sentBytes) => step?.update(sentBytes)).finally(() => step?.end());
  const { status, headers, record } = sent;
  if (status >= 300) throw toFailure(settings.url, status, record, headers);
  return sent;
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
