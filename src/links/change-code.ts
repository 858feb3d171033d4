import type { Author } from './author.ts';
import { MAX_SHORT_CODE_TRIES } from './create-link.ts';
import type { CodeResult } from './decide-code-change.ts';
import type { Link, NotifiedLinks } from './link.ts';
import { type LinkChangeParts, prepareNewChange } from './link-change.ts';
import type { LinkStore } from './ports.ts';
import { newShortCode, type RandomInt } from './short-code.ts';

/** The link with its new short code, or the reason why it keeps the old one. */
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
  parts: { links: LinkStore; randomInt: RandomInt } & Omit<LinkChangeParts, 'notifiedLinks'> & {
      /** The links of whose creations and revocations others want to be notified. */
      notified: { creations: NotifiedLinks; revocations: NotifiedLinks };
    },
): ChangeCode {
  const { links, randomInt, notified } = parts;
  const newRevocation = prepareNewChange({ ...parts, notifiedLinks: notified.revocations });
  const newCreation = prepareNewChange({ ...parts, notifiedLinks: notified.creations });
  return async (former, { customCode, versions }, author) => {
    for (let tries = 0; tries < MAX_SHORT_CODE_TRIES; tries++) {
      const shortCode = customCode ?? newShortCode(randomInt);
      const records = { revocation: newRevocation(author), creation: newCreation(author) };
      const { result } = await links.changeCode(former, { shortCode, versions }, records);
      if (result === 'short-code-taken' && customCode === null) continue;
      if (result !== 'changed' && result !== 'unchanged') return { result };
      const link = await links.read(shortCode);
      if (!link) throw new Error(`the link with the new short code ${shortCode} is not there`);
      return { result, link };
    }
    throw new Error(
      `No free short code in ${MAX_SHORT_CODE_TRIES} tries: the source of randomness is broken`,
    );
  };
}
