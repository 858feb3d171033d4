import { LINK_EVENT_TYPES, type LinkEventType } from '../links/link-event.ts';
import { accept } from '../links/rules/parsed.ts';
import { isHttpUrl } from '../links/rules/target-url.ts';
import { isWebhookSecret } from '../notifications/signature.ts';
import { isAddressRange, type Parser, parseList, parsePort, refuse } from './parsers.ts';

/** Parses `none`, or http and https URLs separated by commas, without credentials. */
export const parseWebhookUrls: Parser<string[]> = (text) =>
  parseList(
    text,
    (item) => (isWebhookUrl(item) ? item : undefined),
    'must be none, or https URLs without a user name, separated by commas, such as https://hooks.example/postern',
  );

function isWebhookUrl(text: string): boolean {
  const url = isHttpUrl(text) ? URL.parse(text) : null;
  return url !== null && url.username === '' && url.password === '';
}

/** Parses one secret, or two while receivers change from the second to the first. */
export const parseWebhookSecrets: Parser<string[]> = (text) => {
  const secrets = text.split(',').map((item) => item.trim());
  return secrets.length <= 2 && secrets.every(isWebhookSecret)
    ? accept(secrets)
    : refuse(
        'must be whsec_ and 24 to 64 random bytes in base64, such as the output of echo "whsec_$(openssl rand -base64 32)"; during a change, the new secret, a comma and the old one',
      );
};

/** Parses `none`, or types of events separated by commas. */
export const parseEventTypes: Parser<LinkEventType[]> = (text) =>
  parseList(
    text,
    (item) => LINK_EVENT_TYPES.find((type) => type === item),
    `must be none, or events separated by commas: ${LINK_EVENT_TYPES.join(', ')}`,
  );

/** Parses `none`, or IP addresses and CIDRs separated by commas. */
export const parseNetworks: Parser<string[]> = (text) =>
  parseList(
    text,
    (item) => (isAddressRange(item) ? item : undefined),
    'must be none, or IP addresses and CIDRs separated by commas, such as 10.1.2.0/24,fd00::/8',
  );

/** Parses port numbers separated by commas. */
export const parsePorts: Parser<number[]> = (text) =>
  parseList(
    text,
    (item) => {
      const port = parsePort(item);
      return port.ok ? port.value : undefined;
    },
    'must be port numbers separated by commas, such as 443,8443',
  );
