import type { Author } from '../../model/author.ts';
import type { CodeResult } from '../../model/decide-code-change.ts';
import type { Link, NotifiedLinks } from '../../model/link.ts';
import { type LinkChangeParts, prepareNewChange } from '../../model/link-change.ts';
import { MAX_PAGE_ITEMS } from '../../model/ranges.ts';
import { type RandomInt, withFreeCode } from '../../model/short-code.ts';
import type { HistoryStore, LinkStore } from '../../ports/ports.ts';

/** The link with its new short code, also by an earlier change, or the reason why it keeps the old one. */
export type ChangedCode =
  | { result: 'changed' | 'unchanged'; link: Link }
  | Exclude<CodeResult, { result: 'changed' | 'unchanged' }>;

/**
 * Changes the short code of a link, and records its author in both histories.
 *
 * @param customCode the new short code; null for a random one
 */
export type ChangeCode = (
  shortCode: string,
  requested: { customCode: string | null; versions: readonly number[] | null },
  author: Author,
) => Promise<ChangedCode>;

export function prepareChangeCode(
  parts: { links: LinkStore; history: HistoryStore; randomInt: RandomInt } & Omit<
    LinkChangeParts,
    'notifiedLinks'
  > & {
      /** The links of whose creations and revocations others want to be notified. */
      notified: { creations: NotifiedLinks; revocations: NotifiedLinks };
    },
): ChangeCode {
  const { links, randomInt, notified } = parts;
  const newRevocation = prepareNewChange({ ...parts, notifiedLinks: notified.revocations });
  const newCreation = prepareNewChange({ ...parts, notifiedLinks: notified.creations });
  return async (former, { customCode, versions }, author) => {
    return withFreeCode(randomInt, async (random) => {
      const shortCode = customCode ?? random;
      const records = { revocation: newRevocation(author), creation: newCreation(author) };
      const committed = await links.changeCode(former, { shortCode, versions }, records);
      const isRepeat = committed.result === 'revoked' && (await isContinuedBy(parts, former, shortCode));
      const result = isRepeat ? 'unchanged' : committed.result;
      if (result === 'short-code-taken' && customCode === null) return undefined;
      if (result !== 'changed' && result !== 'unchanged') return { result };
      const link = await links.read(shortCode);
      if (!link) throw new Error(`the link with the new short code ${shortCode} is not there`);
      return { result, link };
    });
  };
}

/** Returns whether a revoked link continues under a short code, by its newest entries: a repeat comes soon. */
async function isContinuedBy(
  { links, history }: { links: LinkStore; history: HistoryStore },
  shortCode: string,
  newShortCode: string,
): Promise<boolean> {
  const head = (await links.read(shortCode))?.history;
  if (!head) return false;
  const all = { range: { start: null, end: null }, results: null, ipAddress: null };
  const { items } = await history.readPage({ ...all, shortCode, head, before: null, limit: MAX_PAGE_ITEMS });
  return items.some((each) => each.kind === 'REVOKED' && each.details['newShortCode'] === newShortCode);
}
