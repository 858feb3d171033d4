import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLink, openLink } from '../support/links.ts';
import { startServiceProcess } from '../support/process.ts';
import { startService, temporaryDirectory, testClock } from '../support/service.ts';
import { respondWith, SECRET, startReceiver } from '../support/webhook-receiver.ts';

/** By when a lease of the killed service has ended. */
const LATER_MS = 61_000;

test('a service that is killed loses no event, whether or not its delivery had begun', async (t) => {
  const directory = temporaryDirectory(t);
  const [receiver, proxy] = [await startReceiver(t), await startReceiver(t)];
  receiver.respond = () => {};
  const flags = [
    ...[`--app.webhooks.secret=${SECRET}`, `--app.webhooks.url=${receiver.url}`],
    '--app.webhooks.allowed-networks=127.0.0.1',
  ];
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, http_proxy: proxy.url };
  const killed = await startServiceProcess(t, directory, { flags, env });
  const first = await createLink(killed);
  await receiver.waitFor(1); // the receiver hangs, so the delivery is under way
  const second = await createLink(killed);
  assert.equal((await openLink(killed, second)).status, 302);
  killed.signal('SIGKILL'); // at once: what was committed may still be in the outbox
  await killed.exited;
  assert.equal(proxy.received.length, 0, 'a proxy of the environment is not used');

  receiver.respond = respondWith(204);
  const clock = testClock(Date.now() + LATER_MS);
  const { dispatcher = assert.fail() } = await startService(t, { directory, clock, flags });
  await dispatcher.tick();
  await dispatcher.settled();
  const events = new Map<string, string[]>();
  for (const { body, headers } of receiver.received) {
    const { data } = JSON.parse(body);
    const types = data.events.map(({ type }: { type: string }) => type);
    events.set(String(headers['webhook-id']), [data.shortCode, ...types]);
  }
  const ofLinks = Map.groupBy([...events.values()], ([shortCode]) => shortCode);
  const typesOf = (shortCode: string) => ofLinks.get(shortCode)?.flatMap(([, ...types]) => types);
  assert.deepEqual(typesOf(first), ['link.created']);
  assert.deepEqual(typesOf(second)?.sort(), ['link.created', 'link.opened']);
});
