import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSigner, hashHex, verifyEd25519 } from '../../src/core/model/ed25519.ts';
import {
  COSIGNATURE,
  formatSignature,
  formatVerifierKey,
  parseCheckpoint,
  parseVerifierKey,
  toVerifierKey,
  verifyNote,
} from '../../src/core/model/signed-note.ts';
import { prepareAskWitnesses } from '../../src/core/use-cases/evidence/ask-witnesses.ts';
import { checkExport } from '../../src/tools/commands/check-export.ts';
import { attemptOn, codeOf, newChange, redirectLink } from '../support/attempts.ts';
import { openTestLog } from '../support/evidence.ts';
import { send } from '../support/http-client.ts';
import { createLink } from '../support/links.ts';
import { startService, type TestService, temporaryDirectory } from '../support/service.ts';
import { openSqliteHarness } from '../support/sqlite-harness.ts';
import { cosign, startWitness } from '../support/witness.ts';

const KEY = 'initial-'.repeat(5);
const ADMIN_FLAG = `--app.access.initial-key=${KEY}`;

async function open(service: TestService, shortCode: string, count: number): Promise<void> {
  for (let view = 0; view < count; view++) await send(service, `/l/${shortCode}`);
}

const healthOf = async (service: TestService) => (await send(service, '/actuator/health')).text;
const checkpointOf = async (service: TestService) => {
  const checkpoint = parseCheckpoint((await send(service, '/checkpoint')).text);
  assert.ok(checkpoint);
  return checkpoint;
};

test('a witness signs each checkpoint, and its outage delays none and is visible', async (t) => {
  const { key, state, flag } = await startWitness(t);
  const directory = temporaryDirectory(t);
  const service = await startService(t, { flags: [flag, ADMIN_FLAG], directory });
  const shortCode = await createLink(service);
  for (const size of [1, 4]) {
    await open(service, shortCode, size === 1 ? 0 : 3);
    await service.signCheckpoint?.();
    const { note } = await checkpointOf(service);
    assert.equal(state.known?.size, size);
    assert.equal(verifyNote(note, key, verifyEd25519).result, 'VALID');
    assert.equal(note.signatures.length, 2, 'a signature that was not verified is not kept');
  }
  const { text } = await send(service, `/api/links/${shortCode}/history`, {
    headers: { accept: 'application/x-ndjson', authorization: `Bearer ${KEY}` },
  });
  async function* chunks() {
    yield Buffer.from(text);
  }
  const checked = await checkExport(chunks(), null, undefined, formatVerifierKey(key));
  assert.deepEqual(checked.findings.shown, []);
  assert.match(
    checked.proved.join('\n'),
    /The witness witness\.example signed this checkpoint at 2026-06-15T12:00:00/,
  );

  state.isDown = true;
  for (let round = 0; round < 3; round++) {
    assert.doesNotMatch(await healthOf(service), /witness_unavailable/);
    await open(service, shortCode, 1);
    await service.signCheckpoint?.();
  }
  assert.match(
    await healthOf(service),
    /"status":"UP".*witness_unavailable.*witness\.example: it responded with status 503/,
  );
  assert.equal((await checkpointOf(service)).size, 7);
  state.isDown = false;
  await service.signCheckpoint?.();
  assert.doesNotMatch(await healthOf(service), /witness_unavailable/);
  assert.equal(verifyNote((await checkpointOf(service)).note, key, verifyEd25519).result, 'VALID');

  await service.stop();
  const again = await startService(t, { flags: [flag, ADMIN_FLAG], directory });
  state.requests = [];
  await open(again, shortCode, 1);
  await again.signCheckpoint?.();
  assert.deepEqual(state.requests, [0, 7], 'a new process learns the size from the witness');
  assert.equal(state.known?.size, 8);
});

test('a witness that has signed a larger log signs no smaller one', async (t) => {
  const { state, flag } = await startWitness(t);
  const service = await startService(t, { flags: [flag] });
  await createLink(service);
  state.known = { size: 50, root: '00'.repeat(32) };
  for (let round = 0; round < 3; round++) await service.signCheckpoint?.();
  assert.match(await healthOf(service), /it has signed a checkpoint of 50 entries, and this log has 1/);
  assert.ok(parseVerifierKey(hashHex, (await send(service, '/checkpoint/key')).text.trim()));
});

test('a witness that responds with no number of entries is reported, and is asked again', async (t) => {
  const { key, state, flag } = await startWitness(t);
  const service = await startService(t, { flags: [flag] });
  const shortCode = await createLink(service);
  await open(service, shortCode, 6);
  for (const conflict of ['-1', '1.5', '', 'x']) {
    state.conflict = conflict;
    await service.signCheckpoint?.();
  }
  assert.match(await healthOf(service), /witness\.example: it responded with status 409/);
  state.conflict = undefined;
  await service.signCheckpoint?.();
  assert.equal(verifyNote((await checkpointOf(service)).note, key, verifyEd25519).result, 'VALID');
});

test('a stop signs the last entries, and does not wait for a witness that does not respond', async (t) => {
  const { state, flag, asked } = await startWitness(t);
  const directory = temporaryDirectory(t);
  const service = await startService(t, { flags: [flag], directory });
  const shortCode = await createLink(service);
  state.isSilent = true;
  await service.startJobs();
  await asked;
  await open(service, shortCode, 2);
  const startedAt = performance.now();
  await service.stop();
  assert.ok(performance.now() - startedAt < 4_500, 'it ended before the request to the witness');
  const again = await startService(t, { flags: [], directory });
  assert.equal((await checkpointOf(again)).size, 3);
});

test('of the response of a witness, only its own signature is kept', async () => {
  await using harness = await openSqliteHarness();
  const { store } = harness;
  await store.create(redirectLink(codeOf(1), { maxViews: null }), newChange());
  await openTestLog(store).sign();
  const signer = createSigner('witness.example');
  const key = toVerifierKey(hashHex, 'witness.example', COSIGNATURE, signer.key.publicKey);
  const other = toVerifierKey(hashHex, 'witness.example', COSIGNATURE, '00'.repeat(32));
  const ask = prepareAskWitnesses(
    store.evidence,
    [{ key, url: 'http://witness.example' }],
    async (_, body) => {
      const own = cosign(signer, key, `${body.split('\n\n')[1]}\n`);
      const others = [
        formatSignature(other, '00'.repeat(72)),
        '— witness.example anVua2p1bms=\n'.repeat(200),
      ];
      return { status: 200, text: own + own + others.join('') };
    },
  );
  const before = (await store.evidence.readTree())?.signed?.note ?? '';
  assert.deepEqual([...(await ask())], []);
  const { note = '' } = (await store.evidence.readTree())?.signed ?? {};
  const text = before.slice(0, before.indexOf('\n\n') + 1);
  assert.equal(note, before + cosign(signer, key, text));
});

test('witnesses are asked at once, and the signature of each is kept', async () => {
  await using harness = await openSqliteHarness();
  const { store } = harness;
  await store.create(redirectLink(codeOf(1), { maxViews: null }), newChange());
  await openTestLog(store).sign();
  const witnesses = Array.from({ length: 6 }, (_, index) => {
    const signer = createSigner(`w${index}`);
    const key = toVerifierKey(hashHex, `w${index}`, COSIGNATURE, signer.key.publicKey);
    return { signer, key, url: `http://w${index}` };
  });
  const allAsked = Promise.withResolvers<void>();
  let count = 0;
  const ask = prepareAskWitnesses(store.evidence, witnesses, async (url, body) => {
    count += 1;
    if (count === witnesses.length) allAsked.resolve();
    await allAsked.promise; // none responds before all are asked
    const witness = witnesses.find((each) => url.startsWith(`${each.url}/`));
    assert.ok(witness);
    return { status: 200, text: cosign(witness.signer, witness.key, `${body.split('\n\n')[1]}\n`) };
  });
  assert.deepEqual([...(await ask())], []);
  const checkpoint = parseCheckpoint((await store.evidence.readTree())?.signed?.note ?? '');
  assert.equal(checkpoint?.note.signatures.length, 7);
  for (const { key } of witnesses)
    assert.equal(checkpoint && verifyNote(checkpoint.note, key, verifyEd25519).result, 'VALID');
});

test('a witness is not asked to go on from entries that are detached', async () => {
  await using harness = await openSqliteHarness();
  const { store, execute } = harness;
  const { sign } = openTestLog(store);
  const view = (count: number) =>
    Promise.all(Array.from({ length: count }, () => store.attempt(attemptOn(codeOf(1)))));
  await store.create(redirectLink(codeOf(1), { maxViews: null }), newChange());
  await view(299);
  await sign();
  await execute('DELETE FROM entry WHERE number BETWEEN 260 AND 290');
  await view(300);
  await sign();
  const signer = createSigner('witness.example');
  const key = toVerifierKey(hashHex, 'witness.example', COSIGNATURE, signer.key.publicKey);
  const asked: string[] = [];
  const ask = prepareAskWitnesses(
    store.evidence,
    [{ key, url: 'http://witness.example' }],
    async (_, body) => {
      asked.push(body.slice(0, body.indexOf('\n')));
      return { status: 409, text: '300\n' };
    },
  );
  assert.match((await ask()).get('witness.example') ?? '', /attach the detached months of the history/);
  assert.deepEqual(asked, ['old 0']);
});
