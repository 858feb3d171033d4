import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { RandomInt } from '../../src/core/model/short-code.ts';
import { startClients as startActing } from '../drive/clients.ts';
import { type Server, send, type TestResponse } from '../support/http-client.ts';
import {
  type KnownLink,
  normalStatuses,
  type Planned,
  planRandom,
  readCreations,
  showsTarget,
} from './requests.ts';

/** The way in which a request got no response: no connection, a connection that broke, or only silence. */
export type NoResponse = 'refused' | 'broken' | 'timeout' | 'left';

/** The end of a request. `message` is the beginning of an error record. */
export type Outcome = { at: number } & ({ status: number; message: string } | { error: NoResponse });

/** A request that was sent. Without an outcome it is in flight. Times are those of `performance.now`. */
export type Entry = Pick<Planned, 'kind' | 'agent' | 'shortCode' | 'creates' | 'isKeyed'> & {
  /** The link of an attempt, if its creation was acknowledged before. */
  link?: KnownLink;
  sentAt: number;
  outcome?: Outcome;
};

/** Everything that clients sent and saw, and what was acknowledged to them. */
export type History = {
  entries: Entry[];
  /** Every acknowledged link by its short code. */
  links: Map<string, KnownLink>;
  /** The times at which revocations were acknowledged. */
  revokedAt: Map<string, number>;
  /** Responses that are wrong in any case, such as a file with other bytes. */
  wrong: string[];
};

/** Clients that send random requests without pause, each on one connection that it opens again when it breaks. */
export type Clients = {
  history: History;
  /** Sends one request besides those of the clients. */
  sendOne(planned: Planned, agent?: Agent): Promise<TestResponse | undefined>;
  /** Sends a request that creates a link, and returns the link. */
  create(planned: Planned): Promise<KnownLink>;
  /** Returns a user agent that no other request has. */
  nextAgent(): string;
  /** Enters a request that the caller sends itself. */
  enter(planned: Planned): Entry;
  /** Forgets what was acknowledged between two times, because a fault took it away. */
  forget(from: number, until: number): void;
  /** Resolves once this many further requests have ended with a response. */
  waitForResponses(count: number): Promise<void>;
  /** Stops sending. Resolves when no request is in flight. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
};

/** A client that was refused tries again after this time. */
const RETRY_MS = 20;
/** Between requests, so that a run of a minute has an audit that can be recounted quickly. */
const THINK_MS = 2;
const MAX_MESSAGE = 300;
/** A repeat is of one of the last requests with an Idempotency-Key. */
const MAX_KEYED = 20;

/**
 * Prepares clients, which send once `resume` is called.
 *
 * @param service its `url` may change when it is started again
 * @param options.receiver the URL of a receiver of webhooks
 */
export function startClients(
  service: Server,
  { count, random, receiver }: { count: number; random: RandomInt; receiver: string },
): Clients {
  const history: History = { entries: [], links: new Map(), revokedAt: new Map(), wrong: [] };
  let links: KnownLink[] = [];
  const keyed: Planned[] = [];
  let inFlight = 0;
  let numbers = 0;

  const nextAgent = (): string => `chaos ${numbers++}`;

  function enter(planned: Planned): Entry {
    const { kind, agent, shortCode, creates, isKeyed } = planned;
    const link = history.links.get(shortCode ?? '');
    const known = { ...(creates && { creates }), ...(isKeyed && { isKeyed }), ...(link && { link }) };
    if (isKeyed) keyed.splice(0, keyed.length - MAX_KEYED + 1);
    if (isKeyed) keyed.push(planned);
    const entry: Entry = { kind, agent, shortCode, ...known, sentAt: performance.now() };
    history.entries.push(entry);
    return entry;
  }

  async function sendOne(planned: Planned, agent?: Agent): Promise<TestResponse | undefined> {
    const { method, headers, body } = planned;
    const entry = enter(planned);
    inFlight += 1;
    try {
      const options = { method, headers, ...(body !== undefined && { body }), ...(agent && { agent }) };
      const response = await send(service, planned.path, options);
      note(planned, entry, response);
      return response;
    } catch (error) {
      entry.outcome = { at: performance.now(), error: classify(error) };
      return undefined;
    } finally {
      inFlight -= 1;
    }
  }

  function note(planned: Planned, entry: Entry, response: TestResponse): void {
    const at = performance.now();
    const created = readCreations(planned, response);
    const message = created.status < 400 ? '' : response.text.slice(0, MAX_MESSAGE);
    entry.outcome = { at, status: created.status, message };
    for (const each of created.links) {
      if (history.links.has(each.shortCode)) continue; // a repeated request
      history.links.set(each.shortCode, each);
      if (!planned.isPrivate) links.push(each);
    }
    if (planned.kind === 'revoke' && response.status === 204 && planned.shortCode)
      history.revokedAt.set(planned.shortCode, Math.min(at, history.revokedAt.get(planned.shortCode) ?? at));
    const link = history.links.get(planned.shortCode ?? '');
    if (
      link &&
      planned.method === 'GET' &&
      [200, 302].includes(response.status) &&
      !showsTarget(link, response)
    )
      history.wrong.push(`${planned.agent} got another target than that of ${link.shortCode}`);
    acting.advance();
  }

  const act = async (agent: Agent): Promise<void> => {
    const response = await sendOne(planRandom(random, { links, keyed, receiver }, nextAgent()), agent);
    await pause(response ? THINK_MS : RETRY_MS);
  };
  const acting = startActing(count, act, { isPaused: true });
  return {
    history,
    sendOne,
    nextAgent,
    enter,
    async create(planned) {
      const response = await sendOne(planned);
      const [created] = response ? readCreations(planned, response).links : [];
      if (!created) throw new Error(`${planned.agent} could not create a link`);
      return created;
    },
    forget(from, until) {
      const isKept = (at: number) => at < from || at > until;
      keyed.length = 0;
      links = links.filter(({ acknowledgedAt }) => isKept(acknowledgedAt));
      history.links = new Map([...history.links].filter(([, link]) => isKept(link.acknowledgedAt)));
      history.revokedAt = new Map([...history.revokedAt].filter(([, at]) => isKept(at)));
    },
    waitForResponses: acting.waitFor,
    async pause() {
      await acting.pause();
      while (inFlight > 0) await pause(THINK_MS);
    },
    resume: acting.resume,
    stop: acting.stop,
  };
}

/** Returns the text by which an outcome is counted: its status, or why there was no response. */
export function labelOf(outcome: Outcome | undefined): string {
  if (!outcome) return 'nothing';
  return 'status' in outcome ? String(outcome.status) : outcome.error;
}

/** Returns whether a request got a response that it may also get while nothing is wrong. */
export function isNormal({ outcome, ...entry }: Entry): boolean {
  return outcome !== undefined && 'status' in outcome && normalStatuses(entry).includes(outcome.status);
}

function classify(error: unknown): NoResponse {
  const text = String(error);
  if (text.includes('No response to')) return 'timeout';
  return text.includes('ECONNREFUSED') ? 'refused' : 'broken';
}
