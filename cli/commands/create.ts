import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { completeTargetUrl } from '../../client/target-url.ts';
import { defineCommand } from '../command.ts';
import { call } from '../connection.ts';
import { CREATED_OPTIONS, printCreated, readShown, toCreated } from '../created.ts';
import { usageFailure } from '../failure.ts';
import { CREATION_TERMS, readTerms, WHEN_HELP, withConfirmation } from '../terms.ts';

export const create = defineCommand({
  name: 'create',
  words: 'URL',
  count: { min: 1, max: 1 },
  summary: 'Creates a link to a URL, and prints it with its token',
  details: `https:// is added to a URL that begins with a host name, such as example.com/offer.\n${WHEN_HELP}`,
  options: { ...CREATION_TERMS, ...CREATED_OPTIONS },
  examples: [
    'postern create https://example.com/offer --expires 7d --max-views 5',
    'postern create example.com/offer | pbcopy',
  ],
  async run([text = ''], values, { output, connect }) {
    const shown = readShown(output, values);
    const connection = connect();
    const targetUrl = toTargetUrl(text);
    const body = { targetUrl, ...withConfirmation(await readTerms(values, Date.now())) };
    const headers = { 'idempotency-key': randomUUID() };
    const { data, response } = await call(
      connection,
      connection.client.POST('/api/links', { body, headers }),
    );
    printCreated(output, toCreated(data, response.headers), targetUrl, shown);
  },
});

/** Returns the URL of an argument. Refuses a file, whose name may look like a host. */
function toTargetUrl(text: string): string {
  if (existsSync(text) && statSync(text).isFile())
    throw usageFailure(`${text} is a file`, `Use: postern upload ${text}. For a URL, begin with https://.`);
  return completeTargetUrl(text);
}
