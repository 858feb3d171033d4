import type { Author } from '../../model/author.ts';
import type { ChangeResult, LinkPatch, RevocationResult } from '../../model/decide-change.ts';
import { isHeldBack, type StoredFile } from '../../model/link.ts';
import { type LinkChangeParts, prepareNewChange } from '../../model/link-change.ts';
import { fileOf } from '../../model/link-terms.ts';
import type { FileStore } from '../../ports/file-store.ts';
import type { ClientState, LinkStore, PasswordHasher, WorkQueue } from '../../ports/ports.ts';
import type { LinkPatchRequest } from '../../rules/change.ts';
import type { ExamineFile } from '../files/examine-file.ts';
import { prepareHashPassword } from '../visit/check-password.ts';

/**
 * Changes the terms of a link and records its author. No attempt that was decided before is undone, and every later one
 * obeys the new terms.
 *
 * @param versions the versions of the link that may be changed; null for any
 */
export type ChangeLink = (
  shortCode: string,
  requested: { patch: LinkPatchRequest; versions: readonly number[] | null },
  author: Author,
  client?: ClientState,
) => Promise<ChangeResult>;

export function prepareChangeLink(
  parts: {
    links: LinkStore;
    passwords: PasswordHasher;
    passwordQueue: WorkQueue;
    examineFile: ExamineFile;
    files: Pick<FileStore, 'open'>;
    isScanRequired: boolean;
  } & LinkChangeParts,
): ChangeLink {
  const hashPassword = prepareHashPassword(parts);
  const newChange = prepareNewChange(parts);
  const { examineFile } = parts;
  return async (shortCode, { patch: { password, file: sent, ...others }, versions }, author, client) => {
    const scansAgain = parts.isScanRequired && others.isPaused === false;
    const file = sent
      ? await examineFile(sent, author)
      : scansAgain && (await scanAgain(parts, shortCode, author));
    if (file && !sent && isHeldBack(file, true)) return { result: 'held-back' };
    const wanted = { ...others, ...(file && { file }) };
    const passwordHash =
      typeof password === 'string' ? await hashPassword(password, author, client) : password;
    const patch: LinkPatch = passwordHash === undefined ? wanted : { ...wanted, passwordHash };
    return parts.links.change(shortCode, { patch, versions }, newChange(author));
  };
}

/** Scans the file of a link again that was not scanned. Returns it with the result; undefined for any other link. */
async function scanAgain(
  {
    links,
    files,
    examineFile,
  }: { links: LinkStore; files: Pick<FileStore, 'open'>; examineFile: ExamineFile },
  shortCode: string,
  author: Author,
): Promise<StoredFile | undefined> {
  const link = await links.read(shortCode);
  const file = link && link.status !== 'REVOKED' ? fileOf(link) : undefined;
  if (!file || isHeldBack(file) || !isHeldBack(file, true)) return undefined;
  const stored = await files.open(file.fileId);
  await stored?.close();
  if (!stored || file.traits?.encrypted) return file;
  const parts = await links.readParts(file.fileId);
  return examineFile({ ...file, ...(parts && { parts }) }, author, { scansAgain: true });
}

/** Revokes a link for good, and records its author. Revoking it again changes and records nothing. */
export type RevokeLink = (shortCode: string, author: Author) => Promise<RevocationResult>;

export function prepareRevokeLink(parts: { links: LinkStore } & LinkChangeParts): RevokeLink {
  const newChange = prepareNewChange(parts);
  return (shortCode, author) => parts.links.revoke(shortCode, newChange(author));
}
