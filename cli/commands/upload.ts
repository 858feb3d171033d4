import { basename } from 'node:path';
import type { Link } from '../../client/client.ts';
import { createProgressBar } from '../../src/commands/progress-bar.ts';
import { defineCommand } from '../command.ts';
import { toFailure } from '../connection.ts';
import { printCreated, toCreated } from '../created.ts';
import { measureFile } from '../local-file.ts';
import { sendFile } from '../send-file.ts';
import { CREATION_TERMS, readTerms, WHEN_HELP, withConfirmation } from '../terms.ts';

export const upload = defineCommand({
  name: 'upload',
  words: 'FILE',
  count: { min: 1, max: 1 },
  summary: 'Uploads a file, and prints its link with its token',
  details: WHEN_HELP,
  options: {
    ...CREATION_TERMS,
    name: { type: 'string', value: 'NAME', help: 'The name under which the file is downloaded' },
  },
  examples: ['postern upload report.pdf --password --expires 2d'],
  async run([path = ''], values, { output, connect }) {
    const connection = connect();
    const file = { path, sizeBytes: await measureFile(path), name: values.name };
    const { tags, ...terms } = withConfirmation(await readTerms(values, Date.now()));
    const fields = { ...terms, ...(tags && { tags: tags.join(',') }) };
    const bar = process.stderr.isTTY ? createProgressBar(process.stderr, true) : undefined;
    const step = bar?.begin({ label: 'Upload', unit: 'bytes', total: file.sizeBytes });
    const send = sendFile(connection, file, fields, (sentBytes) => step?.update(sentBytes));
    const { status, headers, record } = await send.finally(() => step?.end());
    if (status !== 201) throw toFailure(connection.url, status, record, headers);
    // The service responds to an upload with the record of a link.
    printCreated(output, toCreated(record as Link, headers), file.name ?? basename(path));
  },
});
