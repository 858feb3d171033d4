import { decideChange } from '../../model/decide-change.ts';
import type { EpochMs } from '../../model/link.ts';
import { type LinkChangeParts, prepareNewChange } from '../../model/link-change.ts';
import { isPersonal, isSet, NO_TERMS, PLAIN_NAMES, termOf } from '../../model/terms.ts';
import type { Erasable, ErasureStore } from '../../ports/erasures.ts';
import type { LinkStore } from '../../ports/ports.ts';

export const AUTHOR = { kind: 'COMMAND', name: 'erase', ipAddress: null } as const;
/** The terms for and about people. The target of a link is erased with it, once it has ended. */
export const ERASED_NAMES = PLAIN_NAMES.filter((name) => isPersonal(name) && termOf(name).kind !== 'url');
const ERASED = Object.fromEntries(ERASED_NAMES.map((name) => [name, NO_TERMS[name]]));
export const ENTRIES_AT_ONCE = 100;

export type EraseParts = LinkChangeParts & { links: LinkStore; erasures: ErasureStore; newKey: () => string };
type Options = { author: string; isDryRun?: boolean; isStopped?: () => boolean };

/** Erases as `erase` does. */
export type Erase = (erasable: Erasable, options: Options) => ReturnType<typeof erase>;

/**
 * Erases personal fields of links and entries. It can be repeated after it was stopped or interrupted.
 *
 * @returns the numbers of erased entries, of links whose terms were erased, and of hours whose addresses were updated, also of
 *   an erasure that was interrupted. A dry run only counts entries and links
 */
export async function erase(
  parts: EraseParts,
  erasable: Erasable,
  { author, isDryRun = false, isStopped = () => false }: Options,
): Promise<{ entries: number; terms: number; hours: number }> {
  const { erasures } = parts;
  const erasure = { at: parts.clock(), kind: erasable.kind, author, erasedBefore: null };
  const key = parts.newKey();
  const found = { entries: 0, terms: 0, hours: 0 };
  // First, because each change is an entry with the old terms.
  for (const shortCode of 'shortCodes' in erasable ? erasable.shortCodes : []) {
    if (isStopped()) return found;
    if ((await eraseTerms(parts, shortCode, isDryRun ? erasure.at : null)) === 'changed') found.terms++;
  }
  await erasures.project('position');
  for (let after: number | null = 0; after !== null; ) {
    if (isStopped()) return found;
    const { seqs, next } = await erasures.findErasable(erasable, after);
    for (let index = 0; index < seqs.length && !isDryRun; index += ENTRIES_AT_ONCE)
      await erasures.eraseEntries(erasure, seqs.slice(index, index + ENTRIES_AT_ONCE), key);
    found.entries += seqs.length;
    after = next;
  }
  if (isDryRun) return found;
  await erasures.project('position'); // of what was being committed, too
  while (await erasures.updateOrigins()) found.hours += 1;
  if (erasable.kind === 'RETENTION' && found.entries > 0)
    await erasures.eraseEntries({ ...erasure, erasedBefore: erasable.before }, [], key);
  return found;
}

/**
 * Erases the terms of a link, or decides it at `dryRunAt`. A link whose recipients are erased would open to anyone, so it is
 * revoked: one that was changed since it was read is read again.
 */
async function eraseTerms(parts: EraseParts, shortCode: string, dryRunAt: EpochMs | null) {
  for (;;) {
    const link = await parts.links.read(shortCode);
    const isRevoked = isSet(link?.terms.verifiedRecipients) ? ({ isRevoked: true } as const) : {};
    const patch = { terms: ERASED, ...isRevoked };
    const requested = { patch, versions: link ? [link.version] : null, alsoRevoked: true };
    const { result } =
      dryRunAt === null
        ? await parts.links.change(shortCode, requested, prepareNewChange(parts)(AUTHOR))
        : decideChange(link, requested, dryRunAt);
    if (result !== 'version-mismatch') return result;
  }
}
