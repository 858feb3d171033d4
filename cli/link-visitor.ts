import type { FileRequest } from '../client/client.ts';
import { VERSION } from '../src/common/version.ts';
import { tryToDecode } from '../src/core/model/percent-encoding.ts';
import { BROWSER_COOKIE, CODE_TRIES } from '../src/core/model/recipient-code.ts';
import { toFailure, toUnreachable } from './connection.ts';
import { Failure, usageFailure } from './failure.ts';
import { readLine, readSecret } from './prompt.ts';
import { parseServerUrl } from './settings.ts';

/** The address of a link, the URL of its service, and what follows `#`, which is not sent. */
export type Address = { url: string; target: string; fragment: string };

/** The description of a link before it is opened. `request`: the wishes of a file request. */
export type Preview = { type: string; encrypted?: boolean; request?: FileRequest };

/** A visitor of a link, who is asked for its password once it is needed. Sends no key: visits need none. */
export type LinkVisitor = {
  /** Opens the link. Counts as a view. */
  open(): Promise<Response>;
  /** Reads what the link is. Spends no view, and is recorded as a preview. */
  preview(): Promise<Preview>;
  /** Returns the cookie with which a download is continued, if the link has needed one. */
  cookie(): string | undefined;
  /** Returns the header with the password, if the link has needed one. */
  passwordHeader(): Record<string, string>;
};

/** Reads a code, whose service the settings name, or the address of a link, which names its own. */
export function readAddress(given: string, defaultUrl: () => string): Address {
  const [text = '', fragment = ''] = given.split('#', 2);
  if (!/^https?:/i.test(text)) return toAddress(defaultUrl(), text, fragment);
  const { origin = '', pathname = '' } = URL.parse(text) ?? {};
  const [, base = '', code] = /^(.*?)\/(?:l|links)\/(.+)$/.exec(pathname) ?? [];
  const decoded = code && tryToDecode(code);
  if (decoded) return toAddress(parseServerUrl(origin + base, 'the link'), decoded, fragment);
  if (pathname === '/' || pathname === '' || code)
    throw usageFailure(`${text} is not the address of a link`, 'It ends in a short code.');
  return { url: parseServerUrl(origin, 'the link'), target: text, fragment }; // a service may leave out the /l/
}

function toAddress(url: string, code: string, fragment: string): Address {
  return { url, fragment, target: `${url}/l/${code.split('/').map(encodeURIComponent).join('/')}` };
}

/**
 * What a visitor sends again with each request, once the link has needed it. `cookie`: of the browser that asked for a code.
 * `tries`: how many codes were typed.
 */
type Proof = { form: Record<string, string>; cookie: string; tries: number };

/**
 * @param options.asksAtOnce asks for the password before the first request
 * @param options.recipient the mail address to which a code is mailed if the link names its recipients
 */
export async function visitLink(
  address: Address,
  {
    asksAtOnce = false,
    recipient,
  }: { asksAtOnce?: boolean | undefined; recipient?: string | undefined } = {},
): Promise<LinkVisitor> {
  const { url, target } = address;
  let password = asksAtOnce ? await readPassword() : undefined;
  let proof: Proof | undefined;
  const passwordHeader = (): Record<string, string> =>
    // Each byte of the password as a character of its own, which is how a header carries UTF-8.
    password === undefined ? {} : { 'x-link-password': Buffer.from(password).toString('latin1') };

  async function request(form?: Record<string, string>): Promise<Response> {
    const cookie = proof?.cookie;
    const headers = {
      ...{ accept: 'application/json', 'user-agent': `postern/${VERSION}`, ...passwordHeader() },
      ...(cookie !== undefined && { cookie }),
    };
    const sent = form && { method: 'POST', body: new URLSearchParams(form) };
    return fetch(target, { headers, redirect: 'manual', ...sent }).catch((error: unknown) => {
      throw toUnreachable(url, 'the link or the settings', error);
    });
  }

  async function failureOf(response: Response): Promise<Failure> {
    const error: unknown = await response.json().catch(() => undefined);
    return toFailure(url, response.status, error, response.headers);
  }

  async function visit(form?: Record<string, string>): Promise<Response> {
    const response = await request(form || proof ? { ...form, ...proof?.form } : undefined);
    if (response.ok) return response;
    const failure = await failureOf(response);
    if (failure.code === 'PASSWORD_REQUIRED' && password === undefined) password = await readPassword();
    else if (failure.code === 'RECIPIENT_REQUIRED' && proof === undefined)
      proof = await proveRecipient(recipient, request, failureOf);
    else if (failure.code === 'INVALID_RECIPIENT' && proof) proof = await correctCode(proof);
    else throw failure;
    return visit(form);
  }
  return {
    cookie: () => proof?.cookie,
    passwordHeader,
    open: () => visit(),
    async preview() {
      const response = await visit({ ask: 'true' });
      const record: unknown = await response.json().catch(() => undefined);
      if (typeof record === 'object' && record !== null && 'type' in record) return record as Preview; // as the service documents it
      throw toFailure(url, response.status, record, response.headers);
    },
  };
}

/** Asks for a code, and for its digits. */
async function proveRecipient(
  recipient: string | undefined,
  request: (form: Record<string, string>) => Promise<Response>,
  failureOf: (response: Response) => Promise<Failure>,
): Promise<Proof> {
  const recipientAddress = recipient ?? (await readLine('Your mail address'));
  const response = await request({ recipientAddress });
  const failure = await failureOf(response);
  const cookies = response.headers.getSetCookie().map((text) => text.split(';', 1)[0] ?? ''); // also those of proxies
  const cookie = cookies.find((text) => text.startsWith(`${BROWSER_COOKIE}=`));
  if (failure.code !== 'RECIPIENT_REQUIRED' || cookie === undefined) throw failure;
  const recipientCode = await readLine(`Code, if the link names ${recipientAddress}`);
  return { form: { recipientAddress, recipientCode }, cookie, tries: 1 };
}

const WRONG_CODE = 'the code is wrong or has expired';

/** Asks again for a code that was refused, on a terminal and while the service takes another try. */
async function correctCode({ form, cookie, tries }: Proof): Promise<Proof> {
  if (tries === CODE_TRIES || !process.stdin.isTTY)
    throw new Failure('failed', WRONG_CODE, {
      code: 'INVALID_RECIPIENT',
      remedy: 'Run the command again for a new code.',
    });
  process.stderr.write(`postern: ${WRONG_CODE}\n`);
  const recipientCode = await readLine(`Code, try ${tries + 1} of ${CODE_TRIES}`);
  return { form: { ...form, recipientCode }, cookie, tries: tries + 1 };
}

const readPassword = (): Promise<string> => readSecret('Password of the link');
