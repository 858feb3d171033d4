import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request, STATUS_CODES } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { codesOf } from '../../src/http/errors.ts';
import { recordSecrets } from './log-secrets.ts';

/** The server that a request is sent to. */
export type Server = { url: string };

/** A complete response. */
export type TestResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string };

/** A request. A body that is a list is sent in chunks, without a `Content-Length`. */
export type RequestOptions = {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer | Buffer[];
  /** Keeps its connection. By default each request has its own. */
  agent?: Agent;
  /** Reads the body of the response, by default as fast as it comes. */
  read?: (incoming: AsyncIterable<Buffer>) => Promise<Buffer>;
};

/** A test fails when a response or a condition takes longer. */
const TIMEOUT_MS = 60_000;
const CHECK_EACH_MS = 3;

/** Sends the path unchanged, follows no redirect, and adds no header but `Host` and the length. */
export function send(server: Server, path: string, options: RequestOptions = {}): Promise<TestResponse> {
  const { method = 'GET', body, read = buffer } = options;
  const length = typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.byteLength(body) : undefined;
  const headers = { ...(length !== undefined && { 'content-length': length }), ...options.headers };
  for (const [name, value] of Object.entries(headers)) recordSecrets(`${name}: ${value}`);
  for (const part of Array.isArray(body) ? body : [body ?? ''])
    recordSecrets(typeof part === 'string' ? Buffer.from(part) : part);
  const { hostname, port } = new URL(server.url);
  // The default requests keep-alive as clients do, but closes after the response: no test waits for it.
  const agent = options.agent ?? new Agent({ keepAlive: true });
  return new Promise<TestResponse>((resolve, reject) => {
    const outgoing = request(
      { agent, hostname, port, path, method, headers, timeout: TIMEOUT_MS },
      async (incoming) => {
        const received = await read(incoming).catch(reject);
        if (!received) return;
        const { statusCode = 0, headers } = incoming;
        resolve(toResponse(statusCode, headers, received));
      },
    );
    outgoing.on('error', reject);
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`No response to ${method} ${path.slice(0, 80)}`)),
    );
    for (const chunk of Array.isArray(body) ? body : []) outgoing.write(chunk);
    outgoing.end(Array.isArray(body) ? undefined : body);
  }).finally(() => {
    if (!options.agent) agent.destroy();
  });
}

/** Returns a response whose text is decoded when it is read: some bodies are large. */
function toResponse(status: number, headers: IncomingHttpHeaders, body: Buffer): TestResponse {
  return {
    status,
    headers,
    body,
    get text() {
      return body.toString('utf8');
    },
  };
}

/** Sends a value as JSON, by POST unless the options name another method. */
export function sendJson(
  server: Server,
  path: string,
  value: unknown,
  { headers, ...options }: Omit<RequestOptions, 'body'> = {},
): Promise<TestResponse> {
  return send(server, path, {
    method: 'POST',
    ...options,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  });
}

/** Returns a header value that Node sends as these bytes, one for each character. */
export function headerBytes(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  return Buffer.from(text, encoding).toString('latin1');
}

export function json(response: TestResponse): unknown {
  return JSON.parse(response.text);
}

/** Returns the named member of a JSON object, or undefined. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

const ISO_WITH_OFFSET = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Asserts an exact error record: JSON with its fields, a code of its status and the standard reason phrase. */
export function assertErrorRecord(
  response: TestResponse,
  expected: { status: number; message: string | RegExp; path: string },
): void {
  assert.equal(response.status, expected.status, response.text);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  const record = json(response);
  const message = String(member(record, 'message'));
  const timestamp = String(member(record, 'timestamp'));
  const [, field] = /^([\w-]+): /.exec(message) ?? [];
  const code = codesOf(expected.status).find((known) => known === member(record, 'code'));
  assert.ok(code, `${response.text} has a code of its status`);
  const params = member(record, 'params');
  assert.deepEqual(record, {
    timestamp,
    status: expected.status,
    error: STATUS_CODES[expected.status],
    message,
    path: expected.path,
    code,
    ...(field !== undefined && field !== 'request' && { field }),
    ...(params !== undefined && { params }),
  });
  assert.match(timestamp, ISO_WITH_OFFSET);
  if (typeof expected.message === 'string') assert.equal(message, expected.message);
  else assert.match(message, expected.message);
}

/** Opens a connection for requests that HTTP clients do not make. */
export function openSocket(server: Server): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', reject);
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error('The server neither responds nor closes the connection')),
    );
  });
}

/** Writes bytes to a new connection, and returns the response once the server has closed it. */
export async function exchange(server: Server, bytes: string | Buffer): Promise<TestResponse> {
  recordSecrets(bytes);
  const socket = await openSocket(server);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  return readResponse(socket);
}

/** Reads one response to the end of the connection. */
export async function readResponse(socket: Socket): Promise<TestResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return parseResponse(Buffer.concat(chunks));
}

function parseResponse(bytes: Buffer): TestResponse {
  const endOfHead = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, endOfHead).toString('latin1').split('\r\n');
  const headers: IncomingHttpHeaders = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const body = bytes.subarray(endOfHead + 4);
  return toResponse(Number(statusLine.split(' ')[1]), headers, body);
}

/** Resolves once `condition` holds. The pauses between its checks leave the processor to what it waits for. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting until ${String(condition)}`);
    await pause(CHECK_EACH_MS);
  }
}
