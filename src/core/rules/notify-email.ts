import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { VISIT_TERMS } from '../model/terms.ts';

const FIELD = 'notifyEmail';
const { maxLength: MAX_CHARACTERS } = VISIT_TERMS.notifyEmail;
/** The addresses that servers accept today, without quotes and comments: nothing that has a meaning in a header. */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*$/i;

export function isMailAddress(text: string): boolean {
  return text.length <= MAX_CHARACTERS && ADDRESS.test(text);
}

/** Returns whether a list of addresses and domains, in lower case, contains an address. */
export function isAllowedRecipient(address: string, recipients: readonly string[]): boolean {
  const lower = address.toLowerCase();
  return recipients.includes(lower) || recipients.includes(lower.slice(lower.indexOf('@') + 1));
}

/**
 * The addresses and domains that a new link may notify. `isAllowed`: whether the client may name one. `own`: the verified
 * address of the client, which is allowed in any case. `sendsMail`: whether the service has a mail server.
 */
export type MailPolicy = Readonly<{
  recipients: readonly string[];
  isAllowed: boolean;
  own?: string | null;
  sendsMail?: boolean;
}>;

const NONE: MailPolicy = { recipients: [], isAllowed: true };

/** Reads the mail address that is notified when a new link is opened. */
export function parseNotifyEmail(
  value: unknown,
  { recipients, isAllowed, own = null } = NONE,
): Parsed<string> {
  if (typeof value !== 'string' || !isMailAddress(value))
    return refuse(FIELD, 'INVALID_NOTIFY_EMAIL', 'must be a mail address, such as user@example.com');
  if (value.toLowerCase() === own?.toLowerCase()) return accept(value);
  if (recipients.length === 0 && own === null)
    return refuse(
      FIELD,
      'NOTIFY_EMAIL_UNAVAILABLE',
      'is not available, because no address may get mail of this service; the administrator sets app.mail.url and app.mail.recipients',
    );
  if (!isAllowed)
    return refuse(
      FIELD,
      'NOTIFY_EMAIL_NEEDS_SIGN_IN',
      'needs an API key with the scope create, or a signed-in user',
    );
  return isAllowedRecipient(value, recipients)
    ? accept(value)
    : refuse(
        FIELD,
        'NOTIFY_EMAIL_NOT_ALLOWED',
        'must be your own verified address, or an address that app.mail.recipients allows',
      );
}
