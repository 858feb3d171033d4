import {
  appendEntry,
  type ChainPosition,
  EMPTY_CHAIN,
  headAt,
  toCreationEntry,
} from '../../core/model/chain.ts';
import {
  type CreationResult,
  decideCreations,
  fileIdsOf,
  type IdempotentCreation,
} from '../../core/model/decide-creations.ts';
import type { ChangeEntry } from '../../core/model/history.ts';
import { hasReceiver, type ImportedState, type NewLink, startsPaused } from '../../core/model/link.ts';
import type { LinkChange } from '../../core/model/link-change.ts';
import { isNotified, toChangeEvents } from '../../core/model/link-event.ts';
import { termsOf } from '../../core/model/search-terms.ts';
import { type CurrentLink, TERM_COLUMNS, termValues, toWrittenRow, WRITTEN_COLUMNS } from '../link-rows.ts';
import { listNumberOf } from '../list-number.ts';
import { writeParts } from './file-sets.ts';
import { lockRequests, writeResponses } from './idempotent-requests.ts';
import type { LinkTransaction } from './link-transaction.ts';
import type { ListEntry } from './listed-rows.ts';
import { lockHolders } from './lock-holders.ts';
import { addStatuses, type StatusCounts } from './projections.ts';
import { type Columns, type Dialect, insertInto, type Statement } from './query.ts';
import { lockUploads, takeUploads } from './upload-ledger.ts';

/** A link to create, with its author and the response to its request. All are committed in one transaction. */
export type Creation = { link: NewLink; change: LinkChange; idempotency?: IdempotentCreation | undefined };

const LINK_COLUMNS: Columns = { ...WRITTEN_COLUMNS, created_at: 'integer' };
const TARGET_COLUMNS: Columns = {
  short_code: 'text',
  token_hash: 'text',
  ...TERM_COLUMNS,
};

const selectTaken = ({ texts }: Dialect): Statement =>
  `SELECT short_code FROM link WHERE short_code IN (SELECT value FROM ${texts('$1')})`;
/** Inserts links. If instances draw the same short code at the same moment, the first to insert it gets it. */
const insertLinks = (dialect: Dialect): Statement => `${insertInto('link', LINK_COLUMNS, dialect)}
         ORDER BY short_code ON CONFLICT (short_code) DO NOTHING RETURNING short_code`;

/** Creates those links of a batch that can be created, each with a record of who did, and the responses to their requests. */
export async function createLinks(
  transaction: LinkTransaction,
  creations: readonly Creation[],
): Promise<CreationResult[]> {
  const { dialect, query } = transaction;
  const links = creations.map(({ link }) => link);
  const requests = await lockRequests(transaction, creations);
  const fileIds = fileIdsOf(links);
  const { teams } = await lockHolders(
    transaction,
    links.map(({ team }) => ({ team })),
  );
  const [takenRows, uploads, { firstSeq }] = await Promise.all([
    query<{ short_code: string }>(selectTaken(dialect), [
      JSON.stringify(links.map((link) => link.shortCode)),
    ]),
    lockUploads(transaction, fileIds),
    transaction.lock([]),
  ]);
  const taken = new Set(takenRows.map((row) => row.short_code));
  const known = { uploads, requests: requests.known, teams };
  const results = decideCreations(creations, known, ({ link: { shortCode } }) => {
    const isFree = !taken.has(shortCode);
    taken.add(shortCode);
    return isFree;
  });
  const wanted = creations
    .filter((_, index) => results[index] === 'created')
    .map((creation, index) => startCreation(creation, firstSeq + index));
  const inserted = await insertNewLinks(transaction, wanted);
  const created = wanted.filter(({ link }) => inserted.has(link.shortCode));
  if (created.length > 0) appendCreations(transaction, created);
  writeResponses(transaction, created, requests);
  return results.map((result, index) => {
    const hasLostRace = result === 'created' && !inserted.has(links[index]?.shortCode ?? '');
    return hasLostRace ? 'short-code-taken' : result;
  });
}

/** A creation with the first entry of the link's history. */
export type StartedCreation = Creation & { entry: ChangeEntry & ChainPosition; current: CurrentLink };

export function startCreation(creation: Creation, seq: number): StartedCreation {
  const { link, change } = creation;
  const entry = appendEntry(EMPTY_CHAIN, toCreationEntry(link, change), seq);
  const { maxViews, startsAt, expiresAt } = link;
  const versions = { version: 0, definitionVersion: link.definitionVersion };
  const state = { ...toInitialState(link), maxViews, startsAt, expiresAt, ...versions, lastOpenedAt: null };
  return { ...creation, entry, current: { state, head: headAt(entry) } };
}

/** Returns the state in which a link begins. Only an imported one has views or has expired. */
function toInitialState(link: NewLink): Omit<ImportedState, 'from'> {
  const { status = 'ACTIVE', viewCount = 0 } = link.imported ?? {};
  return { status, viewCount, isPaused: startsPaused(link) };
}

/** Inserts links, and returns the short codes of those that no other instance inserted meanwhile. */
export async function insertNewLinks(
  { dialect, query }: LinkTransaction,
  wanted: readonly StartedCreation[],
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set();
  const rows = wanted.map(({ link, current }) => [...toWrittenRow(link.shortCode, current), link.createdAt]);
  const values = dialect.values(LINK_COLUMNS, rows);
  const inserted = await query<{ short_code: string }>(insertLinks(dialect), values);
  return new Set(inserted.map((row) => row.short_code));
}

function appendCreations(transaction: LinkTransaction, created: readonly StartedCreation[]): void {
  const viewed = created.filter(({ current }) => current.state.viewCount > 0); // imported links
  const statuses: StatusCounts = {};
  for (const { current } of created) addStatuses(statuses, { [current.state.status]: 1 });
  transaction.append({
    entries: created.map(({ entry }) => entry),
    links: new Map(viewed.map(({ link, current }) => [link.shortCode, current])),
    changed: [],
    statuses,
    events: created
      .filter(({ link, change }) => isNotified(change.notifiedLinks, () => hasReceiver(link)))
      .map(({ entry }) => toChangeEvents(entry, headAt(entry))),
  });
  writeTargets(transaction, created);
  takeUploads(transaction, fileIdsOf(created.map(({ link }) => link)));
}

/** Writes the targets of new links, and enters them into the list. */
export function writeTargets(transaction: LinkTransaction, created: readonly StartedCreation[]): void {
  const { dialect } = transaction;
  const rows = created.map(({ link }) => toTargetRow(link));
  transaction.write(insertInto('link_target', TARGET_COLUMNS, dialect), dialect.values(TARGET_COLUMNS, rows));
  const files = created.flatMap(({ link: { target } }) => (target.type === 'DOWNLOAD' ? [target.file] : []));
  writeParts(transaction, files);
  transaction.listLinks(created.map(toListEntry));
}

function toTargetRow(link: NewLink) {
  const { shortCode, tokenHash } = link;
  return [shortCode, tokenHash, ...termValues(link)];
}

/** Returns how a new link is in the list. */
function toListEntry({ link }: Creation): ListEntry {
  const { shortCode, createdAt, target, terms: plain, startsAt, maxViews, owner, team } = link;
  const searched = {
    ...plain,
    ...{ shortCode, owner, team, type: target.type },
    targetUrl: target.type === 'REDIRECT' ? target.url : null,
    fileName: target.type === 'DOWNLOAD' ? target.file.fileName : null,
    message: target.type === 'REQUEST' ? target.request.message : null,
    requestCode: link.requestCode ?? null,
  };
  const terms = termsOf(searched, { ...toInitialState(link), startsAt, maxViews });
  return { number: listNumberOf(createdAt, shortCode), shortCode, terms };
}
