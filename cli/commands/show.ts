import { defineCommand } from '../command.ts';
import { call } from '../connection.ts';
import { printDescription } from '../print-description.ts';
import { toShortCode } from '../texts.ts';
import { readTokenHeader, TOKEN_OPTION } from '../token-option.ts';

export const show = defineCommand({
  count: { min: 1, max: 1 },
  details:
    'Its target and the receivers of its notifications are shown with the token of the link, a key of its owner or\n' +
    'its team, or a key with the scope manage.',
  options: TOKEN_OPTION,
  examples: ['postern show eSWNHQJv', 'postern show eSWNHQJv --token link_5Yg…'],
  async run([word = ''], values, { output, connect }) {
    const connection = connect();
    const headers = await readTokenHeader(values);
    const params = { path: { shortCode: toShortCode(word) } };
    const request = connection.client.GET('/api/links/{shortCode}', { params, headers });
    const { data, response } = await call(connection, request);
    printDescription(output, data, response.headers);
  },
});
