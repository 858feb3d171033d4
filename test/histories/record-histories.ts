import type { Agent } from 'node:http';
import type { RandomInt } from '../../src/core/model/short-code.ts';
import { startClients } from '../drive/clients.ts';
import { resultOf } from '../support/audit-consistency.ts';
import {
  json,
  member,
  type RequestOptions,
  type Server,
  send,
  sendJson,
  type TestResponse,
} from '../support/http-client.ts';
import { shortCodeOf, TARGET } from '../support/links.ts';
import { pick } from '../support/random.ts';
import type { Operation } from './linearize.ts';
import { type ChangeInput, type LinkInput, showDescription } from './link-model.ts';

/** Everything that clients did to one link, the creation first. */
export type LinkHistory = {
  shortCode: string;
  token: string;
  isProtected: boolean;
  operations: Operation<LinkInput>[];
};

/** Clients that send operations without pause, and note what they observe. */
export type Recording = {
  /** The operations that got a status of 500 or more, each as its kind and its status. */
  errors: readonly string[];
  /** The outputs that clients have observed so far, each once. */
  outputs: ReadonlySet<string>;
  /** Resolves once so many further operations are complete, or the clients have stopped. */
  waitForOperations(count: number): Promise<void>;
  /** Stops the clients, describes every link once more, and returns all histories. */
  stop(): Promise<LinkHistory[]>;
};

type Options = {
  /** Returns the instances that run, once there is one. A client chooses one for each operation. */
  instances(): Promise<readonly Server[]>;
  randomInt: RandomInt;
};

/** How many clients send operations at once. */
export const CLIENTS = 8;
/** Few, so that clients meet on each link. */
const LINKS_AT_ONCE = 3;
/** Bounds the search of the checker. The next link takes the place of one that is done. */
const OPERATIONS_PER_LINK = 50;
const MAX_VIEWS = 12;
/** Those of links. Changes replace one by the other. */
const PASSWORDS = ['open sesame', 'close sesame'] as const;
const WRONG_PASSWORD = 'a wrong guess';
/** After every run. */
const LATER = '2099-01-01T00:00:00Z';

type SentInput = Exclude<LinkInput, { kind: 'create' }>;
const SENT_PASSWORDS = [PASSWORDS[0], ...PASSWORDS, WRONG_PASSWORD, null] as const;

type Slot = { link: Promise<LinkHistory> | undefined };

export function recordHistories({ instances, randomInt }: Options): Recording {
  const histories: LinkHistory[] = [];
  const errors: string[] = [];
  const outputs = new Set<string>();
  const slots: Slot[] = Array.from({ length: LINKS_AT_ONCE }, () => ({ link: undefined }));

  async function createLink(): Promise<LinkHistory> {
    const maxViews = randomInt(4) === 0 ? null : 1 + randomInt(MAX_VIEWS);
    const isProtected = randomInt(4) === 0;
    const password = isProtected ? PASSWORDS[0] : null;
    const members = { targetUrl: TARGET, maxViews, password };
    const invokedAt = performance.now();
    const response = await sendJson(pick(randomInt, await instances()), '/api/links', members);
    if (response.status >= 500) errors.push(`create ${response.status}`);
    const input = { kind: 'create', maxViews, password } as const;
    const created = { input, invokedAt, completedAt: performance.now(), output: 'created' };
    const token = String(response.headers['x-link-token']);
    const history = { shortCode: shortCodeOf(response), token, isProtected, operations: [created] };
    histories.push(history);
    return history;
  }

  async function sendTo(link: LinkHistory, input: SentInput, agent?: Agent): Promise<void> {
    const { status, output } = await operate(link, input, pick(randomInt, await instances()), agent);
    if (output !== undefined) outputs.add(output);
    if (status !== undefined && status >= 500) errors.push(`${input.kind} ${status}`);
  }

  async function act(agent: Agent): Promise<void> {
    const slot = pick(randomInt, slots);
    slot.link ??= createLink();
    const awaited = slot.link;
    const link = await awaited.catch(() => undefined); // the instance may end meanwhile
    if (!link || link.operations.length >= OPERATIONS_PER_LINK) {
      if (slot.link === awaited) slot.link = undefined;
      return;
    }
    await sendTo(link, chooseInput(link, randomInt), agent);
    clients.advance();
  }

  const clients = startClients(CLIENTS, act);
  return {
    errors,
    outputs,
    waitForOperations: clients.waitFor,
    async stop() {
      await clients.stop();
      for (const link of histories) await sendTo(link, { kind: 'describe' });
      return histories;
    },
  };
}

/** Sends an operation and adds it to the history of its link. Without an output its outcome is unknown. */
async function operate(
  { shortCode, token, operations }: LinkHistory,
  input: SentInput,
  server: Server,
  agent: Agent | undefined,
): Promise<{ status?: number | undefined; output?: string | undefined }> {
  const invokedAt = performance.now();
  const index = operations.push({ input, invokedAt, completedAt: null }) - 1;
  const { path, ...options } = toRequest({ shortCode, token }, input);
  const response = await send(server, path, { ...options, ...(agent && { agent }) }).catch(() => undefined);
  const output = response && outputOf(input, response);
  if (output !== undefined) operations[index] = { input, invokedAt, completedAt: performance.now(), output };
  return { status: response?.status, output };
}

function chooseInput({ isProtected }: LinkHistory, randomInt: RandomInt): SentInput {
  const password = isProtected ? pick(randomInt, SENT_PASSWORDS) : null;
  const luck = randomInt(100);
  if (luck < 55) return { kind: 'open', password };
  if (luck < 67) return { kind: 'HEAD', password };
  if (luck < 80) return { kind: 'change', patch: chooseChange(isProtected, randomInt) };
  return { kind: luck < 97 ? 'describe' : 'revoke' };
}

/** Passwords are changed only of a share of the links, because each check of one takes long. */
function chooseChange(isProtected: boolean, randomInt: RandomInt): ChangeInput {
  const luck = randomInt(10);
  if (luck < 2) return { paused: randomInt(3) === 0 };
  if (luck < 4) return { startsAt: randomInt(3) === 0 ? LATER : null };
  if (luck < 7 && isProtected) return { password: pick(randomInt, [...PASSWORDS, null]) };
  return { maxViews: randomInt(8) === 0 ? null : 1 + randomInt(MAX_VIEWS) };
}

function toRequest(
  { shortCode, token }: Pick<LinkHistory, 'shortCode' | 'token'>,
  input: SentInput,
): RequestOptions & { path: string } {
  const path = `/l/${shortCode}`;
  switch (input.kind) {
    case 'open':
      return { path, headers: passwordHeader(input.password) };
    case 'HEAD':
      return { path, method: 'HEAD', headers: passwordHeader(input.password) };
    case 'revoke':
      return { path, method: 'DELETE' };
    case 'change':
      return {
        path: `/api/links/${shortCode}`,
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'x-link-token': token },
        body: JSON.stringify(input.patch),
      };
    case 'describe':
      return { path: `/api/links/${shortCode}` };
  }
}

function passwordHeader(password: string | null): Record<string, string> {
  return password === null ? {} : { 'x-link-password': password };
}

/** Returns what the model calls a response; undefined for an error of the service, after which nothing is certain. */
function outputOf({ kind }: SentInput, response: TestResponse): string | undefined {
  const { status } = response;
  if (status >= 500) return undefined;
  if (kind === 'HEAD') return `HEAD ${status}`;
  if (kind === 'revoke' && status === 204) return 'revoked';
  if (kind === 'change' && status === 409) return 'revoked';
  if ((kind === 'describe' || kind === 'change') && status === 200) {
    const description = json(response);
    const shownStatus = String(member(description, 'status'));
    return showDescription({ status: shownStatus, viewCount: Number(member(description, 'viewCount')) });
  }
  return resultOf(response) ?? `${status} ${response.text}`;
}
