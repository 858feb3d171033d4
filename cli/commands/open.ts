import { VERSION } from '../../src/version.ts';
import { defineCommand } from '../command.ts';
import { toFailure, toUnreachable } from '../connection.ts';
import { usageFailure } from '../failure.ts';
import { readSecret } from '../prompt.ts';
import { requireFree, saveFile } from '../save-file.ts';
import { parseServerUrl } from '../settings.ts';

/** The address of a link, and the URL of its service. */
type Address = { url: string; target: string };

export const open = defineCommand({
  name: 'open',
  words: 'CODE|URL',
  count: { min: 1, max: 1 },
  summary: 'Opens a link: prints its target, or saves its file. Counts as a view',
  details:
    'Asks for a password, without showing it, when the link has one. Without a terminal, the first line of\n' +
    'standard input is the password.',
  options: {
    password: {
      type: 'boolean',
      help: 'Asks for the password at once, so that only one attempt is recorded',
    },
    output: {
      type: 'string',
      value: 'FILE',
      short: 'o',
      help: 'Where to save a file; - for standard output',
    },
  },
  examples: ['postern open eSWNHQJv', 'postern open https://links.example/l/eSWNHQJv --output report.pdf'],
  async run([text = ''], values, { output, connect }) {
    const address = readAddress(text, () => connect().url);
    if (values.output !== undefined) requireFree(values.output);
    const response = await visit(address, values.password ?? false);
    if (response.headers.has('content-disposition')) return saveFile(response, values.output, output);
    const target: unknown = await response.json();
    if (output.isJson) return output.printJson(target);
    const { targetUrl } = target as { targetUrl: string }; // the record of a link to a URL
    output.print(targetUrl);
  },
});

/** Reads a code, whose service the settings name, or the address of a link, which names its own. */
function readAddress(text: string, defaultUrl: () => string): Address {
  if (!/^https?:/i.test(text)) return toAddress(defaultUrl(), text);
  const { origin = '', pathname = '' } = URL.parse(text) ?? {};
  const [, base = '', code] = /^(.*?)\/(?:l|links)\/(.+)$/.exec(pathname) ?? [];
  if (code) return toAddress(parseServerUrl(origin + base, 'the link'), decodeURIComponent(code));
  if (pathname === '/' || pathname === '')
    throw usageFailure(`${text} is not the address of a link`, 'It ends in a short code.');
  return { url: parseServerUrl(origin, 'the link'), target: text }; // a service may leave out the /l/
}

function toAddress(url: string, code: string): Address {
  return { url, target: `${url}/l/${code.split('/').map(encodeURIComponent).join('/')}` };
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
