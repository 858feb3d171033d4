import { toPlainAddress } from '../model/ip-address.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { type Rules, type SentFields, textOf } from './read-fields.ts';
import { parseFlag } from './term-rules.ts';

/** What an administrator asks to erase: the entries of an address, or those and the terms of a link, or of a recipient's. */
export type AskedErasure = { ipAddress: string } | { shortCode: string } | { recipient: string };

export const ERASURE_RULES = {
  ipAddress: textOf('ipAddress'),
  shortCode: textOf('shortCode'),
  recipient: textOf('recipient'),
  isDryRun: (value: unknown = false) => parseFlag('isDryRun', value),
} satisfies Rules<unknown>;

/** Reads what to erase: exactly one member says it. */
export function parseAskedErasure(
  sent: Pick<SentFields, 'ipAddress' | 'shortCode' | 'recipient'>,
): Parsed<AskedErasure> {
  const given = Object.entries(sent).filter(([, value]) => value !== null);
  const [[name, value] = ['', '']] = given;
  if (given.length !== 1 || typeof value !== 'string' || value === '')
    return refuse('ipAddress', 'INVALID_ERASURE', 'send one of ipAddress, shortCode and recipient');
  if (name === 'shortCode') return accept({ shortCode: value });
  if (name === 'recipient') return accept({ recipient: value });
  const ipAddress = toPlainAddress(value);
  return ipAddress === null
    ? refuse('ipAddress', 'INVALID_ADDRESS', 'must be an IP address')
    : accept({ ipAddress });
}
