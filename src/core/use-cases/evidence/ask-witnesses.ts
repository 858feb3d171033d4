import { countOf } from '../../../common/format.ts';
import { verifyEd25519 } from '../../model/ed25519.ts';
import {
  type Checkpoint,
  findSignature,
  formatSignature,
  formatWitnessRequest,
  parseCheckpoint,
  parseNote,
  parseSize,
  verifyNote,
  type Witness,
} from '../../model/signed-note.ts';
import type { EvidenceStore, SignedTree } from '../../ports/evidence.ts';
import { readConsistency } from './prove-entry.ts';

/** Sends a request to a witness, and returns its response. `stopping` ends it. */
export type AskWitness = (
  url: string,
  body: string,
  stopping?: AbortSignal,
) => Promise<{ status: number; text: string }>;

/** What a witness is asked to sign: the newest checkpoint, as it is stored and as it is read. */
type Request = { witness: Witness; signed: SignedTree; own: Checkpoint; stopping?: AbortSignal | undefined };

const CONFLICT = 409;

/** Adds a signature to the newest checkpoint, unless there is a newer one. */
async function addSignature(evidence: EvidenceStore, text: string, line: string): Promise<void> {
  for (;;) {
    const tree = await evidence.readTree();
    if (!tree?.signed || parseNote(tree.signed.note)?.text !== text) return;
    const signed = { ...tree.signed, note: tree.signed.note + line };
    if (await evidence.saveTree(tree, { ...tree, signed }, [])) return; // else another was added meanwhile
  }
}

/** Prepares asking witnesses to sign the newest checkpoint. Returns the errors of those that have not, by their names. */
export function prepareAskWitnesses(evidence: EvidenceStore, witnesses: readonly Witness[], ask: AskWitness) {
  /** The number of entries of the last checkpoint that a witness has signed. */
  const sizes = new Map<Witness, number>();

  async function request(asked: Request, old: number): Promise<{ line: string } | { knownSize: number }> {
    const { witness, signed, own, stopping } = asked;
    const { key, url } = witness;
    const hashes = await readConsistency(evidence, old, own.size);
    if (hashes === 'ENTRIES_DETACHED')
      throw new Error(
        `the log lacks entries after the ${old} that it has signed: attach the detached months of the history`,
      );
    if (hashes === 'NO_CHECKPOINT') throw new Error('the newest checkpoint was replaced meanwhile');
    const body = formatWitnessRequest({ old, hashes, note: signed.note });
    const { status, text } = await ask(`${url}/add-checkpoint`, body, stopping);
    const knownSize = status === CONFLICT ? parseSize(text.trim()) : undefined;
    if (knownSize !== undefined) return { knownSize };
    if (status !== 200) throw new Error(`it responded with status ${status}`);
    const cosigned = parseNote(`${own.note.text}\n${text}`);
    if (!cosigned || verifyNote(cosigned, key, verifyEd25519).result !== 'VALID')
      throw new Error('its response has no valid signature of its key');
    // And no other line of the response.
    return { line: formatSignature(key, findSignature(cosigned, key)?.signature ?? '') };
  }

  /** Lets a witness sign the newest checkpoint, unless it has. */
  async function askOne(witness: Witness, stopping?: AbortSignal): Promise<void> {
    const signed = (await evidence.readTree())?.signed;
    const own = signed && parseCheckpoint(signed.note);
    if (!own || verifyNote(own.note, witness.key, verifyEd25519).result === 'VALID') return;
    const known = sizes.get(witness) ?? 0;
    const asked = { witness, signed, own, stopping };
    const first = await request(asked, Math.min(known, own.size));
    const result = 'line' in first ? first : await repeat(asked, first.knownSize);
    sizes.set(witness, own.size);
    await addSignature(evidence, own.note.text, result.line);
  }

  /** Repeats a request with the size that the witness returned. */
  async function repeat(asked: Request, size: number) {
    const { own } = asked;
    if (size > own.size)
      throw new Error(
        `it has signed a checkpoint of ${countOf(size, 'entry', 'entries')}, and this log has ${own.size}: an older backup was restored; begin a new log`,
      );
    const result = await request(asked, size);
    if ('line' in result) return result;
    throw new Error('it has signed another checkpoint meanwhile');
  }

  return async (stopping?: AbortSignal): Promise<Map<string, string>> => {
    const errors = new Map<string, string>();
    // At once: each may take seconds to fail.
    const asked = witnesses.map((witness) =>
      askOne(witness, stopping).catch((error: unknown) => {
        if (stopping?.aborted) return;
        errors.set(witness.key.name, error instanceof Error ? error.message : String(error));
      }),
    );
    await Promise.all(asked);
    return errors;
  };
}
