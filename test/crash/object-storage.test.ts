import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { openSocket, until } from '../support/http-client.ts';
import { countRows, openLink, uploadFile } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { serviceFlags, startProgram, startServiceProcess } from '../support/process.ts';
import { BUCKET, CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts';
import { startService, temporaryDirectory } from '../support/service.ts';
import { runServiceCommand } from '../support/service-command.ts';

const LARGE = randomBytes(18 * 1024 ** 2);

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.stop());

test('a service killed during an upload leaves parts that are swept, and harms no complete file', async (t) => {
  const directory = temporaryDirectory(t);
  const { flags } = server;
  const killed = await startServiceProcess(t, directory, { flags, env: CREDENTIALS });
  const complete = await uploadFile(killed, LARGE);
  const before = server.remains();
  const form = encodeForm([file(LARGE)]);
  const socket = await openSocket(killed);
  socket.on('error', () => undefined);
  const type = `Content-Type: ${MULTIPART_HEADERS['content-type']}`;
  const head = `POST /api/links/upload HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${form.length}\r\n\r\n`;
  socket.write(head);
  socket.write(form.subarray(0, form.length - 100));
  await until(() => server.requests().filter((operation) => operation === 'UploadPart').length === 5);
  killed.signal('SIGKILL');
  await killed.exited;
  socket.destroy();
  assert.equal(server.remains().length, before.length + 1, 'an upload is open');
  assert.equal(countRows(killed, 'upload'), 1, 'the ledger has it');

  const service = await startService(t, { directory, flags });
  service.clock.now = Date.now() + 25 * 3_600_000;
  await service.startJobs();
  assert.deepEqual(server.remains(), before);
  assert.equal(countRows(service, 'upload'), 0);
  assert.ok((await openLink(service, complete)).body.equals(LARGE));
  await service.stop();

  const verify = ['verify', ...serviceFlags(directory, 8080), ...flags];
  const verified = await runServiceCommand(verify, CREDENTIALS);
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, /^1 file, with its link and its size; its content is not checked\.$/m);
  server.addObjects(['00000000-0000-4000-8000-000000000000']);
  const stray = await runServiceCommand(verify, CREDENTIALS);
  assert.equal(stray.code, 0);
  assert.match(stray.stdout, /file 00000000-0000-4000-8000-000000000000 belongs to no link/);
});

test('a service does not start without a usable bucket, and reports why without a secret', async (t) => {
  const directory = temporaryDirectory(t);
  const [url, endpoint = ''] = server.flags;
  const forbidden = { ...CREDENTIALS, AWS_ACCESS_KEY_ID: 'NOBODY' };
  const cases: [flags: string[], env: Record<string, string>, expected: RegExp][] = [
    [
      ['--app.storage.url=s3://no-such-bucket/files', endpoint],
      CREDENTIALS,
      /s3:\/\/no-such-bucket\/files: .*HTTP 404/,
    ],
    [[`${url}`, endpoint], forbidden, new RegExp(`s3://${BUCKET}: .*HTTP 403`)],
    [[`${url}`], CREDENTIALS, /to list its files: .*Region is missing/],
  ];
  await Promise.all(
    cases.map(async ([flags, env, expected]) => {
      const program = [
        'cli/main.ts',
        'serve',
        ...serviceFlags(directory, 8080),
        ...flags,
        '--app.storage.timeout=PT5S',
      ];
      const { code, stderr } = await startProgram(t, program, env).exited;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /app\.storage\.url s3:/);
      assert.match(stderr, expected);
      assert.doesNotMatch(stderr, new RegExp(CREDENTIALS.AWS_SECRET_ACCESS_KEY));
    }),
  );
});

test('a service with its files in a directory does not load the object storage client', async (t) => {
  const refuse = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (/^@(aws-sdk|smithy)/.test(name)) throw new Error(name + ' is loaded');
      return next(name, context);
    } });`;
  const nodeFlags = ['--import', `data:text/javascript,${encodeURIComponent(refuse)}`];
  const env = { NODE_OPTIONS: '' }; // from the sources: no import of the bundle names a package
  const service = await startServiceProcess(t, temporaryDirectory(t), { nodeFlags, env });
  assert.equal((await openLink(service, await uploadFile(service))).text, 'content');
  // The same process with a bucket fails: the hook would have noticed the client.
  await assert.rejects(
    startServiceProcess(t, temporaryDirectory(t), {
      nodeFlags,
      flags: server.flags,
      env: { ...CREDENTIALS, ...env },
    }),
    /@aws-sdk\/client-s3 is loaded/,
  );
});
