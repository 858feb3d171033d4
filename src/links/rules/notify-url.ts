import { accept, type Parsed, refuse } from './parsed.ts';
import { prepareCheckReceiver, type ReceiverPolicy } from './receiver.ts';
import { isHttpUrl } from './target-url.ts';

/** Who may name a webhook for a link. NOBODY: this service sends none. SIGNED_IN: the client of this request may not. */
export type NotifyPolicy = Readonly<{ refusal: 'NOBODY' | 'SIGNED_IN' | null; receivers: ReceiverPolicy }>;

const NONE: NotifyPolicy = { refusal: 'NOBODY', receivers: { allowedNetworks: [], ports: [] } };

const FIELD = 'notifyUrl';
const MAX_CHARACTERS = 2048;

const REFUSALS = {
  NOBODY: ['NOTIFY_URL_UNAVAILABLE', 'is not available, because this service sends no webhooks for links'],
  SIGNED_IN: ['NOTIFY_URL_NEEDS_SIGN_IN', 'needs an API key with the scope create, or a signed-in user'],
} as const;

/** Reads the URL to which the events of a new link are sent. */
export function parseNotifyUrl(value: unknown, { refusal, receivers } = NONE): Parsed<string> {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS || !isHttpUrl(value)) {
    return refuse(FIELD, 'INVALID_NOTIFY_URL', `must be a valid URL of at most ${MAX_CHARACTERS} characters`);
  }
  if (refusal !== null) {
    const [code, text] = REFUSALS[refusal];
    return refuse(FIELD, code, text);
  }
  const problem = prepareCheckReceiver(receivers)(new URL(value));
  return problem === undefined ? accept(value) : refuse(FIELD, 'NOTIFY_URL_NOT_ALLOWED', problem);
}
