import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { prepareResolveName } from '../../src/adapters/delivery/resolve-name.ts';
import { createWebhookDelivery } from '../../src/adapters/delivery/webhooks.ts';
import { START } from '../support/attempts.ts';
import { temporaryDirectory } from '../support/service.ts';
import { SECRET, startReceiver } from '../support/webhook-receiver.ts';

const signal = new AbortController().signal;

/** Starts a DNS server. It answers queries for the addresses of these names, denies others, and ignores `hang.…`. */
async function startDns(t: TestContext, addresses: Record<string, number[]> = {}) {
  const asked: string[] = [];
  const socket = createSocket('udp4', (message, { port, address }) => {
    const { name, end, type } = readQuestion(message);
    asked.push(name);
    if (name.startsWith('hang')) return;
    const found = addresses[name];
    const answers = found && type === 1 ? 1 : 0;
    const header = Buffer.from(message.subarray(0, 12));
    header.writeUInt16BE(found ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(answers, 6);
    header.fill(0, 8);
    const record = answers ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...(found ?? [])] : [];
    socket.send(Buffer.concat([header, message.subarray(12, end), Buffer.from(record)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], asked };
}

function readQuestion(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

test('names that no server answers delay neither each other nor another lookup', async (t) => {
  const { servers, asked } = await startDns(t);
  const receiver = await startReceiver(t);
  const webhooks = createWebhookDelivery({
    ...{ secrets: [SECRET], policy: { allowedNetworks: ['127.0.0.0/8'], ports: [443] } },
    ...{ clock: () => START, userAgent: 'test', resolve: prepareResolveName({ servers }) },
    timeouts: { connectMs: 30_000, headersMs: 30_000, totalMs: 30_000 },
  });
  t.after(webhooks.close);
  const stopping = new AbortController();
  const deliver = (address: string) =>
    webhooks.deliver(
      {
        ...{ id: 'msg_1', queue: 'q', kind: 'WEBHOOK', address, language: null, shortCode: 'code' },
        ...{ createdAt: START, tries: 0, payload: '{}' },
      },
      stopping.signal,
    );
  let ended = 0;
  const hanging = Array.from({ length: 32 }, async (_, index) => {
    const delivery = await deliver(`http://hang${index}.example/`);
    ended += 1;
    return delivery;
  });
  await lookup('localhost');
  assert.deepEqual(await deliver(`http://localhost:${receiver.port}/`), { kind: 'DELIVERED' });
  assert.equal(ended, 0);
  assert.ok(asked.length > 0);
  stopping.abort();
  for (const delivery of await Promise.all(hanging)) assert.equal(delivery.kind, 'RECEIVER_DOWN');
});

test('a name that no server answers fails in time', async (t) => {
  const { servers } = await startDns(t);
  const resolve = prepareResolveName({ servers, timeoutMs: 50 });
  await assert.rejects(resolve('hang.example', signal), /ECANCELLED/);
});

test('a lookup ends when its delivery does', async (t) => {
  const { servers } = await startDns(t);
  const ended = new AbortController();
  const resolving = prepareResolveName({ servers, timeoutMs: 60_000 })('hang.example', ended.signal);
  setImmediate(() => ended.abort());
  await assert.rejects(resolving);
});

test('a name has the addresses of the hosts file, of a server, or of a server in a search domain', async (t) => {
  const directory = temporaryDirectory(t);
  const [hostsPath, configurationPath] = [join(directory, 'hosts'), join(directory, 'resolv.conf')];
  writeFileSync(
    hostsPath,
    '10.0.0.1 Local.example other # comment\n::2\tlocal.example\n#10.0.0.9 local.example\n',
  );
  writeFileSync(configurationPath, 'nameserver 10.0.0.2\nsearch svc.example example\noptions ndots:5\n');
  const { servers } = await startDns(t, {
    'public.example': [192, 0, 2, 1],
    'hooks.svc.example': [10, 1, 2, 3],
  });
  const resolve = prepareResolveName({ servers, hostsPath, configurationPath });
  const resolved = async (name: string) => (await resolve(name, signal)).map(({ address }) => address);
  assert.deepEqual(await resolved('LOCAL.example.'), ['10.0.0.1', '::2']);
  assert.deepEqual(await resolved('other'), ['10.0.0.1']);
  assert.deepEqual(await resolved('localhost'), ['127.0.0.1', '::1']);
  assert.deepEqual(await resolved('public.example'), ['192.0.2.1']);
  assert.deepEqual(await resolved('hooks'), ['10.1.2.3']);
  assert.deepEqual(await resolved('hooks.'), []);
  assert.deepEqual(await resolved('unknown.example'), []);
});
