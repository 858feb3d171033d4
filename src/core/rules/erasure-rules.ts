import { toPlainAddress } from '../model/ip-address.ts';
import { accept, mapParsed, type Parsed, refuse } from '../model/parsed.ts';
import { type Rules, readFields, type SentFields, textOf } from './read-fields.ts';
import { parseFlag } from './term-rules.ts';

/** The subject of an erasure: the entries of an address, or those and the terms of a link, or of a recipient's. */
export type AskedErasure = { ipAddress: string } | { shortCode: string } | { recipient: string };

const RULES = {
  ipAddress: textOf('ipAddress'),
  shortCode: textOf('shortCode'),
  recipient: textOf('recipient'),
  isDryRun: (value: unknown = false) => parseFlag('isDryRun', value),
} satisfies Rules<unknown>;

/** Reads an erasure: exactly one member says what to erase. */
export function parseErasure(sent: SentFields): Parsed<{ what: AskedErasure; isDryRun: boolean }> {
  const read = readFields(RULES, sent, undefined);
  if (!read.ok) return read;
  const { isDryRun, ...asked } = read.value;
  return mapParsed(parseWhat(asked), (what) => ({ what, isDryRun }));
}

function parseWhat(sent: Pick<SentFields, 'ipAddress' | 'shortCode' | 'recipient'>): Parsed<AskedErasure> {
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
