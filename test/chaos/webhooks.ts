import { isPreviewResult } from '../../src/core/model/verdict.ts';
import type { Cleanup } from '../support/cleanup.ts';
import { type ReceivedWebhook, respondWith, SECRET, startReceiver } from '../support/webhook-receiver.ts';
import type { Finding } from './finding.ts';
import type { StoredState } from './stored-state.ts';

/** A receiver of webhooks whose first response to some messages is an error, so that these are sent again. */
export type Webhooks = {
  url: string;
  flags: string[];
  received: readonly ReceivedWebhook[];
  /** Accepts every message from now on. */
  acceptAll(): void;
};

/** Every so many messages fail at first. */
const FAILS_EVERY = 10;

export async function startWebhooks(cleanup: Cleanup): Promise<Webhooks> {
  const receiver = await startReceiver(cleanup);
  const seen = new Set<string>();
  let failsSome = true;
  receiver.respond = (response, webhook) => {
    const isNew = !seen.has(idOf(webhook));
    seen.add(idOf(webhook));
    respondWith(failsSome && isNew && seen.size % FAILS_EVERY === 0 ? 503 : 204)(response, webhook);
  };
  return {
    url: receiver.url,
    flags: [
      ...[`--app.webhooks.secret=${SECRET}`, '--app.webhooks.per-link=everyone'],
      '--app.webhooks.allowed-networks=127.0.0.1',
    ],
    received: receiver.received,
    acceptAll() {
      failsSome = false;
    },
  };
}

const idOf = ({ headers }: ReceivedWebhook): string => String(headers['webhook-id']);

/** An event of a link: its type, and the id of its record. */
type Event = { shortCode: string; event: string };
type Message = { shortCode: string; eventCount: number; events: { type: string; id?: string }[] };

const dataOf = ({ body }: ReceivedWebhook): Message => JSON.parse(body).data;
const toEvent = (type: string, id: string): string => `${type} ${id.replaceAll('-', '')}`;

/** Returns the events that a message lists, except those that share a record with another. */
const eventsOf = (webhook: ReceivedWebhook): string[] =>
  dataOf(webhook).events.flatMap(({ type, id }) =>
    id === undefined || type === 'link.exhausted' ? [] : toEvent(type, id),
  );

const CHANGE_TYPES: Record<string, string> = { CREATED: 'created', CHANGED: 'changed', REVOKED: 'revoked' };

/** Returns the events that receivers of links must get. */
function expectedEvents({ links, audit, changes }: StoredState): Event[] {
  const notified = new Set(links.filter(({ notifyUrl }) => notifyUrl !== null).map((link) => link.shortCode));
  const attempts = audit
    .filter(({ result }) => !isPreviewResult(result))
    .map(({ shortCode, id, result }) => {
      const type = result === 'SUCCESS' ? 'opened' : 'refused';
      return { shortCode, event: toEvent(`link.${type}`, id) };
    });
  const others = changes.map(({ shortCode, id, kind }) => {
    return { shortCode, event: toEvent(`link.${CHANGE_TYPES[kind]}`, id) };
  });
  return [...attempts, ...others].filter(({ shortCode }) => notified.has(shortCode));
}

/** Returns the events that have not arrived yet. A message counts more events than it lists if it waited long. */
export function findMissingEvents(received: readonly ReceivedWebhook[], state: StoredState): string[] {
  const arrived = new Set(received.flatMap(eventsOf));
  const unlisted = new Map<string, number>();
  for (const webhook of new Map(received.map((each) => [idOf(each), each])).values()) {
    const { shortCode, eventCount, events } = dataOf(webhook);
    unlisted.set(shortCode, (unlisted.get(shortCode) ?? 0) + eventCount - events.length);
  }
  const missing = Map.groupBy(
    expectedEvents(state).filter(({ event }) => !arrived.has(event)),
    ({ shortCode }) => shortCode,
  );
  return [...missing].flatMap(([shortCode, ofLink]) =>
    ofLink.slice(unlisted.get(shortCode) ?? 0).map(({ event }) => event),
  );
}

/**
 * Checks the messages that arrived: each is the same at each try, no event is in two, and each is of a record, unless a
 * fault has taken records away.
 */
export function checkWebhooks(
  received: readonly ReceivedWebhook[],
  state: StoredState,
  { mayLackRecords }: { mayLackRecords: boolean },
): Finding[] {
  const findings: string[] = [];
  const messageOf = new Map<string, string>();
  for (const [id, tries] of Map.groupBy(received, idOf)) {
    if (new Set(tries.map(({ path, body }) => `${path} ${body}`)).size > 1)
      findings.push(`The message ${id} was another one when it was sent again`);
    for (const event of tries.slice(0, 1).flatMap(eventsOf)) {
      const other = messageOf.get(event);
      if (other !== undefined && !mayLackRecords)
        findings.push(`${event} is in the messages ${other} and ${id}`);
      messageOf.set(event, id);
    }
  }
  const expected = new Set(expectedEvents(state).map(({ event }) => event));
  const strange = [...messageOf.keys()].filter((event) => !expected.has(event));
  if (!mayLackRecords) findings.push(...strange.map((event) => `${event} arrived and has no record`));
  return findings.map((text) => ({ isLoss: false, text }));
}
