import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_PREFIX, newApiKey } from '../../src/core/model/people/api-key.ts';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';
import { withCleanup } from '../support/cleanup.ts';
import { exchange } from '../support/http-client.ts';
import { createLink, openLink } from '../support/links.ts';
import { assertNoSecrets, recordSecrets } from '../support/log-secrets.ts';
import { fields, sendForm } from '../support/multipart.ts';
import { startServiceProcess } from '../support/process.ts';
import { startService, temporaryDirectory } from '../support/service.ts';

/** Leaks a text of at most 20 characters into the log, which has the short code of every attempt. */
const leak = (service: { url: string }, text: string) => openLink(service, encodeURIComponent(text));

/** Asserts that a service whose log leaks what `act` sent fails its test. */
async function assertLeakIsFound(
  secret: string,
  act: (service: { url: string }) => Promise<unknown>,
): Promise<void> {
  await assert.rejects(
    withCleanup(async (cleanup) => {
      const service = await startService(cleanup);
      await act(service);
      await leak(service, secret);
    }),
    new RegExp(`^AssertionError.*The log holds the secret "${secret}"`, 's'),
  );
}

test('the check of logs finds a password in a header, in JSON, in a multipart form and on a socket', async () => {
  await assertLeakIsFound('password-in-header', (service) =>
    openLink(service, 'unknown1', { 'X-Link-Password': 'password-in-header' }),
  );
  await assertLeakIsFound('password-in-json', (service) =>
    createLink(service, { password: 'password-in-json' }),
  );
  await assertLeakIsFound('password-in-form', (service) =>
    sendForm(service, fields({ password: 'password-in-form' })),
  );
  await assertLeakIsFound('password on socket', (service) =>
    exchange(
      service,
      'POST /l/unknown1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 27\r\n' +
        'Content-Type: application/x-www-form-urlencoded\r\n\r\npassword=password+on+socket',
    ),
  );
});

test('the check of logs covers services in processes of their own', async () => {
  const secret = 'password-to-process';
  await assert.rejects(
    withCleanup(async (cleanup) => {
      const service = await startServiceProcess(cleanup, temporaryDirectory(cleanup));
      await openLink(service, 'unknown1', { 'x-link-password': secret });
      await leak(service, secret);
      service.signal('SIGTERM');
      await service.exited;
    }),
    /The log holds the secret "password-to-process"/,
  );
});

test('a log may not hold a hash, an API key or a link token, nor the hash of one that was sent', () => {
  const key = newApiKey();
  const token = key.replace(KEY_PREFIX, 'link_');
  for (const secret of ['$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', key, token]) {
    assert.throws(() => assertNoSecrets(`{"msg":"x"}\n{"text":"${secret}"}\n`), /The log holds a secret/);
  }
  recordSecrets('Authorization: Bearer wrong-bearer-key');
  for (const secret of ['wrong-bearer-key', hashSecret('wrong-bearer-key')]) {
    assert.throws(() => assertNoSecrets(`{"text":"${secret}"}`), /The log holds the secret/);
  }
});
