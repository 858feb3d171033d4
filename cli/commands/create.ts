import { randomUUID } from 'node:crypto';
import { defineCommand } from '../command.ts';
import { call } from '../connection.ts';
import { printCreated, toCreated } from '../created.ts';
import { CREATION_TERMS, readTerms, WHEN_HELP, withConfirmation } from '../terms.ts';

export const create = defineCommand({
  name: 'create',
  words: 'URL',
  count: { min: 1, max: 1 },
  summary: 'Creates a link to a URL, and prints it with its token',
  details: WHEN_HELP,
  options: CREATION_TERMS,
  examples: ['postern create https://example.com/offer --expires 7d --max-views 5'],
  async run([text = ''], values, { output, connect }) {
    const connection = connect();
    const targetUrl = /^[\w.-]+\.[a-z]{2,}(?:[:/]|$)/i.test(text) ? `https://${text}` : text;
    const body = { targetUrl, ...withConfirmation(await readTerms(values, Date.now())) };
    const headers = { 'idempotency-key': randomUUID() };
    const { data, response } = await call(
      connection,
      connection.client.POST('/api/links', { body, headers }),
    );
    printCreated(output, toCreated(data, response.headers));
  },
});
