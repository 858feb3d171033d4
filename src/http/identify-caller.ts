import type { IncomingMessage } from 'node:http';
import { ANONYMOUS, type Caller } from '../access/caller.ts';
import type { AccessSettings, Proof } from '../access/decide-access.ts';
import type { KeyCallers } from '../access/find-key-caller.ts';
import { toPlainAddress } from '../links/ip-address.ts';
import { prepareIsTrusted } from './client-address.ts';
import { ERRORS } from './errors.ts';
import { decodeHeaderText, hasSeveral } from './headers.ts';

/** Returns who sends a request. @throws RequestError for several credentials, or a user name that cannot be recorded */
export type IdentifyCaller = (request: IncomingMessage) => Promise<Proof['caller']> | Proof['caller'];

const BEARER = /^bearer(?:\s+|$)(.*)/i;
/** No control characters, and no marks that change the direction of text. */
const USER_NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u;

/** Prepares reading credentials: an API key first, then the user whom a trusted proxy names. */
export function prepareIdentifyCaller(
  { userHeader, userScopes }: AccessSettings,
  keyCallers: KeyCallers,
  trustedProxies: string[],
): IdentifyCaller {
  const isTrusted = prepareIsTrusted(trustedProxies);

  function userOf(request: IncomingMessage): Caller {
    if (userHeader === null || request.headers[userHeader] === undefined) return ANONYMOUS;
    if (!isTrusted(toPlainAddress(request.socket.remoteAddress ?? '') ?? '')) return ANONYMOUS;
    // A proxy that adds its header to the client's would otherwise let the client choose the name.
    const [sent = '', ...more] = request.headersDistinct[userHeader] ?? [];
    const name = decodeHeaderText(sent).trim();
    if (name === '' && more.length === 0) return ANONYMOUS;
    if (more.length > 0 || !USER_NAME.test(name)) throw ERRORS.unusableUserName(userHeader);
    return { kind: 'USER', name, scopes: userScopes };
  }

  return (request) => {
    if (hasSeveral(request, 'authorization')) throw ERRORS.severalCredentials();
    const [, key] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) return userOf(request);
    if (keyCallers.looksLikeKey(key)) return keyCallers.find(key).then((caller) => caller ?? 'INVALID_KEY');
    // A token of the proxy's own sign-in may come with its user.
    const user = userOf(request);
    return user.kind === 'ANONYMOUS' ? 'INVALID_KEY' : user;
  };
}
