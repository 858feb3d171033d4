import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { VISIT_TERMS } from '../model/terms.ts';
import { isMailAddress, type MailPolicy } from './notify-email.ts';

const FIELD = 'verifiedRecipients';
const { maxItems: MAX_ADDRESSES } = VISIT_TERMS.verifiedRecipients;
/** Of an item that is not a mail address, in the error. */
const MAX_SHOWN_CHARACTERS = 100;

/** Returns a mail address as links have it: its domain in lower case. The case of the rest is kept, as a mailbox may want it. */
export function toMailAddress(text: string): string | undefined {
  const address = text.trim();
  if (!isMailAddress(address)) return undefined;
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

/** Returns the address among those of a link that a visitor means: no mailbox that people use depends on upper and lower case. */
export function findRecipient(addresses: readonly string[], typed: string): string | undefined {
  const wanted = typed.toLowerCase();
  return addresses.find((address) => address.toLowerCase() === wanted);
}

/** Reads the mail addresses of those who may open a link. Repeated ones count once. Blank ones alone would open it to anyone. */
export function parseVerifiedRecipients(value: unknown, policy?: MailPolicy): Parsed<string[]> {
  if (!Array.isArray(value)) return refuseAddress();
  const addresses: string[] = [];
  for (const item of value as unknown[]) {
    if (typeof item === 'string' && item.trim() === '') continue;
    if (typeof item !== 'string') return refuseAddress();
    const address = toMailAddress(item);
    if (address === undefined) return refuseAddress(item);
    if (findRecipient(addresses, address) === undefined) addresses.push(address);
  }
  if (addresses.length === 0) return value.length === 0 ? accept([]) : refuseAddress();
  if (addresses.length > MAX_ADDRESSES)
    return refuse(FIELD, 'TOO_MANY_RECIPIENTS', `must be at most ${MAX_ADDRESSES}`, { max: MAX_ADDRESSES });
  return checkPolicy(addresses, policy);
}

/** Refuses the value because of one of its items, which pages show as it was typed. */
const refuseAddress = (item = ''): Parsed<never> =>
  refuse(FIELD, 'INVALID_RECIPIENTS', 'must be an array of mail addresses, such as user@example.com', {
    address: item.trim().slice(0, MAX_SHOWN_CHARACTERS),
  });

function checkPolicy(addresses: string[], policy: MailPolicy | undefined): Parsed<string[]> {
  if (!policy?.sendsMail)
    return refuse(
      FIELD,
      'RECIPIENTS_UNAVAILABLE',
      'is not available, because this service sends no mail; the administrator sets app.mail.url and app.mail.from',
    );
  return policy.isAllowed
    ? accept(addresses)
    : refuse(FIELD, 'RECIPIENTS_NEED_SIGN_IN', 'needs an API key with the scope create, or a signed-in user');
}
