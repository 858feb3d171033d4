import { BlockList, isIP } from 'node:net';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { VISIT_TERMS } from '../model/terms.ts';
import { isHttpUrl } from './target-url.ts';

/**
 * The administrator's rules for the receivers of webhooks. Public addresses need https and one of `ports`. Addresses of
 * `allowedNetworks` may be private, and need neither.
 */
export type ReceiverPolicy = Readonly<{
  /** IP addresses and CIDRs. */
  allowedNetworks: readonly string[];
  ports: readonly number[];
}>;

/** Special-purpose IPv4 addresses (IANA registry; RFC 6890), multicast and class E. */
const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** Every public IPv6 address is one of these. What embeds an IPv4 address is not (NAT64, mapped), or is excluded (6to4). */
const GLOBAL_IPV6 = toBlockList(['2000::/3']);
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
const SPECIAL = toBlockList([...SPECIAL_IPV4, ...SPECIAL_IPV6]);

/** Prepares the check of one resolved address of a URL. It returns why the service may not connect to it, if so. */
export function prepareCheckAddress({ allowedNetworks, ports }: ReceiverPolicy) {
  const allowed = toBlockList(allowedNetworks);
  return (address: string, url: URL): string | undefined => {
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (isIP(address) !== 0 && allowed.check(address, family)) return undefined;
    return isPublic(address)
      ? checkPublic(url, ports)
      : 'leads to an address that is not public; app.webhooks.allowed-networks can allow it';
  };
}

/** Returns why the service may not send to a URL at a public address, if so. */
function checkPublic({ protocol, port }: URL, ports: readonly number[]): string | undefined {
  if (protocol !== 'https:') return 'must begin with https://';
  return ports.includes(port === '' ? 443 : Number(port))
    ? undefined
    : `must use one of the ports of app.webhooks.ports: ${ports.join(', ')}`;
}

function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !SPECIAL.check(address, 'ipv4');
    case 6:
      return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6');
    default:
      return false;
  }
}

/**
 * Prepares the check of a receiver's URL without a lookup of its name. It returns what is wrong with the URL, as the end
 * of a sentence.
 */
export function prepareCheckReceiver(policy: ReceiverPolicy) {
  const { allowedNetworks, ports } = policy;
  const checkAddress = prepareCheckAddress(policy);
  return (url: URL): string | undefined => {
    if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
    const address = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) !== 0) return checkAddress(address, url);
    // Only the address of a name shows whether it is in an allowed network.
    return allowedNetworks.length > 0 ? undefined : checkPublic(url, ports);
  };
}

function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** The clients that may name a webhook for a link. UNAVAILABLE: this service sends none. SIGNED_IN: the client of this request may not. */
export type NotifyPolicy = Readonly<{
  refusal: 'UNAVAILABLE' | 'SIGNED_IN' | null;
  receivers: ReceiverPolicy;
}>;

const NONE: NotifyPolicy = { refusal: 'UNAVAILABLE', receivers: { allowedNetworks: [], ports: [] } };

const FIELD = 'notifyUrl';
const { maxLength: MAX_CHARACTERS } = VISIT_TERMS.notifyUrl;

const REFUSALS = {
  UNAVAILABLE: [
    'NOTIFY_URL_UNAVAILABLE',
    'is not available, because links of this service have no webhooks; the administrator sets app.webhooks.secret and app.webhooks.per-link',
  ],
  SIGNED_IN: ['NOTIFY_URL_NEEDS_SIGN_IN', 'needs an API key with the scope create, or a signed-in user'],
} as const;

/** Reads the URL to which the events of a new link are sent. */
export function parseNotifyUrl(value: unknown, { refusal, receivers } = NONE): Parsed<string> {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS || !isHttpUrl(value))
    return refuse(FIELD, 'INVALID_NOTIFY_URL', `must be a valid URL of at most ${MAX_CHARACTERS} characters`);
  if (refusal !== null) {
    const [code, text] = REFUSALS[refusal];
    return refuse(FIELD, code, text);
  }
  const problem = prepareCheckReceiver(receivers)(new URL(value));
  return problem === undefined ? accept(value) : refuse(FIELD, 'NOTIFY_URL_NOT_ALLOWED', problem);
}
