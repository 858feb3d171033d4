import { isAbsolute, normalize, sep } from 'node:path';
import type { Config } from '../../core/config/config.ts';
import { isLoopback } from '../../core/config/parsers.ts';
import type { Log } from '../../observability/log.ts';
import type { Sources } from './read-property.ts';

/** Settings that can be valid and yet unwise. `baseUrl` is null where it is not set. */
type StartSettings = Pick<Config, 'access' | 'server' | 'storage' | 'mail' | 'webhooks'> & {
  baseUrl: string | null;
};

/** Returns what the administrator should know about a valid configuration: each warning with its remedy. */
export function findWarnings(settings: StartSettings, env: Sources['env']): string[] {
  const { access, baseUrl, storage } = settings;
  const { host, port } = settings.server;
  const warnings = findUnusedReceivers(settings);
  if (!isLoopback(host)) {
    if (access.mode === 'open') {
      const interfaces = ['::', '0.0.0.0'].includes(host) ? 'all interfaces' : host;
      warnings.push(
        `Listening on ${interfaces} without authentication: anyone who can reach port ${port} can create and revoke links and read the statistics. Set app.access=keys and restart: the start then prints the address at which the first administrator sets a password. Or put the service behind a reverse proxy that lets visitors send only GET, HEAD, POST and PATCH under /l/, or set server.host to 127.0.0.1 to serve this machine only.`,
      );
    }
    if (baseUrl === null)
      warnings.push(
        `app.base-url is not set: new links start with http://localhost:${port}, which opens on this machine only. Set app.base-url (APP_BASE_URL) to the public address of the service, such as https://links.example.`,
      );
  }
  if (access.mode === 'keys' && isUnencrypted(baseUrl))
    warnings.push(
      `app.base-url ${baseUrl} is not encrypted: anyone on the network path can read API keys, link tokens and passwords. Put the service behind a reverse proxy with TLS, and set app.base-url to its https address.`,
    );
  if (storage.kind === 's3' && isUnencrypted(storage.endpoint))
    warnings.push(
      `app.storage.endpoint ${storage.endpoint} is not encrypted: anyone on the network path can read the files. Set an https address.`,
    );
  if (storage.kind === 'directory' && isTemporary(storage.path, env))
    warnings.push(
      `app.storage.path ${JSON.stringify(storage.path)} is in the system's temporary directory, where a restart or a clean-up may delete uploaded files. Set app.storage.path to a permanent directory.`,
    );
  return warnings;
}

/** Returns what is set for notifications that nothing can get. */
function findUnusedReceivers({ mail, webhooks }: Pick<StartSettings, 'mail' | 'webhooks'>): string[] {
  const { urls, events, secrets, perLink } = webhooks;
  const cases: [isUnused: boolean, text: string][] = [
    [
      mail.server === null && mail.from !== null,
      'app.mail.from is set, but app.mail.url is not: no mail is sent. Set app.mail.url (APP_MAIL_URL) to the server that takes mails, such as smtps://user:password@mail.example.com.',
    ],
    [
      urls.length > 0 && events.length === 0,
      'app.webhooks.url is set, but app.webhooks.events is none: it gets no events. Set app.webhooks.events (APP_WEBHOOKS_EVENTS) to those that it wants, or unset it for all.',
    ],
    [
      secrets.length > 0 && urls.length === 0 && perLink === 'off',
      'app.webhooks.secret is set, but nothing can get webhooks: set app.webhooks.url (APP_WEBHOOKS_URL), or app.webhooks.per-link to signed-in.',
    ],
    [
      secrets.length === 0 && perLink === 'everyone',
      'app.webhooks.per-link is everyone, but app.webhooks.secret is not set: no link can have a webhook. Set app.webhooks.secret (APP_WEBHOOKS_SECRET), which signs them.',
    ],
  ];
  return cases.filter(([isUnused]) => isUnused).map(([, text]) => text);
}

/** Returns the warning about a header that is believed because `app.trusted-proxies` is not set. */
function describeAssumedProxy(proxyAddress: string): string {
  return `app.trusted-proxies is not set: X-Forwarded-For from ${proxyAddress} is believed, as from every private address, so a client with a private address can forge its own. Set app.trusted-proxies (APP_TRUSTED_PROXIES) to ${proxyAddress} if that is your proxy, or to none if there is no proxy.`;
}

/** Returns the warning about a header that is not believed, after a limit refused a request with it. */
function describeMissingProxy(proxyAddress: string): string {
  return `X-Forwarded-For from ${proxyAddress} is not believed, because app.trusted-proxies does not contain that address, and a limit has refused a request from there. If ${proxyAddress} is your proxy, all its visitors share one limit: add ${proxyAddress} to app.trusted-proxies (APP_TRUSTED_PROXIES), which must list every proxy.`;
}

function isUnencrypted(address: string | null): boolean {
  const url = address === null ? null : new URL(address);
  return url?.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
}

/** Ignores relative paths, which depend on the working directory. */
function isTemporary(path: string, env: Sources['env']): boolean {
  const directories = ['/tmp', '/var/tmp', env['TMPDIR'], env['TEMP'], env['TMP']];
  return directories.some(
    (directory) =>
      directory !== undefined && isAbsolute(directory) && asPrefix(path).startsWith(asPrefix(directory)),
  );
}

const asPrefix = (path: string): string => normalize(path + sep);

/** Returns what writes a warning at the first proxy that is trusted without being named, and at the first that is not trusted. */
export const prepareProxyWarnings = (log: Log, trustsPrivateRanges: boolean) => ({
  onForwardedAddress: prepareProxyWarning(log, trustsPrivateRanges, describeAssumedProxy),
  onDisbelievedAddress: prepareProxyWarning(log, true, describeMissingProxy),
});

/** Returns a function that warns of the first proxy it is called with. */
function prepareProxyWarning(log: Log, isNeeded: boolean, describe: (proxyAddress: string) => string) {
  let warns = isNeeded;
  return (proxyAddress: string | null): void => {
    if (!warns || proxyAddress === null) return;
    warns = false;
    log.write('warn', 'service_warning', { warning: describe(proxyAddress) });
  };
}
