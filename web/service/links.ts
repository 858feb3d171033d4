import type { Created, LinkDescription, Restrictions } from './contract.ts';
import type { Outcome } from './outcome.ts';
import { type Reply, request, requestJson, serviceUrl, TOKEN_HEADER, toCreated } from './requests.ts';

/** A link, with its token where this browser has it. The token allows what would otherwise need a key. */
export type LinkReference = { shortCode: string; token?: string };

export async function createLink(targetUrl: string, restrictions: Restrictions): Promise<Outcome<Created>> {
  const outcome = await request('api/links', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ targetUrl, ...restrictions }),
  });
  return outcome.kind === 'DONE' ? toCreated(outcome.value) : outcome;
}

/** Returns the URL of the page with the history of a link. */
export function historyPageUrl(shortCode: string): string {
  return serviceUrl(`links/${encodeURIComponent(shortCode)}`).href;
}

/** Reads a link without opening it. */
export function describeLink({ shortCode, token }: LinkReference): Promise<Outcome<LinkDescription>> {
  return requestJson(`api/links/${encodeURIComponent(shortCode)}`, { headers: tokenHeader(token) });
}

/** Revokes a link for good. An unknown link counts as revoked. */
export function revokeLink({ shortCode, token }: LinkReference): Promise<Outcome<Reply>> {
  const options = { method: 'DELETE', headers: tokenHeader(token) };
  return request(`l/${encodeURIComponent(shortCode)}`, options, 404);
}

export function tokenHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { [TOKEN_HEADER]: token };
}
