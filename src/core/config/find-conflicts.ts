import { MAX_OBJECT_BYTES } from '../../common/locations.ts';
import { prepareCheckReceiver } from '../rules/receiver.ts';
import { type Config, trustsPrivateRanges } from './config.ts';
import { PROPERTIES } from './properties.ts';

/**
 * Returns an error for each pair of properties that cannot be used together.
 *
 * @param refused the names of properties with an error of their own, which is the only one to report
 */
export function findConflicts(config: Config, refused: ReadonlySet<string>): string[] {
  return [
    ...findUploadConflicts(config),
    ...findAddressConflicts(config),
    ...findSignInConflicts(config),
    ...(refused.has(PROPERTIES.webhooks.secrets.name) ? [] : findWebhookConflicts(config)),
    ...([PROPERTIES.mail.server, PROPERTIES.mail.from].some(({ name }) => refused.has(name))
      ? []
      : findMailConflicts(config)),
    ...findUserHeaderConflicts(config),
  ];
}

function findUploadConflicts({ storage, uploads }: Config): string[] {
  if (storage.kind !== 's3') return [];
  return (['maxFileBytes', 'maxFormFileBytes'] as const)
    .filter((limit) => uploads[limit] > MAX_OBJECT_BYTES)
    .map((limit) => {
      const { name } = PROPERTIES.uploads[limit];
      return `${name}: must be at most ${MAX_OBJECT_BYTES} bytes with ${PROPERTIES.storage.url.name}`;
    });
}

function findAddressConflicts({ server, baseUrl, hosts }: Config): string[] {
  const { port, managementPort } = PROPERTIES.server;
  const errors: string[] = [];
  if (server.managementPort === server.port)
    errors.push(`${managementPort.name}: must differ from ${port.name} ${server.port}`);
  const { hostname } = new URL(baseUrl);
  if (hosts.has(hostname))
    errors.push(
      `${PROPERTIES.hosts.name}: must not have ${hostname}, the host of ${PROPERTIES.baseUrl.name}, which has the pages`,
    );
  return errors;
}

function findSignInConflicts({ signIn: { provider, isEmergencyOnly } }: Config): string[] {
  const { issuer, clientId } = PROPERTIES.signIn.provider;
  const errors: string[] = [];
  if (isEmergencyOnly && !provider)
    errors.push(`${PROPERTIES.signIn.isEmergencyOnly.name}: needs ${issuer.name}`);
  if (provider?.clientId === '') errors.push(`${issuer.name}: needs ${clientId.name}`);
  return errors;
}

/** A webhook to an address is checked here; that of a name at each delivery. */
function findWebhookConflicts({ webhooks: { urls, secrets, receivers } }: Config): string[] {
  const { webhooks } = PROPERTIES;
  if (urls.length === 0) return [];
  if (secrets.length === 0)
    return [`${webhooks.urls.name}: needs ${webhooks.secrets.name}, which signs the messages`];
  const checkReceiver = prepareCheckReceiver(receivers);
  return urls.flatMap((url, index) => {
    const problem = checkReceiver(new URL(url));
    return problem === undefined ? [] : [`${webhooks.urls.name}: entry ${index + 1} ${problem}`];
  });
}

function findMailConflicts({ mail: { server, from, recipients } }: Config): string[] {
  const { mail } = PROPERTIES;
  if (server && !from) return [`${mail.server.name}: needs ${mail.from.name}, the sender of the mails`];
  return recipients.length > 0 && !server
    ? [`${mail.recipients.name}: needs ${mail.server.name}, the server that takes mails`]
    : [];
}

function findUserHeaderConflicts(config: Config): string[] {
  const { userHeader } = PROPERTIES.access;
  const { trustedProxies, corsAllowedOrigins } = PROPERTIES.server;
  if (config.access.userHeader === null) return [];
  const errors: string[] = [];
  // By default all private addresses are trusted, and any client among them could sign in as anyone.
  if (trustsPrivateRanges(config) || config.server.trustedProxies.length === 0)
    errors.push(
      `${userHeader.name}: needs ${trustedProxies.name}, because every trusted address can name any user; set it to the address of the reverse proxy`,
    );
  if (config.server.corsAllowedOrigins.includes('*'))
    errors.push(
      `${userHeader.name}: cannot be used with ${corsAllowedOrigins.name} *, because the page of any site could act as a signed-in user; list the origins`,
    );
  return errors;
}
