import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Link, LinkRequest } from '../../client/client.ts';
import { completeTargetUrl } from '../../client/complete-target-url.ts';
import { defineCommand, type Options, type Values } from '../command.ts';
import { type Connection, call, refuseCreation } from '../connection.ts';
import {
  CREATED_OPTIONS,
  type Created,
  printCreated,
  readShown,
  toCreated,
  withFragment,
} from '../created.ts';
import { ENCRYPTION_OPTIONS, encryptText, isEncrypting, readKey } from '../encrypt-paths.ts';
import { usageFailure } from '../failure.ts';
import { toNewLink, toSource, uploadResumably } from '../resumable-upload.ts';
import { STANDARD_INPUT } from '../send-file.ts';
import type { Environment } from '../settings.ts';
import { creationTerms, readTerms, WHEN_HELP, withConfirmation } from '../terms.ts';
import { withProgress } from './upload.ts';

const OPTIONS = {
  ...creationTerms('REDIRECT'),
  ...CREATED_OPTIONS,
  text: {
    type: 'boolean',
    help: 'Reads a text or a secret from standard input, which is shown to visitors',
  },
  ...ENCRYPTION_OPTIONS,
} as const satisfies Options;
type CreateValues = Values<typeof OPTIONS>;

export const create = defineCommand({
  count: { min: 0, max: 1 },
  details:
    'https:// is added to a URL that begins with a host name, such as example.com/offer. A link to a text\n' +
    `opens once without --max-views; none sets no limit. Only a text is encrypted.\n${WHEN_HELP}`,
  options: OPTIONS,
  examples: [
    'postern create https://example.com/offer --expires 7d --max-views 5',
    'postern create example.com/offer | pbcopy',
    'pass show vpn | postern create --text --expires 1d',
    'pass show vpn | postern create --text --encrypt',
  ],
  async run([word], values, { output, connect, environment }) {
    const shown = readShown(output, values);
    const connection = connect();
    if (values.text) {
      const created = await createText(connection, { word, values, environment });
      return printCreated(output, created, 'a text', shown);
    }
    if (isEncrypting(values))
      throw usageFailure(
        '--encrypt has no effect on a URL',
        'Use it with --text, or: postern upload --encrypt.',
      );
    const targetUrl = toTargetUrl(word);
    const terms = withConfirmation(await readTerms(values, Date.now()));
    printCreated(output, await createLink(connection, { targetUrl, ...terms }), targetUrl, shown);
  },
});

/** Creates a link with a JSON body. */
export async function createLink(connection: Connection, body: LinkRequest): Promise<Created> {
  const headers = { 'idempotency-key': randomUUID() };
  const request = connection.client.POST('/api/links', { body, headers });
  const { data, response } = await call(connection, request).catch(refuseCreation);
  return toCreated(data, response.headers);
}

/** Returns the URL of an argument. Refuses a file, whose name may look like a host. */
function toTargetUrl(word: string | undefined): string {
  if (word === undefined)
    throw usageFailure('a URL is missing', 'Use: postern create URL, or postern create --text for a text.');
  if (existsSync(word) && statSync(word).isFile())
    throw usageFailure(`${word} is a file`, `Use: postern upload ${word}. For a URL, begin with https://.`);
  return completeTargetUrl(word);
}

type TextArguments = { word: string | undefined; values: CreateValues; environment: Environment };

/** Creates a link to a text. It is no argument, because those are in the list of processes. */
async function createText(
  connection: Connection,
  { word, values, environment }: TextArguments,
): Promise<Created> {
  if (word !== undefined && word !== STANDARD_INPUT)
    throw usageFailure(
      '--text takes no argument, which others could see',
      'Send the text to standard input.',
    );
  const secret = (['password', 'passphrase'] as const).find((name) => values[name]);
  if (secret && !process.stdin.isTTY)
    throw usageFailure(`--${secret} and --text both read standard input`, 'Type the text on a terminal.');
  const { 'max-views': maxViews, ...others } = values;
  const isUnlimited = maxViews === 'none';
  const terms = await readTerms(isUnlimited || maxViews === undefined ? others : values, Date.now());
  const key = isEncrypting(values) ? await readKey(values) : undefined;
  const shared = await readText();
  if (!key) return createLink(connection, { text: shared, ...terms, ...(isUnlimited && { maxViews: null }) });
  if (shared === '') throw usageFailure('the text is empty', 'Send it to standard input.');
  const { file, fragment } = await encryptText(shared, key);
  // The service does not know that it is a text, and sets no limit by itself.
  const limited = withConfirmation(isUnlimited ? terms : { maxViews: 1, ...terms });
  const route = toNewLink({ ...limited, encrypted: true });
  const { headers, record } = await withProgress(connection, undefined, (onProgress) =>
    uploadResumably(connection, toSource(file), route, { environment, onProgress }),
  );
  return withFragment(toCreated(record as Link, headers), fragment); // the record of a link
}

async function readText(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Type the text. Enter and Ctrl-D end it.\n');
  const bytes = await buffer(process.stdin);
  if (!isUtf8(bytes))
    throw usageFailure(
      'the text is not UTF-8',
      'Convert it, such as with iconv -f latin1 -t utf-8, or send its bytes with: postern upload -',
    );
  const typed = bytes.toString();
  // The line end of the last Enter is not part of a typed text.
  return process.stdin.isTTY ? typed.replace(/\n$/, '') : typed;
}
