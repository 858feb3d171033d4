import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import { codeOf, messageOf } from '../../common/error-details.ts';
import type { Config } from '../../core/config/config.ts';
import { isLoopback } from '../../core/config/parsers.ts';
import { createLinkAddresses } from '../../http/path.ts';
import { readDatabase } from '../../service/open-stores.ts';

const TIMEOUT_MS = 15_000;
/** An address of a documentation network (RFC 5737), which no client has. */
const FORGED_ADDRESS = '192.0.2.77';

/** Sends a request, and returns its response. */
function get(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const client = url.startsWith('https:') ? https : http;
  const options = { headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) };
  return new Promise((resolve, reject) => {
    client.get(url, options, resolve).on('error', reject);
  });
}

/** Checks that the service runs, and what the proxies between it and the public do to requests. */
export async function checkService(config: Config, report: Report): Promise<void> {
  const { host: listens, port } = config.server;
  const host = ['::', '0.0.0.0'].includes(listens) ? 'localhost' : listens;
  const own = `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const found = await get(`${own}/actuator/health/liveness`).catch(describe);
  if (typeof found === 'string')
    return report.error(`nothing responds at ${own} (${found}); start the service, and run this again`);
  const { statusCode } = found.resume();
  if (statusCode === 200) report.ok(`it is alive at ${own}`);
  else report.error(`${own}/actuator/health/liveness responds with HTTP ${statusCode}; see its log`);
  await checkBaseUrl(config, report);
}

const describe = (error: unknown): string => {
  const { cause = error } = error instanceof Error ? error : {};
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return `no response within ${TIMEOUT_MS / 1_000} s`;
  return String(codeOf(cause) ?? messageOf(cause));
};

/** Checks the addresses of links under every host name. */
async function checkBaseUrl(config: Config, report: Report): Promise<void> {
  const base = await requestUnknownCode(config);
  if (typeof base === 'string') report.error(`app.base-url ${config.baseUrl} ${base}`);
  else reportAddress(base.recorded, base.own, report);
  for (const [host] of config.hosts) {
    const found = await requestUnknownCode(config, host);
    if (typeof found === 'string') report.error(`app.hosts: ${host} ${found}`);
    else report.ok(`links open under ${host}`);
  }
}

/**
 * Requests a code that no link has, with a forged address, and looks for it in the audit. Returns the address that the
 * audit has, and that of this machine; or what is wrong. An endpoint that returns the address of its client would need a
 * key, or show the network behind the proxy to anyone.
 */
async function requestUnknownCode(config: Config, host?: string) {
  const shortCode = `doctor-${randomUUID().slice(0, 8)}`;
  const url = createLinkAddresses(config).urlOf({ shortCode, terms: { host: host ?? null } });
  const newest = (await readValue(config, SELECT_NEWEST)) ?? 0;
  const found = await get(url, { 'x-forwarded-for': FORGED_ADDRESS }).catch(describe);
  if (typeof found === 'string')
    return `cannot be reached (${found}); check its name, its certificate and the proxy`;
  const own = (found.socket.localAddress ?? '').replace(/^::ffff:/, '');
  const body = await text(found);
  if (found.statusCode !== 404 || !body.includes('"NOT_FOUND"'))
    return `responds with HTTP ${found.statusCode}, and not as Postern does; let the proxy pass ${config.shortPath} on to the service`;
  const SELECT = 'SELECT ip_address AS value FROM entry WHERE seq > $1 AND short_code = $2';
  const recorded = await readValue(config, SELECT, [newest, shortCode]);
  return recorded === undefined
    ? 'leads to another service: this store has no record of the request; correct the address, or app.database.url'
    : { recorded, own };
}

const ON_THIS_MACHINE =
  ', which a proxy on this machine may have as well: compare the address of another visitor in the audit';

/** Compares the address that the service recorded with that of this machine. */
function reportAddress(recorded: string | number | null, own: string, report: Report): void {
  if (recorded === FORGED_ADDRESS)
    report.warning(
      'a client can choose its address: X-Forwarded-For of this request was believed; let the proxy replace that header, and set app.trusted-proxies to the address of the proxy, or to none',
    );
  else if (recorded === own)
    report.ok(
      `app.base-url leads here, and the service sees the client as ${own}${isLoopback(own) ? ON_THIS_MACHINE : ''}`,
    );
  else
    report.warning(
      `app.base-url leads here, but the service sees the client as ${recorded}, while this machine connected from ${own}: behind NAT that is right; if it is a proxy, add it to app.trusted-proxies, and let it send X-Forwarded-For`,
    );
}

/** Reports verdicts of a check. The message of a warning or an error ends with the remedy. */
export type Report = Record<'ok' | 'warning' | 'error', (message: string) => void>;

export const SELECT_NEWEST = 'SELECT max(seq) AS value FROM entry';

/** Returns the column `value` of the first row. */
export async function readValue(
  config: Config,
  statement: string,
  values: (string | number)[] = [],
): Promise<string | number | null | undefined> {
  const rows = await readDatabase(config, ({ query }) =>
    query<{ value: string | number | null }>(statement, values),
  );
  return rows[0]?.value;
}
