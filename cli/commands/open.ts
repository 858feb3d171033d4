import type { DecryptionKey } from '../../client/encryption/age-file.ts';
import { ENCRYPTED_NAME } from '../../client/encryption/encrypted-upload.ts';
import { defineCommand, type Values } from '../command.ts';
import { Failure } from '../failure.ts';
import { type Address, type LinkVisitor, readAddress, visitLink } from '../link-visitor.ts';
import { printText } from '../output.ts';
import { requireFree, saveFile, toFileName } from '../save-file.ts';
import { askKey, DECRYPTION_OPTIONS, readIdentities, unpackEncrypted } from '../unpack-encrypted.ts';

export const open = defineCommand({
  count: { min: 1, max: 1 },
  details:
    'Asks for a password, without showing it, when the link has one. Without a terminal, the first line of\n' +
    'standard input is the password, or the code of a recipient. A link that names its recipients asks for a mail\n' +
    'address, and then for the code that is mailed to it. What was encrypted before it was uploaded is decrypted and\n' +
    'unpacked into a new folder, which --output names, and which gets a name of its own in a folder that exists. A key\n' +
    'that is neither in the address nor in --identity is asked for before a view is spent.',
  options: {
    password: {
      type: 'boolean',
      help: 'Asks for the password at once, so that no attempt without it is recorded',
    },
    recipient: {
      type: 'string',
      value: 'ADDRESS',
      help: 'Your mail address, for a link that names its recipients',
    },
    output: {
      type: 'string',
      value: 'FILE',
      short: 'o',
      help: 'Where to save a file, or the folder for it; - for standard output',
    },
    ...DECRYPTION_OPTIONS,
  },
  examples: [
    'postern open eSWNHQJv',
    'postern open https://links.example/l/eSWNHQJv --output report.pdf',
    "postern open 'https://links.example/l/eSWNHQJv#AGE-SECRET-KEY-1…'",
  ],
  async run([text = ''], values, { output, connect }) {
    const address = readAddress(text, () => connect().url);
    const identities = await readIdentities(address.fragment, values);
    if (values.output !== undefined) requireFree(values.output);
    const { password: asksAtOnce = false, recipient } = values;
    const visitor = await visitLink(address, { asksAtOnce, recipient });
    const key = await findKey(address, visitor, { identities, values });
    const response = await visitor.open();
    const cookie = visitor.cookie();
    const isText = response.headers.get('content-type')?.startsWith('text/plain');
    if (isText && values.output === undefined) return printText(output, await response.text());
    const disposition = response.headers.get('content-disposition');
    const isKept = values.encrypted || values.output === '-';
    if (disposition !== null && !isKept && toFileName(disposition) === ENCRYPTED_NAME) {
      const unpacking = { output: values.output, key: key ?? (await askKey()), cookie };
      return unpackEncrypted(response, unpacking, output);
    }
    if (disposition !== null) return saveFile(response, values.output, output, { cookie });
    const target = (await response.json()) as { targetUrl?: string }; // the record of a link to a URL, or of a file request
    if (target.targetUrl === undefined)
      throw new Failure('failed', 'this link asks for files', {
        remedy: `Send them with: postern submit ${text} FILE…, or open it in a browser.`,
      });
    if (output.isJson) output.printJson(target);
    else output.print(target.targetUrl);
  },
});

type Wanted = Values<typeof DECRYPTION_OPTIONS> & { output?: string };

/** Finds the key of an encrypted link before it is opened. Undefined if it is not encrypted, saved as it is, or open already. */
async function findKey(
  { target }: Address,
  visitor: LinkVisitor,
  { identities, values }: { identities: readonly string[] | null; values: Wanted },
): Promise<DecryptionKey | undefined> {
  if (values.encrypted || values.output === '-') return undefined;
  if (identities) return { identities };
  if (/\/lease_[^/]+/.test(target)) return undefined; // its view is spent
  return (await visitor.preview()).encrypted ? askKey() : undefined;
}
