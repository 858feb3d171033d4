import type { CreatedLink, LinkDescription, Restrictions } from './contract.ts';
import type { Outcome } from './outcome.ts';
import { requestJson, requestText } from './requests.ts';

export function createLink(targetUrl: string, restrictions: Restrictions): Promise<Outcome<CreatedLink>> {
  return requestJson('api/links', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ targetUrl, ...restrictions }),
  });
}

/** Reads a link without opening it. */
export function describeLink(shortCode: string): Promise<Outcome<LinkDescription>> {
  return requestJson(`api/links/${encodeURIComponent(shortCode)}`);
}

/** Revokes a link for good. An unknown link counts as revoked. */
export function revokeLink(shortCode: string): Promise<Outcome<string>> {
  return requestText(`l/${encodeURIComponent(shortCode)}`, { method: 'DELETE' }, 404);
}
