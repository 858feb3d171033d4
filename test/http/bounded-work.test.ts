import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { createArgon2idHasher } from '../../src/adapters/password-hasher.ts';
import { openSocket, send, until } from '../support/http-client.ts';
import {
  auditedResults,
  auditRecords,
  countRows,
  createLink,
  openLink,
  revokeLink,
} from '../support/links.ts';
import { observeArgon2 } from '../support/observe-argon2.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';
import { addRecords } from '../support/sqlite-harness.ts';

const PASSWORD = 'open sesame';
const RIGHT = { 'x-link-password': PASSWORD };
const NO_LIMIT = ['--app.limits.wrong-passwords=none'];

/** Sends requests on connections of their own and does not read the responses. */
async function sendMany(service: TestService, count: number, request: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < count; index++) {
    const socket = await openSocket(service);
    socket.write(`${request}\r\nHost: x\r\nX-Forwarded-For: 198.51.100.${index % 20}\r\n\r\n`);
    sockets.push(socket);
  }
  return sockets;
}

async function metric(service: TestService, name: string): Promise<number> {
  const { text } = await send(service, '/actuator/prometheus');
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? 0);
}

async function startProtected(t: TestContext) {
  const service = await startService(t, { flags: NO_LIMIT, passwords: createArgon2idHasher() });
  return { service, shortCode: await createLink(service, { password: PASSWORD }) };
}

describe('password checks', () => {
  test('checks of clients that hang up are dropped, so that the right password need not wait for them', async (t) => {
    const { service, shortCode } = await startProtected(t);
    const { computed } = await observeArgon2(async () => {
      // Each round is far more than is checked while it is sent.
      for (let round = 0; round < 15; round++) {
        const sockets = await sendMany(
          service,
          100,
          `GET /l/${shortCode} HTTP/1.1\r\nX-Link-Password: wrong`,
        );
        for (const socket of sockets) socket.destroy();
      }
      const visit = await openLink(service, shortCode, { ...RIGHT, 'x-forwarded-for': '203.0.113.9' });
      assert.equal(visit.status, 302);
    });
    assert.ok(computed < 750, `${computed} of 1,501 passwords were hashed`);
    const abandoned = (queue: string) => metric(service, `secure_link_abandoned_total{queue="${queue}"}`);
    assert.ok((await abandoned('passwords')) > 0);
    // Those that left after their check have no record either.
    await until(async () => {
      const dropped = (await abandoned('passwords')) + (await abandoned('store'));
      return countRows(service, 'audit') + dropped >= 1_000;
    });
    assert.equal(auditedResults(service, shortCode).length, countRows(service, 'audit'));
  });

  test('checks of one client wait in a bounded number, and one of another client goes first', async (t) => {
    const { service, shortCode } = await startProtected(t);
    const request = `GET /l/${shortCode} HTTP/1.1\r\nX-Forwarded-For: 203.0.113.7\r\nX-Link-Password: wrong`;
    const sockets: Socket[] = [];
    const responses: string[] = [];
    for (let index = 0; index < 300; index++) {
      const socket = await openSocket(service);
      socket.once('data', (chunk) => responses.push(chunk.toString('latin1')));
      socket.write(`${request}\r\nHost: x\r\n\r\n`);
      sockets.push(socket);
    }
    const visit = await openLink(service, shortCode, { ...RIGHT, 'x-forwarded-for': '203.0.113.9' });
    assert.equal(visit.status, 302);
    assert.ok((await metric(service, 'secure_link_waiting_work{queue="passwords"}')) > 0);
    for (const socket of sockets) socket.destroy();
    const refused = responses.filter((response) => response.startsWith('HTTP/1.1 503 '));
    assert.ok(refused.length > 0, 'more than 250 waited');
    for (const response of refused) assert.match(response, /\r\nretry-after: 5\r\n/);
    await service.stop(); // which records refused attempts
    const limited = auditRecords(service, shortCode).filter(({ result }) => result === 'RATE_LIMITED');
    assert.deepEqual(
      limited.map(({ count }) => count),
      [refused.length],
    );
  });

  test('checks that cannot succeed hash nothing; the others hash once', async (t) => {
    const { service, shortCode } = await startProtected(t);
    const revoked = await createLink(service, { password: PASSWORD });
    await revokeLink(service, revoked);
    for (const [code, password, status, computed] of [
      [revoked, PASSWORD, 410, 0],
      [revoked, 'wrong', 410, 0],
      [shortCode, 'x'.repeat(8_193), 401, 0],
      [shortCode, 'x'.repeat(8_192), 401, 1],
      [shortCode, 'wrong', 401, 1],
      [shortCode, PASSWORD, 302, 1],
    ] as const) {
      const observed = await observeArgon2(async () => {
        const response = await openLink(service, code, { 'x-link-password': password });
        assert.equal(response.status, status);
      });
      assert.equal(observed.computed, computed, `${status}: ${password.slice(0, 20)}`);
    }
  });
});

test('statistics of clients that hang up are dropped, so that a later one need not wait for them', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await startService(t, { directory });
  await first.stop();
  // Reading them takes long enough for others to wait.
  addRecords(first.databasePath, 100_000);
  const service = await startService(t, { directory });
  // The records of a part of an hour are counted one by one.
  const path = '/api/stats/access/summary?start=2026-06-15T12:15:00Z';
  const abandoned = () => metric(service, 'secure_link_abandoned_total{queue="statistics"}');
  // How many are read before their clients hang up depends on the machine.
  for (let round = 0; round < 50 && (await abandoned()) < 100; round++) {
    const sockets = await sendMany(service, 30, `GET ${path} HTTP/1.1`);
    for (const socket of sockets) socket.destroy();
  }
  let response = await send(service, path);
  // A slow machine may take longer than a read waits to project the records.
  while (response.status === 503) response = await send(service, path);
  assert.equal(response.status, 200);
  assert.match(response.text, /"total":50000,/);
  assert.ok((await abandoned()) >= 100);
});
