import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openPostgresStore } from '../../../src/stores/postgres/open-store.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../../support/attempts.ts';
import { makeCertificate, WITHOUT_OPENSSL } from '../../support/certificates.ts';
import { IN_MEMORY, startOwnServer } from '../../support/own-postgres.ts';
import { postgresOptions } from '../../support/postgres-options.ts';
import { createSchema, type Schema } from '../../support/postgres-server.ts';
import { temporaryDirectory } from '../../support/service.ts';

type Certificate = { key: string; certificate: string; path: string };

/** Makes a self-signed certificate, which is also in a file. */
function writeCertificate(directory: string, name: string): Certificate {
  const made = makeCertificate(name);
  const path = join(directory, `${name}.pem`);
  writeFileSync(path, made.certificate);
  return { ...made, path };
}

/** Enables TLS. The server writes the files itself: it may run as another user, and only that one may read its key. */
async function encrypt({ query }: Schema, { key, certificate }: Certificate): Promise<void> {
  for (const [file, text] of [
    ['server.key', key],
    ['server.crt', certificate],
  ]) {
    const lines = text
      ?.trim()
      .split('\n')
      .map((line) => `('${line}')`);
    await query(`COPY (VALUES ${lines}) TO PROGRAM 'umask 077; cat > ${file}'`);
  }
  await query('ALTER SYSTEM SET ssl = on');
  await query('SELECT pg_reload_conf()');
}

test('sslmode refuses a server that proves less than required', { skip: WITHOUT_OPENSSL }, async (t) => {
  const server = await startOwnServer(IN_MEMORY);
  const schema = await createSchema(server.url);
  t.after(async () => {
    await schema[Symbol.asyncDispose]();
    await server.stop();
  });
  const directory = temporaryDirectory(t);
  const ours = writeCertificate(directory, 'localhost');
  const another = writeCertificate(directory, 'stranger.example');
  const open = (host: 'localhost' | '127.0.0.1', parameters: string) =>
    openPostgresStore(postgresOptions(`${schema.url.replace('127.0.0.1', host)}&${parameters}`));

  // The server has no TLS yet: nothing is sent in plain text.
  await assert.rejects(open('127.0.0.1', 'sslmode=require'), /does not support SSL/);
  await encrypt(schema, ours);

  for (const [what, host, parameters] of [
    ['authority and name', 'localhost', `sslmode=verify-full&sslrootcert=${ours.path}`],
    ['the authority', '127.0.0.1', `sslmode=verify-ca&sslrootcert=${ours.path}`],
    ['nothing', '127.0.0.1', 'sslmode=require'],
  ] as const) {
    const store = await open(host, parameters);
    await store.create(redirectLink(codeOf(1)), newChange());
    assert.equal((await store.attempt(attemptOn(codeOf(1)))).verdict, 'SUCCESS', what);
    const sessions = await schema.query(
      `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'postern'`,
    );
    assert.ok(sessions.length > 0 && sessions.every(({ ssl }) => ssl === true), `${what}: all is encrypted`);
    await store.close();
  }

  for (const [error, host, parameters] of [
    [/self-signed certificate/, 'localhost', `sslmode=verify-full&sslrootcert=${another.path}`],
    [/self-signed certificate/, 'localhost', `sslmode=verify-ca&sslrootcert=${another.path}`],
    [/self-signed certificate/, 'localhost', 'sslmode=verify-full'],
    [/does not match/, '127.0.0.1', `sslmode=verify-full&sslrootcert=${ours.path}`],
  ] as const) {
    await assert.rejects(open(host, parameters), error);
  }
});
