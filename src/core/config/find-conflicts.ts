import { MAX_OBJECT_BYTES } from '../../common/locations.ts';
import { prepareCheckReceiver } from '../rules/receiver.ts';
import { type Config, trustsPrivateRanges } from './config.ts';
import { PROPERTIES } from './properties.ts';
import type { Property } from './property.ts';

/** A problem of the first property with the others, if it is found. */
type Conflict = [isFound: boolean, properties: [Property<unknown>, ...Property<unknown>[]], problem: string];

/**
 * Returns an error for each pair of properties that cannot be used together.
 *
 * @param refused the names of properties with an error of their own, which is the only one to report
 */
export function findConflicts(config: Config, refused: ReadonlySet<string>): string[] {
  return [...conflictsOfAddresses(config), ...conflictsOfAccess(config), ...conflictsOfReceivers(config)]
    .filter(([isFound, properties]) => isFound && !properties.some(({ name }) => refused.has(name)))
    .map(([, [{ name }], problem]) => `${name}: ${problem}`);
}

function conflictsOfAddresses({ uploads, storage, server, hosts, baseUrl }: Config): Conflict[] {
  const { maxFileBytes, maxFormFileBytes, scan } = PROPERTIES.uploads;
  const { port, managementPort } = PROPERTIES.server;
  const { url } = PROPERTIES.storage;
  const tooLarge = `must be at most ${MAX_OBJECT_BYTES} bytes with ${url.name}`;
  const isTooLarge = (bytes: number) => storage.kind === 's3' && bytes > MAX_OBJECT_BYTES;
  const { hostname } = new URL(baseUrl);
  const hasPages = `must not have ${hostname}, the host of ${PROPERTIES.baseUrl.name}, which has the pages`;
  return [
    [
      uploads.scan.isRequired && !uploads.scan.command,
      [scan.isRequired, scan.command],
      `needs ${scan.command.name}, the program that scans`,
    ],
    [isTooLarge(uploads.maxFileBytes), [maxFileBytes, url], tooLarge],
    [isTooLarge(uploads.maxFormFileBytes), [maxFormFileBytes, url], tooLarge],
    [
      server.managementPort === server.port,
      [managementPort, port],
      `must differ from ${port.name} ${server.port}`,
    ],
    [hosts.has(hostname), [PROPERTIES.hosts, PROPERTIES.baseUrl], hasPages],
  ];
}

function conflictsOfAccess(config: Config): Conflict[] {
  const { provider, isEmergencyOnly } = config.signIn;
  const { issuer, clientId } = PROPERTIES.signIn.provider;
  const { userHeader } = PROPERTIES.access;
  const { trustedProxies, corsAllowedOrigins } = PROPERTIES.server;
  const isNamedByProxy = config.access.userHeader !== null;
  // By default all private addresses are trusted, and any client among them could sign in as anyone.
  const trustsAnyone = trustsPrivateRanges(config) || config.server.trustedProxies.length === 0;
  return [
    [isEmergencyOnly && !provider, [PROPERTIES.signIn.isEmergencyOnly, issuer], `needs ${issuer.name}`],
    [provider?.clientId === '', [issuer, clientId], `needs ${clientId.name}`],
    [
      isNamedByProxy && trustsAnyone,
      [userHeader, trustedProxies],
      `needs ${trustedProxies.name}, because every trusted address can name any user; set it to the address of the reverse proxy`,
    ],
    [
      isNamedByProxy && config.server.corsAllowedOrigins.includes('*'),
      [userHeader, corsAllowedOrigins],
      `cannot be used with ${corsAllowedOrigins.name} *, because the page of any site could act as a signed-in user; list the origins`,
    ],
  ];
}

/** A webhook to an address is checked here; that of a name at each delivery. */
function conflictsOfReceivers({ webhooks, mail }: Config): Conflict[] {
  const { urls, secrets } = PROPERTIES.webhooks;
  const { server, from, recipients } = PROPERTIES.mail;
  const checkReceiver = prepareCheckReceiver(webhooks.receivers);
  const isSigned = webhooks.secrets.length > 0;
  return [
    [
      webhooks.urls.length > 0 && !isSigned,
      [urls, secrets],
      `needs ${secrets.name}, which signs the messages`,
    ],
    ...webhooks.urls.map((url, index): Conflict => {
      const problem = isSigned ? checkReceiver(new URL(url)) : undefined;
      return [problem !== undefined, [urls, secrets], `entry ${index + 1} ${problem}`];
    }),
    [mail.server !== null && !mail.from, [server, from], `needs ${from.name}, the sender of the mails`],
    [
      mail.recipients.length > 0 && !mail.server,
      [recipients, server, from],
      `needs ${server.name}, the server that takes mails`,
    ],
  ];
}
