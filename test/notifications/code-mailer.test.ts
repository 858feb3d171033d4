import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CodeOutcome, createCodeMailer } from '../../src/core/use-cases/visit/mail-codes.ts';

const SIGNED_IN: CodeOutcome = { kind: 'DELIVERED', isSignedIn: true };
const DOWN: CodeOutcome = { kind: 'RECEIVER_DOWN', error: 'down', isSignedIn: false };
const HALF_A_MINUTE = 30_000;

/** A mailer with a mail server that responds as `server.outcome` says, once it is not held. */
function open() {
  const released = Promise.withResolvers<void>();
  const server = { outcome: SIGNED_IN as CodeOutcome, prepared: 0, checks: 0, sent: [] as string[] };
  const clock = { now: 0 };
  const failed: string[] = [];
  const mailer = createCodeMailer(
    {
      async send({ address }, isSent) {
        await released.promise;
        if (isSent) server.sent.push(address);
        else server.prepared++;
        return server.outcome;
      },
      async check() {
        server.checks++;
        return server.outcome;
      },
    },
    () => clock.now,
    (_, error) => failed.push(error),
  );
  const add = (address: string, purpose: 'SEND' | 'PREPARE') =>
    mailer.add({ address, code: '123456', shortCode: 'bUlkAnn1', language: 'en', at: 0 }, purpose);
  return { server, clock, failed, mailer, add, release: released.resolve };
}

const addressOf = (index: number) => `user${index}@example.com`;

test('asks for addresses that a link does not name take no place from codes', async () => {
  const { server, failed, mailer, add, release } = open();
  for (let index = 0; index < 1_000; index++) add(addressOf(index), 'PREPARE');
  add('ann@example.com', 'SEND');
  assert.equal(mailer.restingMs(), 0);
  release();
  await mailer.settled();
  assert.deepEqual(server.sent, ['ann@example.com']);
  assert.ok(server.prepared > 0 && server.prepared < 50, String(server.prepared));
  assert.deepEqual(failed, []);
});

test('codes beyond those that may wait are dropped and logged, and the service goes on', async () => {
  const { server, failed, mailer, add, release } = open();
  for (let index = 0; index < 501; index++) add(addressOf(index), 'SEND');
  await new Promise(setImmediate);
  assert.equal(mailer.restingMs(), 0);
  assert.equal(mailer.findProblem(), undefined);
  assert.deepEqual(failed, ['500 codes wait for the mail server']);
  release();
  await mailer.settled();
  assert.equal(server.sent.length, 500);
});

test('only a failure before the end of the sign-in is a problem, until a sign-in', async () => {
  const { server, clock, failed, mailer, add, release } = open();
  release();
  server.outcome = { kind: 'RECEIVER_DOWN', error: 'refused', isSignedIn: true };
  add('ann@example.com', 'SEND');
  await mailer.settled();
  assert.deepEqual([mailer.findProblem(), mailer.restingMs(), failed], [undefined, 0, ['refused']]);
  server.outcome = DOWN;
  add('eve@example.com', 'PREPARE');
  await mailer.settled();
  assert.deepEqual([mailer.findProblem(), mailer.restingMs()], ['down', HALF_A_MINUTE]);
  mailer.checkServer();
  clock.now = HALF_A_MINUTE;
  mailer.findProblem();
  await mailer.settled();
  assert.equal(server.checks, 0, 'a look at the problem checks nothing, nor does a check while codes rest');
  mailer.checkServer();
  await mailer.settled();
  assert.deepEqual([server.checks, mailer.findProblem()], [1, 'down']);
  clock.now += HALF_A_MINUTE;
  server.outcome = { kind: 'REJECTED', error: 'no such mailbox', isSignedIn: true };
  add('ann@example.com', 'SEND');
  await mailer.settled();
  assert.equal(mailer.findProblem(), undefined);
});
