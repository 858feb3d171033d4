import type { FileRequest, Link } from '../client/client.ts';
import type { Options, Values } from './command.ts';
import { usageFailure } from './failure.ts';
import { type Field, type Output, renderFields } from './output.ts';
import { requestFields } from './print-description.ts';
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

/** Adds the key of what was encrypted to the address of its link. The service never gets it. */
export function withFragment(created: Created, fragment: string | null | undefined): Created {
  return fragment ? { ...created, accessUrl: `${created.accessUrl}#${fragment}` } : created;
}

export const CREATED_OPTIONS = {
  quiet: { type: 'boolean', short: 'q', help: 'Prints the link alone, also on a terminal' },
  qr: { type: 'boolean', help: 'Shows the QR code of the link, too' },
} as const satisfies Options;
type Shown = Values<typeof CREATED_OPTIONS>;

/** Returns what is shown of a new link. Refuses, before there is one, what JSON has no place for. */
export function readShown({ isJson }: Output, { quiet, qr }: Shown): Shown {
  if (qr && isJson) throw usageFailure('--qr and --json exclude each other', 'Give one of them.');
  return { ...(quiet && { quiet }), ...(qr && { qr }) };
}

/**
 * Prints a new link and its target or file, or what it asks for. Its token is a result, which a program reads with `--json`.
 * Into a pipe, the link is the only result, and the rest is for the person at the terminal.
 */
export function printCreated(
  output: Output,
  link: Created,
  target: string | Partial<FileRequest>,
  { quiet, qr }: Shown,
): void {
  const isRequest = typeof target !== 'string';
  output.announceTokens(
    `The link ${link.shortCode} was created, but its token is lost. A key of its owner, or one with the scope manage, can revoke it.`,
  );
  const isAlone = !output.isJson && (quiet || output.width === undefined);
  if (isAlone) output.print(link.accessUrl);
  const token = !isAlone || output.isNoteSeen ? link.token : null;
  const fields: Field[] = [
    ...(typeof target === 'string' ? [['Target', target] as const] : requestFields(target)),
    ['SHA-256', link.sha256],
    ['Token', token],
    ['Webhook secret', token && link.webhookSecret],
    ['Expires', link.expiresAt === null ? 'never' : formatZonedTime(link.expiresAt)],
    [isRequest ? 'Submissions' : 'Views', link.maxViews === null ? 'unlimited' : String(link.maxViews)],
    ['Confirmation', isRequest ? null : describeConfirmation(link.confirm)],
    ['Fingerprint', link.fingerprint],
  ];
  if (!isAlone) output.printRecord(link, [['Link', link.accessUrl], ...fields]);
  else if (!quiet) output.note(renderFields(fields));
  if (qr) output.showQrCode(link.accessUrl);
  if (link.token === null || quiet) return;
  output.note(
    token === null
      ? 'The token of the link is not shown here, where it could end in a log. --json prints it.'
      : 'Keep the token: it edits and revokes the link and reads its history. It is shown only now.',
  );
}
