import { ENCRYPTED_NAME } from '../../client/encryption/encrypted-upload.ts';
import { VERSION } from '../../src/version.ts';
import { defineCommand } from '../command.ts';
import { toFailure, toUnreachable } from '../connection.ts';
import { Failure, usageFailure } from '../failure.ts';
import type { Output } from '../output.ts';
import { readSecret } from '../prompt.ts';
import { requireFree, saveFile, toFileName } from '../save-file.ts';
import { parseServerUrl } from '../settings.ts';
import { toPrintable } from '../table.ts';
import { DECRYPTION_OPTIONS, readIdentities, unpackEncrypted } from '../unpack-encrypted.ts';

/** The address of a link, the URL of its service, and what follows `#`, which is not sent. */
type Address = { url: string; target: string; fragment: string };

export const open = defineCommand({
  name: 'open',
  words: 'CODE|URL',
  count: { min: 1, max: 1 },
  summary: 'Opens a link: prints its target or its text, or saves its file. Counts as a view',
  details:
    'Asks for a password, without showing it, when the link has one. Without a terminal, the first line of\n' +
    'standard input is the password. What was encrypted before it was uploaded is decrypted and unpacked: --output names the\n' +
    'folder for its files.',
  options: {
    password: {
      type: 'boolean',
      help: 'Asks for the password at once, so that only one attempt is recorded',
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
    const response = await visit(address, values.password ?? false);
    const isText = response.headers.get('content-type')?.startsWith('text/plain');
    if (isText && values.output === undefined) return printText(await response.text(), output);
    const disposition = response.headers.get('content-disposition');
    if (disposition !== null && isDecrypted(disposition, values)) {
      const unpacking = { folder: values.output ?? '.', isForced: values.force ?? false, identities };
      return unpackEncrypted(response, unpacking, output);
    }
    if (disposition !== null) return saveFile(response, values.output, output);
    const target = (await response.json()) as { targetUrl?: string }; // the record of a link to a URL, or of a file request
    if (target.targetUrl === undefined)
      throw new Failure('failed', 'this link asks for files', {
        remedy: 'Open it in a browser to send them.',
      });
    if (output.isJson) output.printJson(target);
    else output.print(target.targetUrl);
  },
});

function isDecrypted(
  disposition: string,
  { encrypted, output }: { encrypted?: boolean; output?: string },
): boolean {
  return toFileName(disposition) === ENCRYPTED_NAME && !encrypted && output !== '-';
}

/** Prints a text: on a terminal without what could control it, and with an end of its last line. */
function printText(text: string, output: Output): void {
  if (output.isJson) output.printJson({ type: 'TEXT', text });
  else if (output.width === undefined) process.stdout.write(text);
  else output.print(text.replaceAll('\r\n', '\n').split('\n').map(toPrintable).join('\n'));
}

/** Reads a code, whose service the settings name, or the address of a link, which names its own. */
function readAddress(given: string, defaultUrl: () => string): Address {
  const [text = '', fragment = ''] = given.split('#', 2);
  if (!/^https?:/i.test(text)) return toAddress(defaultUrl(), text, fragment);
  const { origin = '', pathname = '' } = URL.parse(text) ?? {};
  const [, base = '', code] = /^(.*?)\/(?:l|links)\/(.+)$/.exec(pathname) ?? [];
  if (code) return toAddress(parseServerUrl(origin + base, 'the link'), decodeURIComponent(code), fragment);
  if (pathname === '/' || pathname === '')
    throw usageFailure(`${text} is not the address of a link`, 'It ends in a short code.');
  return { url: parseServerUrl(origin, 'the link'), target: text, fragment }; // a service may leave out the /l/
}

function toAddress(url: string, code: string, fragment: string): Address {
  return { url, fragment, target: `${url}/l/${code.split('/').map(encodeURIComponent).join('/')}` };
}

/** Opens a link. Asks for its password where it is needed. Sends no key: visits need none. */
async function visit(address: Address, hasPassword: boolean): Promise<Response> {
  const response = await request(address, hasPassword ? await readPassword() : undefined);
  if (response.ok) return response;
  const error: unknown = await response.json().catch(() => undefined);
  const failure = toFailure(address.url, response.status, error, response.headers);
  if (failure.code !== 'PASSWORD_REQUIRED' || hasPassword) throw failure;
  return visit(address, true);
}

const readPassword = (): Promise<string> => readSecret('Password of the link');

function request({ url, target }: Address, password: string | undefined): Promise<Response> {
  const headers = {
    accept: 'application/json',
    'user-agent': `postern/${VERSION}`,
    // Each byte of the password as a character of its own, which is how a header carries UTF-8.
    ...(password !== undefined && { 'x-link-password': Buffer.from(password).toString('latin1') }),
  };
  return fetch(target, { headers, redirect: 'manual' }).catch((error: unknown) => {
    throw toUnreachable(url, 'the link or the settings', error);
  });
}
