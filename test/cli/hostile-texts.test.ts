import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { commandLine } from '../support/command-line.ts';
import { addKey } from '../support/keys.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { startService } from '../support/service.ts';

const service = await startService({ after });
const key = await addKey(service, 'ci', ['create', 'read', 'manage']);

/** A title, a color, the same as one character, a deleted line, text from right to left, a hidden letter. */
const HOSTILE = '\u001b]0;x\u0007\u001b[31m\u009b2K\r\u202egnp\u200b\u{e0041}\u007f';
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}\u200b\u{e0041}\u2028]/u;

/** Returns a value with `hostile` at the end of one of its texts, which are counted from 0; undefined if there are fewer. */
function poison(value: unknown, index: number): unknown {
  let count = 0;
  const changed = JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' && count++ === index ? member + HOSTILE : member,
  );
  return index < count ? changed : undefined;
}

test('no text of a service controls the terminal, wherever a command prints it, also in an error', async (t) => {
  const redirect = await createLink(service, {
    label: 'a',
    note: 'n',
    tags: ['b'],
    recipient: 'c',
    confirm: true,
  });
  const file = await uploadFile(service, 'content');
  await openLink(service, redirect, { 'user-agent': 'agent', referer: 'https://from.example/' });
  let index = 0;
  let isPoisoned = true;
  let status: number | undefined;
  const server = createServer(async (request, reply) => {
    const chunks = await request.toArray();
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (!['host', 'connection', 'content-length', 'transfer-encoding'].includes(name))
        headers.set(name, String(value));
    const sent = await fetch(service.url + request.url, {
      ...{ method: request.method ?? 'GET', headers, redirect: 'manual' },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await sent.text();
    const type = sent.headers.get('content-type') ?? 'text/plain';
    for (const [name, value] of sent.headers)
      if (/^x-|location|disposition/.test(name)) reply.setHeader(name, value);
    const body = type.startsWith('application/json') ? poison(JSON.parse(text), index) : undefined;
    isPoisoned ||= body !== undefined;
    reply.writeHead(status ?? sent.status, { 'content-type': type });
    reply.end(body === undefined ? text : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const cli = commandLine(t, `http://127.0.0.1:${port}`, key);
  const commands = [
    ['list'],
    ['list', '--json'],
    ['show', redirect],
    ['show', file],
    ['history', redirect],
    ['history', redirect, '--json'],
    ['verify', redirect],
    ['open', redirect],
    ['edit', redirect, '--label', 'd'],
    ['create', 'https://a.example/'],
    ['create', 'https://a.example/', '--json'],
    ['request', 'files'],
    ['show', 'unknown1'],
    ['open', 'unknown1'],
  ];
  let printed = 0;
  for (const command of commands) {
    for (status of [undefined, 400]) {
      isPoisoned = true;
      for (index = 0; isPoisoned; index++) {
        isPoisoned = false;
        const { stdout, stderr } = await cli.call(command, { columns: 200 });
        if (/\ufffd|\\u009b/.test(stdout + stderr)) printed += 1;
        for (const text of [stdout, stderr])
          assert.doesNotMatch(
            text,
            CONTROLS,
            `${command.join(' ')}, text ${index} of a response: ${JSON.stringify(text)}`,
          );
      }
    }
  }
  assert.ok(printed > 50, `only ${printed} texts were printed`);
});

test('a text and a link control no terminal, and are the same in a pipe', async (t) => {
  const text = `one\r\n${HOSTILE}`;
  const response = await fetch(`${service.url}/api/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text, maxViews: 9 }),
  });
  const { shortCode }: { shortCode: string } = (await response.json()) as { shortCode: string };
  const cli = commandLine(t, service.url, key);
  assert.doesNotMatch((await cli.call(['open', shortCode], { columns: 80 })).stdout, CONTROLS);
  assert.equal((await cli.run(['open', shortCode])).stdout, text);
});

test('input that is not UTF-8 is refused, as a text and as a password, and no character of it is replaced', async (t) => {
  const cli = commandLine(t, service.url, key);
  for (const [command, expected] of [
    ['create --text', /the text is not UTF-8\n {2}Convert it/],
    ['create --text --encrypt', /the text is not UTF-8/],
    ['create https://a.example/ --password', /the first line of standard input is not UTF-8/],
  ] as const) {
    const latin1 = await cli.run(command.split(' '), { input: Buffer.from('gr\u00f6\u00dfe\n', 'latin1') });
    assert.deepEqual([latin1.code, expected.test(latin1.stderr)], [2, true], latin1.stderr);
  }
  const accepted = await cli.run(['create', 'https://a.example/', '--password'], {
    input: 'gr\u00f6\u00dfe\n',
  });
  const [, code = ''] = /\/l\/(\w{8})/.exec(accepted.stdout) ?? [];
  const password = Buffer.from('gr\u00f6\u00dfe').toString('latin1');
  assert.equal((await openLink(service, code, { 'x-link-password': password })).status, 302);
});

test('errors of the arguments and of commands of the service control no terminal', async (t) => {
  const cli = commandLine(t, service.url, key);
  for (const command of [
    [HOSTILE],
    ['list', `--${HOSTILE}`],
    ['verify', '--export', `${HOSTILE}.ndjson`],
    ['upload', HOSTILE],
    ['import', 'csv', HOSTILE],
    ['serve', `--app.${HOSTILE}=1`],
    ['keys', 'list', `--app.database.url=${HOSTILE}`],
  ]) {
    const { code, stdout, stderr } = await cli.run(command);
    assert.notEqual(code, 0);
    assert.match(stderr, /\ufffd|\\u009b/);
    assert.doesNotMatch(stdout + stderr, CONTROLS, JSON.stringify(command));
  }
});
