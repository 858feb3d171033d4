import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commandLine, POSTERN } from '../support/command-line.ts';
import { createLink, linkState, TARGET, uploadFile } from '../support/links.ts';
import { QUICK_STARTS, startCommand } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { mailFlags, readMailedCode, startSmtpServer } from '../support/smtp-server.ts';

const ANN = 'ann@example.com';

async function startWithRecipient(t: TestContext) {
  const smtp = await startSmtpServer(t);
  const service = await startService(t, { flags: mailFlags(smtp) });
  const { directory } = commandLine(t, service.url);
  const write = (name: string, text: string): void => {
    writeFileSync(join(directory, 'new'), text);
    renameSync(join(directory, 'new'), join(directory, name));
  };
  const start = (script: string, code: string, url = service.url) =>
    startCommand(t, ['bash', '-c', script, POSTERN, code], {
      cwd: directory,
      env: { PATH: '/usr/bin:/bin', HOME: directory, ...QUICK_STARTS, POSTERN_URL: url },
    });
  return {
    smtp,
    service,
    write,
    start,
    directory,
    code: await createLink(service, { verifiedRecipients: [ANN] }),
  };
}

const TYPE_LATER = 'until [ -s code ]; do sleep 0.1; done; cat code';
const PIPED = `(${TYPE_LATER}) | "$0" open "$1" --recipient=${ANN}`;

/** A proxy, with what it does to a response. By default it sets a cookie of its own before that of the service. */
async function startBalancer(
  t: TestContext,
  url: string,
  pass = (response: IncomingMessage, reply: ServerResponse, _method?: string): void => {
    const cookies = ['balancer=1; Path=/', ...(response.headers['set-cookie'] ?? [])];
    reply.writeHead(response.statusCode ?? 0, { ...response.headers, 'set-cookie': cookies });
    response.pipe(reply);
  },
): Promise<string> {
  const server = createServer((incoming, reply) => {
    const { method, headers } = incoming;
    const passed = request(new URL(incoming.url ?? '', url), { method, headers }, (response) =>
      pass(response, reply, method),
    );
    incoming.pipe(passed);
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('bin/postern asks a recipient for the code from the mailbox, and opens the link with it', async (t) => {
  const { smtp, start, code, write } = await startWithRecipient(t);
  const running = start(PIPED, code);
  write('code', `${await readMailedCode(smtp, 1)}\n`);
  const { stdout, code: exitCode } = await running.exited;
  assert.deepEqual([exitCode, stdout], [0, `${TARGET}\n`]);
});

test('bin/postern finds the cookie of the service among those of a balancer', async (t) => {
  const { smtp, service, start, code, write } = await startWithRecipient(t);
  const running = start(PIPED, code, await startBalancer(t, service.url));
  write('code', `${await readMailedCode(smtp, 1)}\n`);
  const { stdout, code: exitCode } = await running.exited;
  assert.deepEqual([exitCode, stdout], [0, `${TARGET}\n`]);
});

const wrongOf = (code: string, by = 1): string => String((Number(code) + by) % 1_000_000).padStart(6, '0');

test('bin/postern asks again after a wrong code on a terminal, five times, and says what to do', async (t) => {
  const { smtp, start, code, write } = await startWithRecipient(t);
  /** Types the codes of a file in a terminal, each once it is asked for. */
  const onTerminal = (name: string, screen: string) => {
    const asked = `for i in {1..600}; do grep -q "Code, .*try $try of 5" ${screen} && break; sleep 0.1; done 2>/dev/null`;
    const typing = `until [ -s ${name} ]; do sleep 0.1; done; try=1; while read -r line; do [ $try = 1 ] || { ${asked}; }; printf '%s\\r' "$line"; try=$((try+1)); done <${name}`;
    const command = `$0 open $1 --recipient=${ANN}`;
    return `(${typing}) | script --quiet --flush --return --command "${command}" ${screen}`;
  };
  const right = start(onTerminal('right', 'screen-1'), code);
  const first = await readMailedCode(smtp, 1);
  write('right', `${[wrongOf(first), wrongOf(first, 2), first].join('\n')}\n`);
  const opened = await right.exited;
  assert.equal(opened.code, 0, opened.stdout);
  assert.match(opened.stdout, /postern: the code is wrong or has expired\r\n/);
  assert.match(opened.stdout, /try 3 of 5/);
  assert.ok(opened.stdout.includes(TARGET));

  const wrong = start(onTerminal('wrong', 'screen-2'), code);
  const second = await readMailedCode(smtp, 2);
  write('wrong', `${[1, 2, 3, 4, 5].map((by) => wrongOf(second, by)).join('\n')}\n`);
  const ended = await wrong.exited;
  assert.equal(ended.code, 1, ended.stdout);
  assert.match(
    ended.stdout,
    /the code is wrong or has expired\r\n {2}Run the command again for a new code\./,
  );
  assert.doesNotMatch(ended.stdout, /try 6|POST/);
});

test('bin/postern without a terminal ends after a wrong code, in its own words', async (t) => {
  const { smtp, start, code, write } = await startWithRecipient(t);
  const running = start(PIPED, code);
  write('code', `${wrongOf(await readMailedCode(smtp, 1))}\n`);
  const { stderr, code: exitCode } = await running.exited;
  assert.equal(exitCode, 1);
  assert.match(stderr, /the code is wrong or has expired\n {2}Run the command again for a new code\./);
});

test('bin/postern continues a download with the cookie of a recipient, and names it if the line stays broken', async (t) => {
  const { smtp, service, start, write, directory } = await startWithRecipient(t);
  const content = '0123456789'.repeat(1_000);
  for (const isLost of [false, true]) {
    const code = await uploadFile(service, content, {
      fields: { verifiedRecipients: ANN, maxViews: '1' },
      fileName: `${isLost}.txt`,
    });
    const broken = await startBalancer(t, service.url, (response, reply, method) => {
      const isFile = response.headers['content-disposition'] !== undefined;
      if (isFile && isLost && method === 'GET') return void reply.writeHead(410).end();
      reply.writeHead(response.statusCode ?? 0, response.headers);
      if (!isFile || method === 'GET') return void response.pipe(reply);
      response.resume();
      reply.write(content.slice(0, 1_000), () => reply.destroy());
    });
    rmSync(join(directory, 'code'), { force: true });
    const running = start(PIPED, code, broken);
    write('code', `${await readMailedCode(smtp, isLost ? 2 : 1)}\n`);
    const { stderr, code: exitCode } = await running.exited;
    assert.equal(exitCode, isLost ? 1 : 0, stderr);
    if (isLost) {
      const [, command = ''] = /without another view: (curl .*)/.exec(stderr) ?? [];
      const again = startCommand(
        t,
        ['bash', '-c', command.replace(broken, service.url).replace('FILE', 'true.txt')],
        {
          cwd: directory,
        },
      );
      assert.equal((await again.exited).code, 0, command);
    }
    assert.equal(readFileSync(join(directory, `${isLost}.txt`), 'utf8'), content);
    assert.equal(linkState(service, code).viewCount, 1);
  }
});
