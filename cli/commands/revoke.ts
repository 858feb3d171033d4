import { defineCommand } from '../command.ts';
import { call } from '../connection.ts';
import { Failure, usageFailure } from '../failure.ts';
import { toShortCode } from '../texts.ts';
import { readTokenHeader, TOKEN_OPTION } from '../token-option.ts';

export const revoke = defineCommand({
  count: { min: 1, max: Number.POSITIVE_INFINITY },
  details:
    'With app.access=keys, needs the token of the link, a key of its owner or its team, or a key with the scope manage.\n' +
    'Stops at the first link that it cannot revoke.',
  options: TOKEN_OPTION,
  examples: ['postern revoke eSWNHQJv', 'postern revoke eSWNHQJv --token link_5Yg…'],
  async run(words, values, { output, connect }) {
    if (values.token !== undefined && words.length > 1) {
      throw usageFailure('--token belongs to one link', 'Revoke the links one by one.');
    }
    const connection = connect();
    const headers = await readTokenHeader(values);
    for (const shortCode of words.map(toShortCode)) {
      const params = { path: { shortCode } };
      const request = connection.client.DELETE('/api/links/{shortCode}', { params, headers });
      await call(connection, request).catch((error: unknown) => {
        throw error instanceof Failure ? error.of(shortCode) : error;
      });
      if (output.isJson) output.printJson({ shortCode, revoked: true });
      else output.print(`Revoked ${shortCode}.`);
    }
  },
});
