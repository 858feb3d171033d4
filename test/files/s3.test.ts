import { randomUUID } from 'node:crypto';
import { after, before } from 'node:test';
import { createS3Store } from '../../src/files/s3.ts';
import { fileStoreContract } from '../contract/file-store.ts';
import { until } from '../support/http-client.ts';
import { BUCKET, type S3Server, startS3Server } from '../support/s3-server.ts';

let server: S3Server;
before(async () => {
  server = await startS3Server();
});
after(() => server.stop());

function storeAt(prefix: string, timeoutMs = 10_000) {
  const { endpoint } = server;
  return createS3Store({ bucket: BUCKET, prefix, endpoint, region: null, pathStyle: true, timeoutMs });
}

fileStoreContract('S3', async () => {
  const prefix = `files/${randomUUID()}`;
  return {
    store: storeAt(prefix),
    remains: async () => server.remains(prefix),
    dispose: () => until(() => server.sending() === 0),
  };
});
