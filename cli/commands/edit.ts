import type { LinkDescription } from '../../client/client.ts';
import { completeTargetUrl } from '../../client/complete-target-url.ts';
import { defineCommand, type Options, type Values } from '../command.ts';
import { call } from '../connection.ts';
import { usageFailure } from '../failure.ts';
import { printDescription } from '../print-description.ts';
import { readNewSecret } from '../prompt.ts';
import { given, readGiven, readSwitch, termOptions, toValue, WHEN_HELP } from '../terms.ts';
import { toShortCode } from '../texts.ts';
import { readTokenHeader, TOKEN_OPTION } from '../token-option.ts';
import { sendWithProgress, toSentFile } from './upload.ts';

/** Removes a term. */
const NONE = 'none';

const OPTIONS = {
  ...TOKEN_OPTION,
  ...termOptions((name) => name !== 'customCode'),
  target: { type: 'string', value: 'URL', help: 'The new target of a link to a URL' },
  owner: { type: 'string', value: 'NAME', help: 'The person to whom the link is transferred' },
  'no-password': { type: 'boolean', help: 'Removes the password' },
  pause: { type: 'boolean', help: 'Pauses the link: it cannot be opened until it is resumed' },
  resume: { type: 'boolean', help: 'Ends a pause' },
  file: { type: 'string', value: 'FILE', help: 'Replaces the file of the link' },
  name: { type: 'string', value: 'NAME', help: 'The name under which a new file is downloaded' },
  'short-code': { type: 'string', value: 'CODE', help: 'Changes the short code; the old one is revoked' },
  'random-code': { type: 'boolean', help: 'Changes the short code to a random one' },
  'if-version': {
    type: 'string',
    value: 'N',
    help: 'Changes the link only if it still has this version, which show and edit print',
  },
} as const satisfies Options;

export const edit = defineCommand({
  count: { min: 1, max: 1 },
  details:
    `Needs the token of the link, a key of its owner or its team, or a key with the scope manage.\nThe value "${NONE}" removes a term.\n` +
    WHEN_HELP,
  options: OPTIONS,
  examples: [
    'postern edit eSWNHQJv --max-views 5 --expires none',
    'postern edit eSWNHQJv --pause --token link_5Yg…',
    'postern edit eSWNHQJv --team sales --owner bob',
    'postern edit eSWNHQJv --file report-2.pdf',
    'postern edit eSWNHQJv --short-code offer-2027',
  ],
  async run([word = ''], values, { output, connect }) {
    const connection = connect();
    const body = await readChanges(values, Date.now());
    const { file: filePath, 'short-code': customCode, 'random-code': isRandom } = values;
    const parts = [filePath, customCode, isRandom, Object.keys(body)[0]].filter((part) => part !== undefined);
    if (parts.length === 0) throw usageFailure('nothing to change', 'See postern edit --help.');
    if (parts.length > 1)
      throw usageFailure(
        'the file, the short code and the terms are changed one at a time',
        'Run postern edit for each.',
      );
    const version = values['if-version'];
    const headers = {
      ...(await readTokenHeader(values)),
      ...(version !== undefined && { 'if-match': `"${version}"` }),
    };
    if (filePath !== undefined) {
      const path = `/api/links/${encodeURIComponent(toShortCode(word))}/file`;
      const file = await toSentFile(filePath, values);
      const sent = await sendWithProgress(connection, file, {}, { method: 'PUT', path, headers });
      // The service responds with the description of the link.
      return printDescription(output, sent.record as LinkDescription, sent.headers);
    }
    const params = { path: { shortCode: toShortCode(word) } };
    if (customCode !== undefined || isRandom) {
      const changing = connection.client.POST('/api/links/{shortCode}/short-code', {
        params,
        headers,
        body: customCode === undefined ? {} : { customCode },
      });
      const { data, response } = await call(connection, changing);
      return printDescription(output, data, response.headers);
    }
    const request = connection.client.PATCH('/api/links/{shortCode}', { params, headers, body });
    const { data, response } = await call(connection, request);
    printDescription(output, data, response.headers);
  },
});

/** Returns the members of the patch. Asks for a new password if the options say so. */
async function readChanges(values: Values<typeof OPTIONS>, now: number) {
  const { password: _, ...terms } = readGiven(values, (name, text) =>
    text === NONE ? null : toValue(name, text, now),
  );
  const hasPassword = readSwitch(values, 'password', 'no-password');
  return given({
    targetUrl: values.target === undefined ? undefined : completeTargetUrl(values.target),
    owner: values.owner,
    ...terms,
    paused: readSwitch(values, 'pause', 'resume'),
    password:
      hasPassword === undefined
        ? undefined
        : hasPassword
          ? await readNewSecret('New password of the link')
          : null,
  });
}
