import { countOf } from '../../../common/format.ts';
import {
  createSigner,
  describeKey,
  hashHex,
  parseSigner,
  type Signer,
  verifyEd25519,
} from '../../model/ed25519.ts';
import type { EpochMs } from '../../model/link.ts';
import { hashRange, MissingHashes, type TreeHead } from '../../model/merkle-tree.ts';
import {
  type Checkpoint,
  formatCheckpoint,
  formatHandover,
  formatVerifierKey,
  parseCheckpoint,
  parseHandover,
  parseNote,
  verifyNote,
} from '../../model/signed-note.ts';
import type { EvidenceStore, KeptKey, KeyKeeper, LogTree, SignedTree } from '../../ports/evidence.ts';
import { readTileOf } from './prove-entry.ts';

/** Why no checkpoint is signed, and what to do about it. */
export class CheckpointRefused extends Error {
  override readonly name = 'CheckpointRefused';
}

/** `newOrigin`: returns a name for a new log, which no other has. */
export type EvidenceParts = {
  evidence: EvidenceStore;
  keeper: KeyKeeper;
  clock: () => EpochMs;
  newOrigin: () => string;
};

const EMPTY_TREE: LogTree = { size: 0, lastSeq: 0, openLeaves: [], signed: null };
const NEW_LOG = 'if that cannot be, begin a new log with `postern keys rotate-evidence --new-log`';

type Log = { signer: Signer; kept: KeptKey };

/** Opens the key of the log, which is created with the log. */
async function openLog(parts: EvidenceParts, tree: LogTree | null): Promise<Log> {
  const { keeper, newOrigin } = parts;
  const kept = await keeper.read();
  if (kept) {
    const signer = parseSigner(kept.secret);
    if (signer) return { signer, kept };
    throw new CheckpointRefused(`the key of the log cannot be read: restore it from a backup; ${NEW_LOG}`);
  }
  if (tree?.signed)
    throw new CheckpointRefused(
      `the key of the log is missing: put it back, with the file .newest beside it; ${NEW_LOG}`,
    );
  const signer = createSigner(newOrigin());
  const created = { secret: signer.secret, handovers: [] };
  // Another instance may start at the same time, with the same file.
  return (await keeper.create(created)) ? { signer, kept: created } : openLog(parts, tree);
}

/** Waits for a promise. Resolves to undefined when the signal is aborted first. */
async function unlessAborted<T>(wanted: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const abort = () => aborted.resolve(undefined);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([aborted.promise, wanted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Adds what was committed to the tree, in short steps. `saved`: the tree that the store has then, without the last leaves.
 * Returns undefined when another instance did it at the same time, and when `stopping` is aborted first.
 */
async function grow(evidence: EvidenceStore, before: LogTree | null, stopping?: AbortSignal) {
  const until = await unlessAborted(evidence.readSettled(), stopping);
  if (until === undefined) return undefined;
  const signed = before?.signed ?? null;
  let saved = before;
  for (;;) {
    const { tree, tiles, isDone } = await evidence.growTree(saved ?? EMPTY_TREE, until);
    const grown: LogTree = { ...tree, signed };
    if (isDone && tiles.length === 0) return { saved, grown };
    if (!(await evidence.saveTree(saved, grown, tiles)) || stopping?.aborted) return undefined;
    saved = grown;
    if (isDone) return { saved, grown };
  }
}

/** Returns the newest checkpoint beside the key; undefined where it is not of this log. */
async function readNoted(
  { keeper }: EvidenceParts,
  { signed }: LogTree,
  { signer }: Log,
): Promise<Checkpoint | undefined> {
  const newest = await keeper.readNewest();
  if (newest === null) {
    if (!signed || parseCheckpoint(signed.note)?.origin !== signer.key.name) return undefined;
    // Of a key that was copied alone, it is not known what it has signed last.
    throw new CheckpointRefused(
      `the newest checkpoint beside the key is missing: put the file .newest back; ${NEW_LOG}`,
    );
  }
  const noted = parseCheckpoint(newest);
  if (!noted || verifyNote(noted.note, signer.key, verifyEd25519).result === 'WRONG')
    throw new CheckpointRefused(
      `the newest checkpoint beside the key is damaged: restore it from a backup; ${NEW_LOG}`,
    );
  return noted.origin === signer.key.name ? noted : undefined; // else of the log before
}

/**
 * Compares the tree with what the key has signed, each time: an older copy of the database may have been restored also while
 * the service runs. `before`: the tree before it grew, which has leaves at its end whose month may be detached now. Does not
 * read the entries of complete tiles again.
 */
async function compare(
  parts: EvidenceParts,
  { before, grown }: { before: LogTree | null; grown: LogTree },
  log: Log,
): Promise<void> {
  const { evidence, keeper } = parts;
  async function compareWith(head: TreeHead): Promise<void> {
    const tree = before && head.size <= before.size ? before : grown;
    if (head.size > tree.size || !(await hasTree(evidence, tree, head)))
      throw new CheckpointRefused(
        `the log has ${countOf(grown.size, 'entry', 'entries')}, and the newest checkpoint is of ${head.size}, with others: an older backup was ` +
          `restored, or entries were changed. Put the newest database back; ${NEW_LOG}`,
      );
  }
  const noted = await readNoted(parts, grown, log);
  if (noted) await compareWith(noted);
  const signed = grown.signed && parseCheckpoint(grown.signed.note);
  if (!grown.signed || signed?.origin !== log.signer.key.name || signed.size <= (noted?.size ?? 0)) return;
  // Another instance signed it, and this one may have its own copy of the key.
  await keeper.writeNewest(grown.signed.note);
  await compareWith(signed);
}

/** Prepares signing a checkpoint of all entries that are committed. */
export function prepareSignCheckpoint(parts: EvidenceParts) {
  const { evidence, keeper, clock } = parts;

  /**
   * Signs a checkpoint, if there are entries since the last one. Returns it; undefined if there are none, or if another
   * instance signs.
   *
   * @throws CheckpointRefused where the log is not the one that the key has signed
   */
  return async (stopping?: AbortSignal): Promise<SignedTree | undefined> => {
    const before = await evidence.readTree();
    const log = await openLog(parts, before);
    const { signer, kept } = log;
    const key = describeKey(signer);
    const foreign = before?.signed && explainForeign(before.signed, log);
    if (foreign) throw new CheckpointRefused(`${foreign}; ${NEW_LOG}`);
    const result = await grow(evidence, before, stopping);
    if (!result) return undefined;
    const { saved, grown } = result;
    await compare(parts, { before, grown }, log);
    const { size, lastSeq } = grown;
    if (size === 0 || (size === grown.signed?.size && grown.signed.key === key)) return undefined;
    const root = await hashRange(hashHex, readTileOf(evidence, grown), { start: 0, end: size });
    const note = signer.sign(formatCheckpoint({ origin: signer.key.name, size, root }));
    await keeper.writeNewest(note); // first: no checkpoint is known to others that is not noted here
    const signed = { note, size, lastSeq, at: clock(), key, handovers: kept.handovers };
    if (await evidence.saveTree(saved, { ...grown, signed }, [])) return signed;
    const other = (await evidence.readTree())?.signed;
    // Noted before, so what was just noted replaced it.
    if (other?.key === key && other.size > size) await keeper.writeNewest(other.note);
    return undefined;
  };
}

/**
 * Returns why a checkpoint of the database is not of a key, nor of one that handed over the log to it; undefined if it is. Who
 * writes the database must not be able to let the key vouch for another checkpoint.
 */
function explainForeign({ note, key }: SignedTree, { signer, kept }: Log): string | undefined {
  const former = kept.handovers.flatMap((text) => parseHandover(hashHex, text)?.from ?? []);
  const own = [signer.key, ...former].find((each) => formatVerifierKey(each) === key);
  if (!own)
    return `the log of this database has the key ${key}, and this service has ${describeKey(signer)}: give it the same key file`;
  const signed = parseNote(note);
  return signed && verifyNote(signed, own, verifyEd25519).result === 'VALID'
    ? undefined
    : 'the checkpoint in the database was changed, so its signature is wrong: put the newest database back';
}

/**
 * Returns whether the tree of the log begins with that of a checkpoint.
 *
 * @throws CheckpointRefused where the tree lacks hashes of it
 */
async function hasTree(evidence: EvidenceStore, tree: LogTree, { size, root }: TreeHead): Promise<boolean> {
  try {
    return (await hashRange(hashHex, readTileOf(evidence, tree), { start: 0, end: size })) === root;
  } catch (error) {
    if (!(error instanceof MissingHashes)) throw error;
    throw new CheckpointRefused(
      `hashes of the newest checkpoint are missing: ${error.message}. Attach the months of the history that were detached ` +
        `since it was signed, or put the newest database back; ${NEW_LOG}`,
      { cause: error },
    );
  }
}

/**
 * Gives the log a new key, which the old one signs. With `isNewLog`, the key is that of a new log, which continues the old
 * one from its last checkpoint that this database has. Where the old key is lost, or did not sign that, it continues none.
 * Returns undefined where no old key is there to sign the new one.
 */
export async function rotateKey(
  { evidence, keeper, newOrigin }: EvidenceParts,
  { isNewLog }: { isNewLog: boolean },
): Promise<{ key: string; formerKey: string | null } | undefined> {
  const tree = await evidence.readTree();
  const kept = await keeper.read().catch((error: unknown) => {
    if (isNewLog) return null;
    throw error;
  });
  const former = kept && parseSigner(kept.secret);
  const own =
    former && kept && tree?.signed && !explainForeign(tree.signed, { signer: former, kept }) && tree.signed;
  if (!isNewLog && (!former || (tree?.signed && !own))) return undefined;
  const signer = createSigner(isNewLog || !former ? newOrigin() : former.key.name);
  const last = own ? parseCheckpoint(own.note) : undefined;
  const handover = former && last && former.sign(formatHandover({ from: former.key, to: signer.key, last }));
  await keeper.write({
    secret: signer.secret,
    handovers: handover ? [...(kept?.handovers ?? []), handover] : [],
  });
  if (isNewLog) await keeper.removeNewest();
  if (tree?.signed && !handover) await evidence.saveTree(tree, { ...tree, signed: null }, []);
  return { key: describeKey(signer), formerKey: former && handover ? describeKey(former) : null };
}
