import { canHave } from '../../src/core/model/terms.ts';
import { defineCommand } from '../command.ts';
import { CREATED_OPTIONS, printCreated, readShown } from '../created.ts';
import { usageFailure } from '../failure.ts';
import { given, parseCount, readTerms, termOptions, WHEN_HELP } from '../terms.ts';
import { createLink } from './create.ts';

export const request = defineCommand({
  count: { min: 1, max: 1 },
  details:
    'MESSAGE says what is wanted. What arrives are links of yours, which postern list shows.\n' +
    `With --to, files are encrypted before they are sent: postern open LINK --identity FILE decrypts them.\n${WHEN_HELP}`,
  options: {
    'max-files': { type: 'string', value: 'N', help: 'How many files can be sent at once' },
    'max-size': { type: 'string', value: 'SIZE', help: 'How large these are together, such as 500MB' },
    to: { type: 'string', value: 'age1…', help: 'A public key of age, to which senders encrypt the files' },
    // A file request has no target, and always shows its page.
    ...termOptions((name) => canHave('REQUEST', name) && name !== 'confirm'),
    'max-views': { type: 'string', value: 'N', help: 'How many times files can be sent' },
    'notify-email': { type: 'string', value: 'ADDRESS', help: 'Receives a mail when files arrive' },
    ...CREATED_OPTIONS,
  },
  examples: [
    'postern request "The signed contract" --max-files 3 --expires 7d',
    'postern request "Your tax documents" --to age1… --max-views 1',
  ],
  async run([message = ''], values, { output, connect }) {
    const shown = readShown(output, values);
    const { 'max-files': maxFiles, 'max-size': maxSize, to: recipientKey } = values;
    const wanted = given({
      maxFiles: maxFiles === undefined ? undefined : parseCount('max-files', maxFiles),
      maxBytes: maxSize === undefined ? undefined : await readSize(maxSize),
      recipientKey,
    });
    const terms = await readTerms(values, Date.now());
    const asked = { message, ...wanted };
    printCreated(output, await createLink(connect(), { request: asked, ...terms }), asked, shown);
  },
});

/** Reads a size as the properties of the service have it. */
async function readSize(text: string): Promise<number> {
  const { parseSize } = await import('../../src/core/config/parsers.ts');
  const size = parseSize(text);
  if (size.ok) return size.value;
  throw usageFailure(`--max-size: "${text}" ${size.error}`);
}
