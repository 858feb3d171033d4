import { headAt } from '../../core/model/chain.ts';
import { hasReceiver } from '../../core/model/link.ts';
import { isNotified, type LinkEvent, toChangeEvents } from '../../core/model/link-event.ts';
import { CHANGED } from '../../core/model/verdict.ts';
import type { SubmissionResult, SubmittedFiles } from '../../core/ports/ports.ts';
import { applyAttempts } from '../apply-attempts.ts';
import { insertNewLinks, startCreation, writeTargets } from './create-links.ts';
import { type LinkTransaction, LOCKED } from './link-transaction.ts';
import { lockHolders } from './lock-holders.ts';
import { addStatuses, type StatusCounts } from './projections.ts';
import { lockUploads, takeUploads } from './upload-ledger.ts';

/** Decides a submission on its file request, and creates the link of its files if it is granted, in one transaction. */
export async function submitFiles(
  transaction: LinkTransaction,
  { attempt, link, change, requestVersion }: SubmittedFiles,
): Promise<SubmissionResult | typeof LOCKED> {
  if (link.target.type !== 'DOWNLOAD') throw new Error('A submission needs a file');
  const { fileId } = link.target.file;
  const { shortCode } = attempt;
  const { owner, team } = link;
  await lockHolders(transaction, [{ owner, team }]); // of the request, which is not given to others meanwhile
  const { links, heldElsewhere, firstSeq } = await transaction.lock([shortCode]);
  if (heldElsewhere.has(shortCode)) return LOCKED;
  const before = links.get(shortCode);
  if (before && before.state.version !== requestVersion)
    return { verdict: CHANGED, viewCount: before.state.viewCount };
  const effects = applyAttempts(links, [attempt], firstSeq);
  const { outcomes, entries, links: after, statusChanges, events } = effects;
  const [outcome] = outcomes;
  const [submitted] = entries;
  if (typeof outcome !== 'object') throw new Error('A submission has no outcome');
  const statuses: StatusCounts = {};
  for (const status of statusChanges.values()) addStatuses(statuses, { ACTIVE: -1, [status]: 1 });
  const changed = [...statusChanges.keys()];
  const request = after.get(shortCode);
  if (outcome.verdict !== 'SUCCESS' || !request || !submitted) {
    if (submitted) transaction.append({ entries, links: after, changed, statuses, events });
    if (changed.length > 0) await transaction.updateSearch(changed);
    return outcome;
  }
  const pending = await lockUploads(transaction, [fileId]);
  if (!pending.has(fileId)) return { result: 'upload-gone' };
  const created = startCreation(
    { link: { ...link, requestHistory: request.head }, change },
    submitted.seq + 1,
  );
  const inserted = await insertNewLinks(transaction, [created]);
  if (inserted.size === 0) return { result: 'short-code-taken' };
  addStatuses(statuses, { ACTIVE: 1 });
  const { id, seq } = created.entry;
  const withFiles = (event: LinkEvent): LinkEvent => ({ ...event, files: { id, seq } });
  const arrived = events.map((ofLink) => ({ ...ofLink, events: ofLink.events.map(withFiles) }));
  const notifies = isNotified(change.notifiedLinks, () => hasReceiver(link));
  transaction.append({
    entries: [...entries, created.entry],
    links: after,
    changed,
    statuses,
    events: notifies ? [...arrived, toChangeEvents(created.entry, headAt(created.entry))] : arrived,
  });
  writeTargets(transaction, [created]);
  takeUploads(transaction, [fileId]);
  return outcome;
}
