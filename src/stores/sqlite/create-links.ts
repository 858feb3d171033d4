import type { DatabaseSync } from 'node:sqlite';
import { EMPTY_CHAIN, nextPlace } from '../../links/chain.ts';
import { type CreationResult, decideCreations, fileIdsOf } from '../../links/decide-creations.ts';
import type { NewLink } from '../../links/link.ts';
import {
  type ChainedCreation,
  type Creation,
  chainCreation,
  countStatuses,
  toCreationEvents,
  toInitialState,
  toViewed,
} from '../creation.ts';
import { TERM_COLUMNS } from '../link-rows.ts';
import { toNewEntry } from '../list-entry.ts';
import { toTermValues } from './change-link.ts';
import { prepareCountLinks } from './count-links.ts';
import { prepareIdempotentRequests } from './idempotent-requests.ts';
import { prepareListLinks } from './list-links.ts';
import { prepareRankTopLinks } from './rank-top-links.ts';
import { prepareRecordChange } from './record-change.ts';
import type { WriteBack } from './write-back.ts';
import { prepareWriteEvents } from './write-events.ts';

/** Inserts those links of a batch that can be created, who created them, and the responses to their requests. */
export function prepareCreateLinks(
  db: DatabaseSync,
  writeBack: WriteBack,
  rankTopLinks = prepareRankTopLinks(db, writeBack),
): (creations: Creation[]) => CreationResult[] {
  const isPending = db.prepare('SELECT 1 FROM upload WHERE file_id = ? AND taken = 0');
  const insertLink = db.prepare(
    `INSERT INTO link (short_code, max_views, starts_at, expires_at, created_at, status, view_count, is_paused,
       entry_count, fingerprint, last_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, unhex(?), unhex(?, '-')) ON CONFLICT DO NOTHING`,
  );
  const insertTarget = prepareInsertTarget(db);
  const recordChange = prepareRecordChange(db);
  const listLinks = prepareListLinks(db);
  const countLinks = prepareCountLinks(db);
  const writeEvents = prepareWriteEvents(db);
  const idempotentRequests = prepareIdempotentRequests(db);

  /** Returns false when another link has the short code. */
  function insert({ link, head: { entryCount, fingerprint, lastId } }: ChainedCreation): boolean {
    const { shortCode, maxViews, startsAt, expiresAt, createdAt } = link;
    const { status, viewCount, isPaused } = toInitialState(link);
    const initial = [status, viewCount, Number(isPaused), entryCount, fingerprint, lastId];
    return insertLink.run(shortCode, maxViews, startsAt, expiresAt, createdAt, ...initial).changes === 1;
  }

  return (creations) => {
    const fileIds = fileIdsOf(creations.map(({ link }) => link));
    const chained = creations.map(chainCreation);
    const results = decideCreations(
      chained,
      {
        uploads: fileIds.filter((fileId) => isPending.get(fileId)),
        requests: idempotentRequests.findKnown(creations),
      },
      insert,
    );
    const created = chained.filter((_, index) => results[index] === 'created');
    for (const { link, entry } of created) {
      insertTarget(link);
      recordChange(entry, nextPlace(EMPTY_CHAIN));
    }
    listLinks(created.map(toNewEntry));
    if (created.length > 0) countLinks(countStatuses(created));
    rankTopLinks(toViewed(created));
    writeEvents(toCreationEvents(created));
    idempotentRequests.insert(created);
    return results;
  };
}

function prepareInsertTarget(db: DatabaseSync): (link: NewLink) => void {
  const insertTarget = db.prepare(
    `INSERT INTO link_target (short_code, file_id, file_name, file_size_bytes, file_sha256, token_hash, creator, ${TERM_COLUMNS})
     VALUES (?, ?, ?, ?, ?, ?, ?, ${TERM_COLUMNS.map(() => '?')})`,
  );
  const deleteUpload = db.prepare('DELETE FROM upload WHERE file_id = ?');

  return (link) => {
    const { shortCode, target, tokenHash, creator } = link;
    const file = target.type === 'DOWNLOAD' ? target.file : null;
    const { fileId = null, fileName = null, sizeBytes = null, sha256 = null } = file ?? {};
    const fileColumns = [fileId, fileName, sizeBytes, sha256];
    insertTarget.run(shortCode, ...fileColumns, tokenHash, creator, ...toTermValues(link));
    if (file) deleteUpload.run(file.fileId);
  };
}
