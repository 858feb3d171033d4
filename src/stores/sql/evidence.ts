import { hashHex } from '../../core/model/ed25519.ts';
import { type ReadTile, TILE_WIDTH, toLeafHash, toRoot } from '../../core/model/merkle-tree.ts';
import type { EvidenceStore, LogTree, NewTile, SignedTree, TreeState } from '../../core/ports/evidence.ts';
import { type Columns, type Dialect, insertInto, type Query, type Statement } from './query.ts';

/** A call of `growTree` hashes at most so many tiles, in about 5 ms. */
const TILES_AT_ONCE = 32;
/** The entries of a link after the last checkpoint that are followed back; more came only within a minute. */
const MAX_FOLLOWED = 1_000;

/**
 * Selects the next leaves after $1 up to $2, at most $3, as one text: a row for each would take three times as long. Both engines
 * join the rows of the inner query in its order; asking for that once more would double the time.
 */
const selectLeaves = ({ bytesToHex, joined }: Dialect): Statement =>
  `SELECT count(*) AS count, max(seq) AS last, ${joined('fingerprint')} AS fingerprints
   FROM (SELECT seq, ${bytesToHex('fingerprint')} AS fingerprint FROM entry
         WHERE seq > $1 AND seq <= $2 AND fingerprint IS NOT NULL ORDER BY seq LIMIT $3) AS leaf`;
/** A fingerprint and the comma after it. */
const LEAF_WIDTH = 65;
type Leaves = { count: number; last: number; fingerprints: string };

const SELECT_TREE = `SELECT size, last_seq AS "lastSeq", open_leaves AS "openLeaves", signed FROM log_tree`;
type TreeRow = { size: number; lastSeq: number; openLeaves: string; signed: string | null };

const INSERT_TREE = `INSERT INTO log_tree (only_row, size, last_seq, open_leaves, signed) VALUES (1, $1, $2, $3, $4)
         ON CONFLICT DO NOTHING RETURNING size`;
const UPDATE_TREE = `UPDATE log_tree SET size = $1, last_seq = $2, open_leaves = $3, signed = $4
         WHERE size = $5 AND last_seq = $6 AND coalesce(signed, '') = $7 RETURNING size`;
const TILE: Columns = { level: 'integer', position: 'integer', last_seq: 'integer', hash: 'bytes' };

const selectTile = ({ bytesToHex }: Dialect): Statement =>
  `SELECT ${bytesToHex('hash')} AS hash FROM log_tile WHERE level = $1 AND position >= $2 AND position < $3 ORDER BY position`;
/** Selects the ends of the complete tiles of leaves $1 - 1 and $1. */
const SELECT_ENDS =
  'SELECT position, last_seq AS "lastSeq" FROM log_tile WHERE level = 1 AND position >= $1 - 1 AND position <= $1';
const SELECT_TILE_BEFORE =
  'SELECT position, last_seq AS "lastSeq" FROM log_tile WHERE level = 1 AND last_seq < $1 ORDER BY last_seq DESC LIMIT 1';
type End = { position: number; lastSeq: number };
const SELECT_LAST = 'SELECT max(seq) AS seq FROM entry WHERE seq <= $1';
const COUNT_LEAVES =
  'SELECT count(*) AS count FROM entry WHERE seq > $1 AND seq < $2 AND fingerprint IS NOT NULL';

/** Selects the newest entry of the link $2 up to $3, from the entry $1 on, with a number of at least $4. */
const selectCovered = ({ lookUp }: Dialect): Statement => `WITH RECURSIVE chain (seq, number, prev) AS (
           SELECT seq, number, prev FROM entry WHERE seq = $1 AND short_code = $2
           UNION ALL
           SELECT entry.seq, entry.number, entry.prev FROM chain ${lookUp('entry', 'entry.seq = chain.prev')}
           WHERE chain.seq > $3 AND chain.number > $4)
         SELECT seq, number FROM chain WHERE seq <= $3 ORDER BY number DESC LIMIT 1`;
const SELECT_JUMP_BEFORE =
  'SELECT seq, number FROM history_jump WHERE short_code = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1';

const selectFingerprint = ({ bytesToHex }: Dialect): Statement =>
  `SELECT ${bytesToHex('fingerprint')} AS fingerprint FROM entry
   WHERE seq = $1 AND short_code = $2 AND fingerprint IS NOT NULL`;

/** Returns a function that reads the hashes of at most `limit` leaves after a position, and where the last one is. */
function prepareReadLeaves(query: Query, dialect: Dialect) {
  const statement = selectLeaves(dialect);
  return async (after: number, until: number, limit: number): Promise<{ leaves: string[]; last: number }> => {
    const [row] = await query<Leaves>(statement, [after, until, limit]);
    if (!row || row.count === 0) return { leaves: [], last: after };
    const { count, last, fingerprints } = row;
    if (fingerprints.length !== count * LEAF_WIDTH - 1)
      throw new Error(
        `an entry from ${after} to ${last} of the log has a damaged fingerprint: run postern verify`,
      );
    const leaves = Array.from({ length: count }, (_, index) =>
      toLeafHash(hashHex, fingerprints.slice(index * LEAF_WIDTH, (index + 1) * LEAF_WIDTH - 1)),
    );
    return { leaves, last };
  };
}

function prepareReadTile(
  query: Query,
  dialect: Dialect,
  readLeaves: ReturnType<typeof prepareReadLeaves>,
): ReadTile {
  const statement = selectTile(dialect);
  return async (level, index) => {
    if (level === 0) {
      const ends = await query<End>(SELECT_ENDS, [index]);
      const endOf = (position: number) => ends.find((end) => end.position === position)?.lastSeq;
      const [before, last] = [index === 0 ? 0 : endOf(index - 1), endOf(index)];
      if (before === undefined || last === undefined) return [];
      const { leaves } = await readLeaves(before, last, TILE_WIDTH);
      return leaves.length === TILE_WIDTH ? leaves : []; // fewer are not at their places
    }
    const rows = await query<{ hash: string }>(statement, [
      level,
      index * TILE_WIDTH,
      (index + 1) * TILE_WIDTH,
    ]);
    return rows.map(({ hash }) => hash);
  };
}

/** Returns a new tile, which ends at `lastSeq`, with those that it completes. `added`: those that the store does not have yet. */
async function completeTiles(
  tile: NewTile,
  added: readonly NewTile[],
  readTile: ReadTile,
): Promise<NewTile[]> {
  const { level, position, lastSeq } = tile;
  if ((position + 1) % TILE_WIDTH !== 0) return [tile];
  const index = (position + 1) / TILE_WIDTH - 1;
  const fromStore = await readTile(level, index);
  const fromHere = [...added, tile].filter((each) => each.level === level).map(({ hash }) => hash);
  const hashes = [...fromStore, ...fromHere].slice(-TILE_WIDTH);
  const above = { level: level + 1, position: index, lastSeq, hash: toRoot(hashHex, hashes) };
  return [tile, ...(await completeTiles(above, added, readTile))];
}

/** Returns the operations on the tree of the log that read. */
export function createEvidenceReads(
  query: Query,
  dialect: Dialect,
): Omit<EvidenceStore, 'readSettled' | 'saveTree'> {
  const readLeaves = prepareReadLeaves(query, dialect);
  const readTile = prepareReadTile(query, dialect, readLeaves);
  const coveredStatement = selectCovered(dialect);
  const fingerprintStatement = selectFingerprint(dialect);

  /** Returns the last entry up to a position, also one that is no leaf. Later entries may begin right after it, as after a move. */
  async function readLast(until: number, lastLeaf: number): Promise<number> {
    const [row] = await query<{ seq: number | null }>(SELECT_LAST, [until]);
    return Math.max(row?.seq ?? 0, lastLeaf);
  }

  return {
    readTile,
    async readTree(): Promise<LogTree | null> {
      const [row] = await query<TreeRow>(SELECT_TREE);
      if (!row) return null;
      const signed = row.signed === null ? null : (JSON.parse(row.signed) as SignedTree); // as `saveTree` wrote it
      return { ...row, openLeaves: row.openLeaves.match(/.{64}/g) ?? [], signed };
    },
    async growTree(from: TreeState, until: number) {
      let { size, lastSeq, openLeaves } = from;
      const tiles: NewTile[] = [];
      for (let added = 0; added < TILES_AT_ONCE; added++) {
        const room = TILE_WIDTH - openLeaves.length;
        const { leaves, last } = await readLeaves(lastSeq, until, room);
        size += leaves.length;
        openLeaves = [...openLeaves, ...leaves];
        if (leaves.length < room)
          return { tree: { size, lastSeq: await readLast(until, last), openLeaves }, tiles, isDone: true };
        const tile = {
          level: 1,
          position: size / TILE_WIDTH - 1,
          lastSeq: last,
          hash: toRoot(hashHex, openLeaves),
        };
        tiles.push(...(await completeTiles(tile, tiles, readTile)));
        [lastSeq, openLeaves] = [last, []];
      }
      return { tree: { size, lastSeq, openLeaves }, tiles, isDone: false };
    },
    async countLeaves(before: number): Promise<number> {
      const [end] = await query<End>(SELECT_TILE_BEFORE, [before]);
      const [row] = await query<{ count: number }>(COUNT_LEAVES, [end?.lastSeq ?? 0, before]);
      return (end ? (end.position + 1) * TILE_WIDTH : 0) + (row?.count ?? 0);
    },
    async findCovered(shortCode, head, lastSeq) {
      const values = [head.lastSeq, shortCode, lastSeq, head.entryCount - MAX_FOLLOWED];
      type Found = { seq: number; number: number };
      const [followed] = await query<Found>(coveredStatement, values);
      const found = followed ?? (await query<Found>(SELECT_JUMP_BEFORE, [shortCode, lastSeq]))[0];
      if (!found) return undefined;
      const [entry] = await query<{ fingerprint: string }>(fingerprintStatement, [found.seq, shortCode]);
      return entry && { ...found, ...entry };
    },
  };
}

/** Saves a tree with its tiles, if the store still has the one before. */
export async function saveTree(
  query: Query,
  dialect: Dialect,
  ...[before, after, tiles]: Parameters<EvidenceStore['saveTree']>
): Promise<boolean> {
  const written = [after.size, after.lastSeq, after.openLeaves.join(''), toText(after)];
  const saved =
    before === null
      ? await query(INSERT_TREE, written)
      : await query(UPDATE_TREE, [...written, before.size, before.lastSeq, toText(before) ?? '']);
  if (saved.length === 0) return false;
  const rows = tiles.map(({ level, position, lastSeq, hash }) => [level, position, lastSeq, hash]);
  if (rows.length > 0) await query(insertInto('log_tile', TILE, dialect), dialect.values(TILE, rows));
  return true;
}

const toText = ({ signed }: LogTree): string | null => signed && JSON.stringify(signed);
