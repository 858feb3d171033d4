import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isWebhookSecret, linkSecretOf, sign } from '../../src/notifications/signature.ts';

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
