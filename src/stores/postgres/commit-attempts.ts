import { type Attempt, CHANGED } from '../../links/attempt.ts';
import { dependsOnLink } from '../../links/decide-attempt.ts';
import { applyAttempts, type BatchEffects, type BatchOutcome, type Counts } from '../apply-attempts.ts';
import { ABANDONED, type IsAbandoned } from '../departures.ts';
import type { Statement } from '../sql/query.ts';
import { type AgentCache, createAgentCache } from './agent-cache.ts';
import type { Connections } from './connection.ts';
import { countLinks } from './count-links.ts';
import type { DatabaseIdentity } from './database-identity.ts';
import { updateSearch } from './list-links.ts';
import { type LockStrategy, prepareLockLinks } from './lock-links.ts';
import { LOCKED } from './lock-wait-queue.ts';
import { createOriginCache } from './origin-cache.ts';
import { prepareRankTopLinks } from './rank-top-links.ts';
import { inTransaction, type Transaction } from './transaction.ts';
import { writeEvents } from './write-events.ts';

/** Writes what every batch has, in one statement: most of the cost of a statement does not depend on its size. */
const WRITE: Statement = {
  name: 'write-attempts',
  text: `WITH recorded AS (
           INSERT INTO audit (id, short_code, result, ip_address, user_agent, accessed_at, number, agent_number, prev,
             count)
           SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
             $19::bigint[], $22::bigint[], $24::uuid[], $26::int[])),
         entered AS (
           UPDATE link SET view_count = coalesce(entered.view_count, link.view_count),
             last_opened_at = coalesce(entered.last_opened_at, link.last_opened_at),
             entry_count = entered.entry_count, fingerprint = decode(entered.fingerprint, 'hex'),
             last_id = entered.last_id
           FROM unnest($8::text[], $9::bigint[], $23::bigint[], $20::bigint[], $21::text[], $25::uuid[])
             AS entered (short_code, view_count, last_opened_at, entry_count, fingerprint, last_id)
           WHERE link.short_code = entered.short_code),
         by_hour AS (${addCounts('attempts_by_hour', 'hour', '$10::bigint[], $11::text[], $12::bigint[]')}),
         by_day AS (${addCounts('attempts_by_day', 'day', '$13::bigint[], $14::text[], $15::bigint[]')})
         ${addCounts('attempts_by_hour_of_day', 'hour', '$16::bigint[], $17::text[], $18::bigint[]')}`,
};
function addCounts(rollup: string, unit: 'hour' | 'day', columns: string): string {
  return `INSERT INTO ${rollup} (${unit}, result, slot, count)
          SELECT ${unit}, result, $1, count FROM unnest(${columns}) AS new_count (${unit}, result, count)
          ORDER BY ${unit}, result
          ON CONFLICT (${unit}, result, slot) DO UPDATE SET count = ${rollup}.count + excluded.count`;
}
const UPDATE_STATUSES: Statement = {
  name: 'update-statuses',
  text: `UPDATE link SET status = changed.status
         FROM unnest($1::text[], $2::text[]) AS changed (short_code, status)
         WHERE link.short_code = changed.short_code`,
};
const ADD_INVALID_PASSWORDS: Statement = {
  name: 'add-invalid-passwords',
  text: `UPDATE link SET invalid_password_count = invalid_password_count + wrong.count
         FROM unnest($1::text[], $2::bigint[]) AS wrong (short_code, count)
         WHERE link.short_code = wrong.short_code`,
};
const ADD_ORIGINS: Statement = {
  name: 'add-origins',
  text: `WITH added AS (
           INSERT INTO origin (ip_address) SELECT ip_address FROM unnest($1::text[]) AS seen (ip_address)
           ORDER BY ip_address ON CONFLICT (ip_address) DO NOTHING RETURNING ip_address)
         INSERT INTO origin_count (slot, count) SELECT $2, count(*) FROM added HAVING count(*) > 0
         ON CONFLICT (slot) DO UPDATE SET count = origin_count.count + excluded.count`,
};

const FIND_RECORD: Statement = {
  name: 'find-record',
  text: 'SELECT id FROM audit WHERE id = ANY($1::uuid[]) LIMIT 1',
};

type Decided = { outcomes: (BatchOutcome | typeof LOCKED)[]; onCommitted: () => void };

/** Prepares deciding a batch of attempts and committing all their effects, or none, in one transaction. */
export function prepareCommitAttempts(
  connections: Connections,
  { nextSlot, identity }: { nextSlot: () => number; identity: DatabaseIdentity },
) {
  const createCaches = () => ({
    rankTopLinks: prepareRankTopLinks(),
    knownOrigins: createOriginCache(),
    agents: createAgentCache(connections),
  });
  let caches = createCaches();
  identity.onChange(() => {
    caches = createCaches();
  });

  return async (
    attempts: Attempt[],
    strategy: LockStrategy,
    isAbandoned: IsAbandoned = () => false,
  ): Promise<Decided['outcomes']> => {
    const lockLinks = prepareLockLinks(shortCodesOf(attempts), strategy);
    const work = async (transaction: Transaction, unconfirmed?: Decided): Promise<Decided> => {
      const { links, heads, heldElsewhere } = await lockLinks(transaction);
      if (unconfirmed && (await isCommitted(transaction, unconfirmed, attempts))) return unconfirmed;
      // Those of the database that responded: what it commits does not enter the caches of a later one.
      const { rankTopLinks, knownOrigins, agents } = caches;
      const isHeld = attempts.map((each) => heldElsewhere.has(each.shortCode) && dependsOnLink(each));
      // The ids of an unconfirmed batch prove its outcome, so it stays the same.
      const isDropped: IsAbandoned = unconfirmed
        ? (index) => unconfirmed.outcomes[index] === ABANDONED
        : isAbandoned;
      const effects = applyAttempts(links, attempts, (index) => isHeld[index] || isDropped(index), heads);
      const outcomes = effects.outcomes.map((outcome, index) => (isHeld[index] ? LOCKED : outcome));
      if (effects.records.length === 0) return { outcomes, onCommitted: () => {} };
      const slot = nextSlot();
      await writeEffects(transaction, { slot, agents }, effects);
      writeEvents(transaction, effects.events);
      const newOrigins = knownOrigins.selectUnknown(effects.origins);
      if (newOrigins.length > 0) transaction.write(ADD_ORIGINS, [newOrigins, slot]);
      const onRanked = await rankTopLinks(transaction, links, effects.viewed);
      const onCommitted = () => {
        onRanked();
        knownOrigins.add(newOrigins);
      };
      return { outcomes, onCommitted };
    };
    const { outcomes, onCommitted } = await inTransaction(connections, work);
    onCommitted();
    return outcomes;
  };
}

/**
 * Returns whether an earlier run was committed. Its locks are released, so its records are visible if it was. Otherwise
 * the attempts are decided again: a link may have been changed since, so that this run inserts fewer records.
 */
async function isCommitted(
  transaction: Transaction,
  { outcomes }: Decided,
  attempts: readonly Attempt[],
): Promise<boolean> {
  const recorded = attempts.filter((_, index) => isRecorded(outcomes[index]));
  const [row] = await transaction.read<{ id: string }>(FIND_RECORD, [recorded.map(({ id }) => id)]);
  return row !== undefined;
}

function isRecorded(outcome: Decided['outcomes'][number] | undefined): boolean {
  return typeof outcome === 'object' && outcome.verdict !== CHANGED;
}

function shortCodesOf(attempts: readonly Attempt[]): string[] {
  return [...new Set(attempts.map(({ shortCode }) => shortCode))];
}

async function writeEffects(
  transaction: Transaction,
  { slot, agents }: { slot: number; agents: AgentCache },
  effects: BatchEffects,
): Promise<void> {
  const { records, heads, viewed, statusChanges, invalidPasswords, byHour, byDay, byHourOfDay } = effects;
  const agentNumbers = records.map(({ userAgent }) =>
    userAgent === null ? null : (agents.numberOf(userAgent) ?? null),
  );
  transaction.write(WRITE, [
    slot,
    records.map(({ id }) => id),
    records.map(({ shortCode }) => shortCode),
    records.map(({ result }) => result),
    records.map(({ ipAddress }) => ipAddress),
    records.map(({ userAgent }, index) => (agentNumbers[index] === null ? userAgent : null)),
    records.map(({ accessedAt }) => accessedAt),
    [...heads.keys()],
    [...heads.keys()].map((shortCode) => viewed.get(shortCode)?.viewCount ?? null),
    ...columnsOf(byHour),
    ...columnsOf(byDay),
    ...columnsOf(byHourOfDay),
    records.map(({ number }) => number),
    [...heads.values()].map(({ entryCount }) => entryCount),
    [...heads.values()].map(({ fingerprint }) => fingerprint),
    agentNumbers,
    [...heads.keys()].map((shortCode) => viewed.get(shortCode)?.lastOpenedAt ?? null),
    records.map(({ prev }) => prev),
    [...heads.values()].map(({ lastId }) => lastId),
    records.map(({ count }) => count),
  ]);
  if (statusChanges.size > 0) {
    transaction.write(UPDATE_STATUSES, [[...statusChanges.keys()], [...statusChanges.values()]]);
    await updateSearch(transaction, [...statusChanges.keys()]);
    for (const status of new Set(statusChanges.values())) {
      const count = [...statusChanges.values()].filter((each) => each === status).length;
      countLinks(transaction, slot, { ACTIVE: -count, [status]: count });
    }
  }
  if (invalidPasswords.size > 0) {
    transaction.write(ADD_INVALID_PASSWORDS, [[...invalidPasswords.keys()], [...invalidPasswords.values()]]);
  }
}

/** Returns counts as three columns: times, results, counts. */
function columnsOf(counts: Counts): [number[], string[], number[]] {
  const rows = [...counts].flatMap(([time, byResult]) =>
    [...byResult].map(([result, count]) => ({ time, result, count })),
  );
  return [rows.map(({ time }) => time), rows.map(({ result }) => result), rows.map(({ count }) => count)];
}
