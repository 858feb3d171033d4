import type { CreatedLink } from './contract.ts';
import type { Outcome } from './outcome.ts';
import { requestJson } from './requests.ts';

/** The members of a new link, as the API takes them. */
export type BulkItem = {
  confirm?: boolean;
  targetUrl: string;
  label?: string;
  recipient?: string;
  expiresAt?: string;
  startsAt?: string;
  maxViews?: number | string;
  password?: string;
  tags?: string[];
  note?: string;
  customCode?: string;
};

/** The result of one item: the link, or the error record of its refusal. */
export type BulkResult = {
  status: number;
  link?: CreatedLink & { token?: string | null; fingerprint?: string };
  error?: unknown;
};

/**
 * Creates links, at most `MAX_LINKS_PER_REQUEST` at once. Each has its own result, in the order of the items.
 *
 * @param idempotencyKey a repeat with the same key and items returns the first response, and creates nothing
 */
export function createInBulk(
  items: BulkItem[],
  idempotencyKey: string,
): Promise<Outcome<{ results: BulkResult[] }>> {
  return requestJson('api/links/bulk', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify({ items }),
  });
}
