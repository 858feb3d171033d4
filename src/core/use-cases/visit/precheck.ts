import { isHeldBack, isShownText, type LinkDefinition } from '../../model/link.ts';
import type { FileStore } from '../../ports/file-store.ts';
import { type OpenedTarget, openFile } from '../files/open-file.ts';
import { needsPage } from './about-link.ts';
import { type CheckPasswordParts, checkPassword } from './check-password.ts';
import { type CheckRecipientParts, checkRecipient } from './check-recipient.ts';
import type { ResolveRequest } from './resolution.ts';

/** `isScanRequired`: files that were not scanned are not opened. */
export type PrecheckParts = CheckPasswordParts &
  CheckRecipientParts & { files: FileStore; isScanRequired: boolean };

const UNPROTECTED = { password: 'NOT_NEEDED', limited: undefined } as const;

export type Checked = Awaited<ReturnType<typeof precheck>>;

/** Establishes the facts about an attempt that are slow, and opens the file that it may get. */
export async function precheck(parts: PrecheckParts, link: LinkDefinition, request: ResolveRequest) {
  const { shortCode, passwordHash } = link;
  const { password, limited: passwordLimit } =
    passwordHash === null ? UNPROTECTED : await checkPassword(parts, { shortCode, passwordHash }, request);
  const isPassed = password === 'NOT_NEEDED' || password === 'RIGHT';
  const recipient = isPassed ? await checkRecipient(parts, link, request) : {};
  const limited = passwordLimit ?? recipient.limited;
  const isConfirmed = !needsConfirmation(link, request);
  const isHeld = link.target.type === 'DOWNLOAD' && isHeldBack(link.target.file, parts.isScanRequired);
  const mayOpen = !isHeld && isPassed && recipient.precheck !== 'MISSING';
  const target: OpenedTarget =
    link.target.type === 'REDIRECT'
      ? { kind: 'REDIRECT', targetUrl: link.target.url }
      : link.target.type === 'REQUEST'
        ? { kind: 'REQUEST' }
        : mayOpen
          ? await openFile(parts, link, link.target.file, { isConfirmed })
          : { kind: 'MISSING_FILE' };
  const hasNoFile = target.kind === 'REDIRECT' || target.kind === 'REQUEST';
  const missing = isHeld ? 'HELD_BACK' : 'MISSING';
  const file = hasNoFile ? 'NOT_NEEDED' : target.kind === 'MISSING_FILE' ? missing : 'OPEN';
  const confirmation = isConfirmed ? 'NOT_NEEDED' : 'MISSING';
  const { precheck: ofRecipient } = recipient;
  const prechecks = { password, file, confirmation, ...(ofRecipient && { recipient: ofRecipient }) } as const;
  return { target, limited, recipient, prechecks };
}

/** Returns whether an attempt opens nothing before the visitor confirms it. */
export function needsConfirmation(
  { terms, target }: LinkDefinition,
  { confirmation, continues, submission, acceptsPage }: ResolveRequest,
): boolean {
  // Only files that are sent open a file request, and they open no other link.
  if ((target.type === 'REQUEST') !== (submission !== undefined)) return true;
  if (continues && target.type === 'DOWNLOAD') return true;
  if (confirmation === 'WITHHELD') return true;
  if (needsPage(terms)) return confirmation !== 'GIVEN';
  if (target.type !== 'DOWNLOAD' || confirmation !== 'MISSING') return false;
  // A browser decrypts on that page.
  return isShownText(target.file) || (target.file.traits?.encrypted === true && acceptsPage?.() === true);
}
