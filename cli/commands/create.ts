import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { completeTargetUrl } from '../../client/target-url.ts';
import { defineCommand, type Values } from '../command.ts';
import { call } from '../connection.ts';
import { CREATED_OPTIONS, printCreated, readShown, toCreated } from '../created.ts';
import { usageFailure } from '../failure.ts';
import { STANDARD_INPUT } from '../send-file.ts';
import { CREATION_TERMS, readTerms, WHEN_HELP, withConfirmation } from '../terms.ts';

export const create = defineCommand({
  name: 'create',
  words: '[URL]',
  count: { min: 0, max: 1 },
  summary: 'Creates a link to a URL or a text, and prints it with its token',
  details:
    'https:// is added to a URL that begins with a host name, such as example.com/offer. A link to a text\n' +
    `opens once without --max-views; none sets no limit.\n${WHEN_HELP}`,
  options: {
    ...CREATION_TERMS,
    ...CREATED_OPTIONS,
    text: {
      type: 'boolean',
      help: 'Reads a text or a secret from standard input, which is shown to visitors',
    },
  },
  examples: [
    'postern create https://example.com/offer --expires 7d --max-views 5',
    'postern create example.com/offer | pbcopy',
    'pass show vpn | postern create --text --expires 1d',
  ],
  async run([word], values, { output, connect }) {
    const shown = readShown(output, values);
    const connection = connect();
    const target = values.text ? 'a text' : toTargetUrl(word);
    const body = values.text
      ? await readTextLink(word, values)
      : { targetUrl: target, ...withConfirmation(await readTerms(values, Date.now())) };
    const headers = { 'idempotency-key': randomUUID() };
    const { data, response } = await call(
      connection,
      connection.client.POST('/api/links', { body, headers }),
    );
    printCreated(output, toCreated(data, response.headers), target, shown);
  },
});

/** Returns the URL of an argument. Refuses a file, whose name may look like a host. */
function toTargetUrl(word: string | undefined): string {
  if (word === undefined)
    throw usageFailure('a URL is missing', 'Use: postern create URL, or postern create --text for a text.');
  if (existsSync(word) && statSync(word).isFile())
    throw usageFailure(`${word} is a file`, `Use: postern upload ${word}. For a URL, begin with https://.`);
  return completeTargetUrl(word);
}

/** Returns the body of a link to a text. It is no argument, because those are in the list of processes. */
async function readTextLink(word: string | undefined, values: Values<typeof CREATION_TERMS>) {
  if (word !== undefined && word !== STANDARD_INPUT)
    throw usageFailure(
      '--text takes no argument, which others could see',
      'Send the text to standard input.',
    );
  if (values.password && !process.stdin.isTTY)
    throw usageFailure('--password and --text both read standard input', 'Type the text on a terminal.');
  const { 'max-views': maxViews, ...others } = values;
  const isUnlimited = maxViews === 'none';
  const terms = await readTerms(isUnlimited || maxViews === undefined ? others : values, Date.now());
  if (process.stdin.isTTY) process.stderr.write('Type the text. Enter and Ctrl-D end it.\n');
  const typed = await text(process.stdin);
  // The line end of the last Enter is not part of a typed text.
  return {
    text: process.stdin.isTTY ? typed.replace(/\n$/, '') : typed,
    ...terms,
    ...(isUnlimited && { maxViews: null }),
  };
}
