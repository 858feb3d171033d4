import { appendEntry, headAt, toChangeEntry, toRevocationEntry } from '../../core/model/chain.ts';
import { type ChangeResult, decideChange, type RequestedChange } from '../../core/model/decide-change.ts';
import {
  type CodeResult,
  decideCodeChange,
  type RequestedCode,
} from '../../core/model/decide-code-change.ts';
import { MAILED_TO } from '../../core/model/hashed-text.ts';
import type { LogEntry } from '../../core/model/history.ts';
import { hasReceiver, type Link, type StoredFile } from '../../core/model/link.ts';
import type { LinkChange } from '../../core/model/link-change.ts';
import { isNotified, type LinkEvents, toChangeEvents } from '../../core/model/link-event.ts';
import { fileOf } from '../../core/model/link-terms.ts';
import { TERM_COLUMNS, termValues, toLink } from '../link-rows.ts';
import { insertNewLinks, startCreation, writeTargets } from './create-links.ts';
import { PASS_FILE_ON } from './ended-links.ts';
import { deleteParts, writeParts } from './file-sets.ts';
import { type LinkTransaction, LOCKED, type LockedLinks } from './link-transaction.ts';
import { lockHolders } from './lock-holders.ts';
import { addStatuses, type StatusCounts } from './projections.ts';
import type { Columns, Dialect, Statement } from './query.ts';
import { createReadLinks } from './read-link.ts';
import { enterTakenFiles, lockUploads, type TakenFile, takeUploads } from './upload-ledger.ts';

/** A change that is requested of a link, with its author. Both are committed in one transaction. */
export type Change = { shortCode: string; requested: RequestedChange; change: LinkChange };

const CHANGED_COLUMNS: Columns = { token_hash: 'text', ...TERM_COLUMNS };
const COLUMNS: Columns = { short_code: 'text', ...CHANGED_COLUMNS };

const updateTargets = (
  dialect: Dialect,
): Statement => `UPDATE link_target SET ${Object.keys(CHANGED_COLUMNS).map((column) => `${column} = given.${column}`)}
         FROM ${dialect.given(COLUMNS)} WHERE link_target.short_code = given.short_code`;

/** Changes the terms of links, each with a record of who did. */
export async function changeLinks(
  transaction: LinkTransaction,
  changes: readonly Change[],
): Promise<(ChangeResult | typeof LOCKED)[]> {
  const { dialect } = transaction;
  const holders = await lockHolders(
    transaction,
    changes.map(({ requested }) => requested.patch),
  );
  const locked = await transaction.lock(changes.map(({ shortCode }) => shortCode));
  const links = await readLocked(transaction, locked);
  const fileIds = changes.flatMap(({ requested: { patch } }) => patch.file?.fileId ?? []);
  const pending = await lockUploads(transaction, fileIds);
  const known = { ...holders, isPending: (fileId: string) => pending.has(fileId) };
  const changed = new Map<string, Link>();
  const files = { linked: [] as StoredFile[], taken: [] as TakenFile[] };
  const entries: LogEntry[] = [];
  const events: LinkEvents[] = [];
  const statuses: StatusCounts = {};
  const results = changes.map(({ shortCode, requested, change }): ChangeResult | typeof LOCKED => {
    if (locked.heldElsewhere.has(shortCode)) return LOCKED;
    const before = links.get(shortCode);
    const decision = decideChange(before, requested, change.at, known);
    if (decision.result !== 'changed') return decision;
    const { from, details } = decision;
    const { mail } = requested.patch;
    const entry = appendEntry(
      decision.link.history,
      toChangeEntry(shortCode, { ...details, ...(mail && { [MAILED_TO]: mail.to }) }, change),
      locked.firstSeq + entries.length,
    );
    const link = { ...decision.link, history: headAt(entry) };
    const isReplaced = requested.patch.file?.fileId !== (before && fileOf(before)?.fileId);
    if (requested.patch.file && isReplaced && before?.target.type === 'DOWNLOAD') {
      files.linked.push(requested.patch.file);
      files.taken.push({ ...before.target.file, quotaOwner: before.owner });
    }
    entries.push(entry);
    links.set(shortCode, link);
    changed.set(shortCode, link);
    addStatuses(statuses, { [from]: -1 });
    addStatuses(statuses, { [link.status]: 1 });
    if (mail || isNotified(change.notifiedLinks, () => hasReceiver(link)))
      events.push(toChangeEvents(entry, link.history, mail));
    return { result: 'changed', link, changedTerms: Object.keys(details) };
  });
  if (entries.length > 0) {
    const after = new Map(
      [...changed].map(([shortCode, link]) => [shortCode, { state: link, head: link.history }]),
    );
    transaction.append({ entries, links: after, changed: after.keys(), statuses, events });
    const terms = [...changed].map(([shortCode, link]) => [shortCode, link.tokenHash, ...termValues(link)]);
    transaction.write(updateTargets(dialect), dialect.values(COLUMNS, terms));
    takeUploads(
      transaction,
      files.linked.map(({ fileId }) => fileId),
    );
    writeParts(transaction, files.linked);
    deleteParts(
      transaction,
      files.taken.map(({ fileId }) => fileId),
    );
    enterTakenFiles(transaction, files.taken, Math.max(...changes.map(({ change }) => change.at)));
    await transaction.updateSearch([...changed.keys()]);
  }
  return results;
}

/** Reads all of links that are locked. */
async function readLocked(
  { dialect, query }: LinkTransaction,
  locked: LockedLinks,
): Promise<Map<string, Link>> {
  const rows = await createReadLinks(query, dialect)([...locked.links.keys()]);
  const links = new Map<string, Link>();
  for (const row of rows) {
    const current = locked.links.get(row.short_code);
    if (current) links.set(row.short_code, { ...toLink(row), ...current.state, history: current.head });
  }
  return links;
}

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
  const row = rows.find((each) => each.short_code === shortCode);
  const current = links.get(shortCode);
  const link = row && current && { ...toLink(row), ...current.state, history: current.head };
  const isTaken = rows.some((each) => each.short_code === requested.shortCode);
  const decision = decideCodeChange(link, isTaken, requested, creation.at);
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
  ].filter(({ notified }) => isNotified(notified, () => hasReceiver(link)));
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
