import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { linkSecretOf, sign } from '../../src/adapters/delivery/signature.ts';
import { mergePayloads, type Payload } from '../../src/core/use-cases/notify/payload.ts';
import { isWebhookSecret } from '../../src/core/use-cases/notify/settings.ts';

type Event = Payload['data']['events'][number];

/** Returns the payload of a message with these events, and the end of the history at its time. */
function payloadOf(entryCount: number, ...events: Event[]): string {
  const place = events.map((event) => ('number' in event ? event.number : 'expired')).at(-1);
  const data = { shortCode: 'abc12345', historyUrl: 'https://links.example', eventCount: events.length };
  return JSON.stringify({
    ...{ type: `type of ${place}`, timestamp: `time of ${place}` },
    data: { ...data, entryCount, fingerprint: `of ${entryCount}`, events },
  } satisfies Payload);
}

const entry = (number: number): Event => ({ at: '2026-06-15T12:00:00.000Z', number });
const expiry = (entryCount: number): Event => ({ at: '2026-06-15T12:00:00.000Z', entryCount });

function merge(...payloads: [string, string]): Payload {
  return JSON.parse(mergePayloads('WEBHOOK', ...payloads));
}

test('the events of two messages are merged in the order of the history, and the newest gives its type', () => {
  const messages = [payloadOf(4, entry(2), entry(4)), payloadOf(3, entry(3))] as const;
  for (const [waiting, added] of [messages, messages.toReversed()] as [string, string][]) {
    const { type, timestamp, data } = merge(waiting, added);
    assert.deepEqual(data.events, [2, 3, 4].map(entry));
    assert.deepEqual([type, timestamp, data.eventCount], ['type of 4', 'time of 4', 3]);
    assert.deepEqual([data.entryCount, data.fingerprint], [4, 'of 4']);
  }
});

test('a merged message has the longest history, also where the newest event is in the other', () => {
  const { type, data } = merge(payloadOf(5, entry(2)), payloadOf(3, entry(3)));
  assert.deepEqual([type, data.entryCount, data.fingerprint], ['type of 3', 5, 'of 5']);
});

test('an expiry is after the entries that were there, and before the later ones', () => {
  const { type, data } = merge(payloadOf(3, expiry(3)), payloadOf(6, entry(3), entry(4), entry(6)));
  assert.deepEqual(data.events, [entry(3), expiry(3), entry(4), entry(6)]);
  assert.equal(type, 'type of 6');
  assert.equal(merge(payloadOf(3, expiry(3)), payloadOf(3, entry(3))).type, 'type of expired');
});

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSAGE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';

describe('the signature of a webhook', () => {
  test('the signature is that of the reference libraries of Standard Webhooks', () => {
    assert.equal(sign([SECRET], MESSAGE), SIGNATURE);
  });

  test('the signature covers the id, the time and each byte of the body', () => {
    const others = [
      { ...MESSAGE, id: `${MESSAGE.id}x` },
      { ...MESSAGE, timestamp: MESSAGE.timestamp + 1 },
      { ...MESSAGE, body: `${MESSAGE.body} ` },
    ];
    for (const other of others) assert.notEqual(sign([SECRET], other), SIGNATURE);
  });

  test('the signature has one signature for each secret', () => {
    const other = linkSecretOf(SECRET, 'abcd1234');
    assert.equal(sign([other, SECRET], MESSAGE), `${sign([other], MESSAGE)} ${SIGNATURE}`);
  });
});

test('each link has a valid secret of its own', () => {
  const secrets = ['abcd1234', 'abcd1235'].map((shortCode) => linkSecretOf(SECRET, shortCode));
  assert.ok(secrets.every(isWebhookSecret));
  assert.equal(new Set([SECRET, ...secrets]).size, 3);
  assert.equal(linkSecretOf(SECRET, 'abcd1234'), secrets[0]);
});

test('a secret is whsec_ and 24 to 64 bytes in base64', () => {
  const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;
  for (const count of [24, 32, 64]) assert.ok(isWebhookSecret(ofBytes(count)), String(count));
  const invalid = [ofBytes(23), ofBytes(65), ofBytes(32).slice(6), `whsec_${'ä'.repeat(40)}`, `${SECRET} `];
  for (const text of invalid) assert.ok(!isWebhookSecret(text), text);
});
