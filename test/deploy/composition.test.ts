import assert from 'node:assert/strict';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readProjectFile } from '../support/documents.ts';
import { layOutImage, runInImage } from '../support/image.ts';
import { createLink, openLink, uploadFile } from '../support/links.ts';
import { createSchema } from '../support/postgres-server.ts';
import { freePort } from '../support/process.ts';
import { BUCKET, CREDENTIALS, startS3Server } from '../support/s3-server.ts';
import { temporaryDirectory } from '../support/service.ts';

const { services } = parse(readProjectFile('deploy/compose.yaml'));
const ENVIRONMENT: Record<string, string> = services.postern.environment;

test('the image runs with the settings of the composition, its secrets in files, and writes nothing at all', async (t) => {
  await using schema = await createSchema();
  const storage = await startS3Server();
  t.after(() => storage.stop());
  const directory = temporaryDirectory(t);
  chmodSync(directory, 0o755);
  const secret = (name: string, text: string) => {
    writeFileSync(join(directory, name), text, { mode: 0o644 });
    return join(directory, name);
  };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...ENVIRONMENT,
    SERVER_HOST: '127.0.0.1',
    SERVER_PORT: String(port),
    APP_BASE_URL: url,
    APP_DATABASE_URL_FILE: secret('database-url', `${schema.url}\n`),
    APP_STORAGE_URL: `s3://${BUCKET}/files`,
    APP_STORAGE_ENDPOINT: storage.endpoint,
    AWS_SHARED_CREDENTIALS_FILE: secret(
      'storage-credentials',
      `[default]\naws_access_key_id = ${CREDENTIALS.AWS_ACCESS_KEY_ID}\naws_secret_access_key = ${CREDENTIALS.AWS_SECRET_ACCESS_KEY}\n`,
    ),
  };
  assert.deepEqual(
    Object.keys(env).filter((name) => !name.startsWith('SERVER_')),
    Object.keys(ENVIRONMENT),
  );

  const image = layOutImage(t);
  chmodSync(image.volume, 0o555);
  const service = runInImage(t, image, image.command, env);
  await service.says(({ stderr }) => / is ready after .*\n/.test(stderr));
  assert.equal((await runInImage(t, image, image.healthCheck, env).exited).code, 0);
  assert.equal((await openLink({ url }, await createLink({ url }))).status, 302);
  assert.equal((await openLink({ url }, await uploadFile({ url }, 'content'))).text, 'content');
  assert.ok(storage.remains('files').length > 0);
  assert.deepEqual(readdirSync(image.volume), []);

  service.signal('SIGTERM');
  assert.equal((await service.exited).code, 0);
});
