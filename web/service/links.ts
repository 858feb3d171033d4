import type { CreatedLink, LinkDescription, Restrictions } from './link.ts';
import type { Outcome } from './outcome.ts';
import { askJson, deleteAt } from './requests.ts';

export function createLink(targetUrl: string, restrictions: Restrictions): Promise<Outcome<CreatedLink>> {
  return askJson('api/links', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ targetUrl, ...restrictions }),
  });
}

/** Tells of a link without opening it. */
export function describeLink(shortCode: string): Promise<Outcome<LinkDescription>> {
  return askJson(`api/links/${encodeURIComponent(shortCode)}`);
}

/** Revokes a link for good. It is done too where the service knows no such link. */
export function revokeLink(shortCode: string): Promise<Outcome<null>> {
  return deleteAt(`l/${encodeURIComponent(shortCode)}`);
}
