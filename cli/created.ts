import type { Link } from '../client/client.ts';
import type { Output } from './output.ts';
import { describeConfirmation, formatZonedTime } from './texts.ts';

/** A link just created, with what no later response repeats. */
export type Created = Link & {
  token: string | null;
  fingerprint: string | null;
  sha256?: string;
  webhookSecret?: string;
};

export function toCreated(link: Link, headers: Headers): Created {
  const sha256 = headers.get('x-link-file-sha256');
  const webhookSecret = headers.get('x-link-webhook-secret');
  return {
    ...link,
    token: headers.get('x-link-token'),
    fingerprint: headers.get('x-link-fingerprint'),
    ...(sha256 !== null && { sha256 }),
    ...(webhookSecret !== null && { webhookSecret }),
  };
}

/** Prints a new link and its target or file. Its token is a result, which a program reads with `--json`. */
export function printCreated(output: Output, link: Created, target: string): void {
  output.announceTokens(
    `The link ${link.shortCode} was created, but its token is lost. The key that created it, or one with the scope manage, can revoke it.`,
  );
  output.printRecord(link, [
    ['Link', link.accessUrl],
    ['Target', target],
    ['SHA-256', link.sha256],
    ['Token', link.token],
    ['Webhook secret', link.webhookSecret],
    ['Expires', link.expiresAt === null ? 'never' : formatZonedTime(link.expiresAt)],
    ['Views', link.maxViews === null ? 'unlimited' : String(link.maxViews)],
    ['Confirmation', describeConfirmation(link.confirm)],
    ['Fingerprint', link.fingerprint],
  ]);
  if (link.token !== null)
    output.note('Keep the token: it edits and revokes the link and reads its history. It is shown only now.');
}
