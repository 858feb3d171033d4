import { appendEntry, headAt, toRevocationEntry } from '../../links/chain.ts';
import { type CodeResult, decideCodeChange, type RequestedCode } from '../../links/decide-code-change.ts';
import type { LinkChange } from '../../links/link-change.ts';
import { isNotified, toChangeEvents } from '../../links/link-event.ts';
import { toLink } from '../link-rows.ts';
import { insertNewLinks, startCreation, writeTargets } from './create-links.ts';
import { PASS_FILE_ON } from './ended-links.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import { createReadLinks } from './read-link.ts';

/** The records of both links: the revocation of the former one, and the creation of the one that continues it. */
export type CodeRecords = { revocation: LinkChange; creation: LinkChange };
/** A change of the short code of a link, with its author. */
export type CodeChange = { shortCode: string; requested: RequestedCode } & CodeRecords;

/**
 * Changes the short code of a link: one transaction revokes it and creates the one that continues it, which takes over its
 * file.
 */
export async function changeCode(
  transaction: LinkTransaction,
  { shortCode, requested, revocation, creation }: CodeChange,
): Promise<CodeResult | typeof LOCKED> {
  const { dialect, query } = transaction;
  const { links, heldElsewhere, firstSeq } = await transaction.lock([shortCode]);
  if (heldElsewhere.has(shortCode)) return LOCKED;
  const rows = await createReadLinks(query, dialect)([shortCode, requested.shortCode]);
  const [row, taken] = [shortCode, requested.shortCode].map((code) =>
    rows.find((each) => each.short_code === code),
  );
  const current = links.get(shortCode);
  const link = row && current && { ...toLink(row), ...current.state, history: current.head };
  const decision = decideCodeChange(link, taken && toLink(taken), requested, creation.at);
  if (decision.result !== 'changed' || !current || !link) return decision;
  const revoked = appendEntry(
    current.head,
    toRevocationEntry(shortCode, revocation, { newShortCode: requested.shortCode }),
    firstSeq,
  );
  // It names the end of the former history, the revocation included.
  const former = { shortCode, history: headAt(revoked), isPaused: link.isPaused };
  const created = startCreation({ link: { ...decision.link, former }, change: creation }, firstSeq + 1);
  const inserted = await insertNewLinks(transaction, [created]);
  if (inserted.size === 0) return { result: 'short-code-taken' };
  const events = [
    { entry: revoked, notified: revocation.notifiedLinks },
    { entry: created.entry, notified: creation.notifiedLinks },
  ].filter(({ notified }) => isNotified(notified, () => link.notify !== undefined));
  transaction.append({
    entries: [revoked, created.entry],
    links: new Map([[shortCode, { state: { ...current.state, status: 'REVOKED' }, head: former.history }]]),
    changed: [shortCode],
    statuses: { REVOKED: 1 }, // as many are active as before
    events: events.map(({ entry }) => toChangeEvents(entry, headAt(entry))),
  });
  if (link.target.type === 'DOWNLOAD') transaction.write(PASS_FILE_ON, [shortCode]);
  writeTargets(transaction, [created]);
  await transaction.updateSearch([shortCode]);
  return { result: 'changed' };
}
