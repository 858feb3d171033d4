import { createSigner, describeKey, hashHex, type Signer } from '../../src/core/model/ed25519.ts';
import {
  consistencyRanges,
  hashRanges,
  inclusionRanges,
  type ReadTile,
  toLeafHash,
  toRoot,
} from '../../src/core/model/merkle-tree.ts';
import {
  COSIGNATURE,
  formatCheckpoint,
  formatConsistency,
  formatHandover,
  formatProof,
  formatSignature,
  formatVerifierKey,
  parseCheckpoint,
  toVerifierKey,
} from '../../src/core/model/signed-note.ts';
import { makeExport } from './exported-history.ts';

export type Line = Record<string, unknown>;

/** A log in memory: the fingerprints of its entries, and its key. */
export class TestLog {
  readonly signer: Signer;
  readonly fingerprints: string[];
  constructor(fingerprints: readonly string[], signer = createSigner('links.example/log/1')) {
    this.fingerprints = [...fingerprints];
    this.signer = signer;
  }
  leaves(size = this.fingerprints.length): string[] {
    return this.fingerprints.slice(0, size).map((each) => toLeafHash(hashHex, each));
  }
  checkpoint(size = this.fingerprints.length): string {
    const root = toRoot(hashHex, this.leaves(size));
    return this.signer.sign(formatCheckpoint({ origin: this.signer.key.name, size, root }));
  }
  tiles(size: number): ReadTile {
    const leaves = this.leaves(size);
    return async (_, index) => leaves.slice(index * 256, (index + 1) * 256);
  }
  async proof(
    fingerprint: string,
    number: number,
    size = this.fingerprints.length,
    signed = this.checkpoint(size),
    shortCode = CODE,
  ) {
    const index = this.fingerprints.indexOf(fingerprint);
    const hashes = await hashRanges(hashHex, this.tiles(size), inclusionRanges(index, size));
    return formatProof({ shortCode, number, index, hashes, signed });
  }
  async consistency(from: number, to: number): Promise<string> {
    const hashes = await hashRanges(hashHex, this.tiles(to), consistencyRanges(from, to));
    return formatConsistency({ from, to, hashes });
  }
}

const { lines, heads } = makeExport();
/** The fingerprints of the link. */
export const OF_LINK = heads.slice(1).map(({ fingerprint }) => fingerprint);
const CODE = String(lines[0]?.['shortCode']);
const fill = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => hashHex(Buffer.from(`${name} ${index}`).toString('hex')));
/** The entries of the link among those of others. The checkpoint of 10 has those of the link up to 4. */
export const ENTRIES = [
  ...fill(3, 'a'),
  ...OF_LINK.slice(0, 3),
  ...fill(3, 'b'),
  ...OF_LINK.slice(3, 4),
  ...fill(2, 'c'),
  ...OF_LINK.slice(4),
  ...fill(4, 'd'),
];
export const LOG = new TestLog(ENTRIES);
export const KEY = describeKey(LOG.signer);
const WITNESS = createSigner('witness.example');
export const WITNESS_KEY = toVerifierKey(hashHex, WITNESS.key.name, COSIGNATURE, WITNESS.key.publicKey);

/** Returns a checkpoint with the signature of the witness. */
function cosign(checkpoint: string, at = 1_781_524_800): string {
  const { note } = parseCheckpoint(checkpoint) ?? {};
  const signed = WITNESS.sign(`cosignature/v1\ntime ${at}\n${note?.text ?? ''}`);
  const [signature = ''] = /\S+\n$/.exec(signed) ?? [];
  const bytes = Buffer.from(signature.trim(), 'base64').subarray(4).toString('hex');
  return checkpoint + formatSignature(WITNESS_KEY, at.toString(16).padStart(16, '0') + bytes);
}

type Evidence = { number?: number; proof?: string; key?: string; handovers?: string[] };

/** Returns the export with the newest checkpoint of a log. */
export async function exported(log = LOG, change: Evidence = {}, of = lines): Promise<Line[]> {
  const [head, ...items] = of;
  const number = change.number ?? 6;
  const fingerprint = number === 6 ? String(head?.['fingerprint']) : (OF_LINK[number - 1] ?? '');
  const proof = change.proof ?? (await log.proof(fingerprint, number, undefined, cosign(log.checkpoint())));
  const checkpoint = { number, proof, key: describeKey(log.signer), handovers: [], ...change };
  return [{ ...head, checkpoint }, ...items];
}

/** A history in which the address of the visitor was replaced, with new fingerprints: what an operator could write. */
async function rewritten(): Promise<{ lines: Line[]; log: TestLog }> {
  const { lines: other, heads: otherHeads } = makeExport({ visitor: '198.51.100.66' });
  const map = new Map(OF_LINK.map((each, index) => [each, otherHeads[index + 1]?.fingerprint ?? '']));
  const log = new TestLog(
    ENTRIES.map((each) => map.get(each) ?? each),
    LOG.signer,
  );
  return { log, lines: await exported(log, {}, other) };
}

/** The same, whose fingerprints were added to the log, which has those before as well. */
async function rewrittenAtEnd(): Promise<{ lines: Line[]; log: TestLog }> {
  const { lines: other, heads: otherHeads } = makeExport({ visitor: '198.51.100.66' });
  const log = new TestLog(
    [...ENTRIES, ...otherHeads.slice(1).map(({ fingerprint }) => fingerprint)],
    LOG.signer,
  );
  return { log, lines: await exported(log, {}, other) };
}

/** A history without its last two entries. */
async function cut(): Promise<{ lines: Line[]; log: TestLog }> {
  const [head, ...items] = lines;
  const left = items
    .filter(({ number }) => Number(number) <= 4)
    .map((item) => ({ ...item, ...('downloads' in item && { downloads: [] }) }));
  const fingerprint = OF_LINK[3] ?? '';
  const log = new TestLog(
    ENTRIES.filter((each) => !OF_LINK.slice(4).includes(each)),
    LOG.signer,
  );
  const proof = await log.proof(fingerprint, 4, undefined, cosign(log.checkpoint()));
  const checkpoint = { number: 4, proof, key: KEY, handovers: [] };
  return { log, lines: [{ ...head, entryCount: 4, fingerprint, checkpoint }, ...left] };
}

/** Returns what an outsider kept, as one text. */
export const join = (...parts: string[]) => parts.join('\n\n');

export type Case = { what: string; lines: Line[]; kept: string; expected: RegExp };

/** Manipulations, each with what an outsider holds, and the difference that the check reports. */
export async function manipulations(): Promise<Case[]> {
  const good = await exported();
  const change = (index: number, members: Line): Line[] =>
    good.map((line, at) => (at === index ? { ...line, ...members } : line));
  const [again, shorter, appended] = [await rewritten(), await cut(), await rewrittenAtEnd()];
  const other = new TestLog(ENTRIES);
  const restored = new TestLog(
    [...ENTRIES.slice(0, 14), ...fill(9, 'later')],
    createSigner('links.example/log/2'),
  );
  const handover = LOG.signer.sign(
    formatHandover({
      from: LOG.signer.key,
      to: restored.signer.key,
      last: { size: 14, root: toRoot(hashHex, LOG.leaves(14)) },
    }),
  );
  const oldProof = await LOG.proof(OF_LINK[3] ?? '', 4, 10);
  const newProof = await LOG.proof(OF_LINK[5] ?? '', 6);
  const withoutWitness = await exported(LOG, { proof: newProof });
  const forged = createSigner('links.example/log/1');
  const last = { size: 18, root: toRoot(hashHex, LOG.leaves()) };
  const naming = forged.sign(formatHandover({ from: forged.key, to: LOG.signer.key, last }));
  const otherChange = forged.sign(formatHandover({ from: forged.key, to: createSigner('b').key, last }));
  const wrongSignature = newProof.replace(/(— \S+ )(\S{20})./u, (_, start, name) => `${start}${name}A`);
  return [
    { what: 'a changed address', lines: change(3, { ipAddress: '192.0.2.99' }), kept: KEY, expected: /give/ },
    { what: 'a changed result', lines: change(3, { result: 'EXPIRED' }), kept: KEY, expected: /give/ },
    { what: 'a removed entry', lines: good.filter((_, at) => at !== 3), kept: KEY, expected: /missing/ },
    {
      what: 'a removed newest entry',
      lines: good.filter((_, at) => at !== 1),
      kept: KEY,
      expected: /missing at the end/,
    },
    {
      what: 'a rewritten history without a new checkpoint',
      lines: [{ ...again.lines[0], checkpoint: good[0]?.['checkpoint'] }, ...again.lines.slice(1)],
      kept: KEY,
      expected: /does not have entry 6/,
    },
    {
      what: 'a rewritten history with a new checkpoint, against a proof',
      lines: again.lines,
      kept: oldProof,
      expected: /entry 4 is another one/,
    },
    {
      what: 'the same, against a checkpoint of the same size',
      lines: again.lines,
      kept: LOG.checkpoint(),
      expected: /there are two logs/,
    },
    {
      what: 'the same, against an older checkpoint and a proof of the new log',
      lines: again.lines,
      kept: join(LOG.checkpoint(10), await again.log.consistency(10, ENTRIES.length)),
      expected: /does not go together/,
    },
    {
      what: 'a rewritten history at the end of the log, against a proof',
      lines: appended.lines,
      kept: join(oldProof, LOG.checkpoint(), await appended.log.consistency(18, 24)),
      expected: /entry 4 is another one/,
    },
    {
      what: 'a checkpoint of another key, which names the kept one',
      lines: await exported(LOG, { handovers: [naming] }),
      kept: join(KEY, new TestLog(ENTRIES, forged).checkpoint(10), await LOG.consistency(10, 18)),
      expected: /has another key than the export/,
    },
    {
      what: 'another key, which names the kept one',
      lines: await exported(new TestLog(ENTRIES, forged), { handovers: [naming] }),
      kept: KEY,
      expected: /not one that you kept/,
    },
    {
      what: 'a smaller log after a restore, with another change of keys before',
      lines: await exported(restored, { number: 4, handovers: [otherChange, handover] }),
      kept: join(KEY, LOG.checkpoint()),
      expected: /newer than the 14 entries/,
    },
    {
      what: 'a dropped tail, against a proof',
      lines: shorter.lines,
      kept: newProof,
      expected: /you kept a proof of entry 6, but the export ends with entry 4/,
    },
    {
      what: 'a dropped tail, against a checkpoint',
      lines: shorter.lines,
      kept: join(LOG.checkpoint(), await LOG.consistency(16, 18)),
      expected: /does not go together/,
    },
    {
      what: 'a second log with another key, shown to another party',
      lines: await exported(other),
      kept: LOG.checkpoint(),
      expected: /(?:of the log .* has another key|wrong signature)/,
    },
    { what: 'a swapped key', lines: await exported(other), kept: KEY, expected: /not one that you kept/ },
    {
      what: 'two checkpoints of one size that two parties got',
      lines: good,
      kept: join(LOG.checkpoint(10), again.log.checkpoint(10)),
      expected: /two checkpoints of 10 entries/,
    },
    {
      what: 'a checkpoint without the witness',
      lines: withoutWitness,
      kept: formatVerifierKey(WITNESS_KEY),
      expected: /no valid signature of the witness witness\.example: .* export the history again later/,
    },
    {
      what: 'a signature of the witness for another checkpoint',
      lines: await exported(LOG, {
        proof: await LOG.proof(
          OF_LINK[5] ?? '',
          6,
          undefined,
          `${LOG.checkpoint()}${cosign(LOG.checkpoint(10)).split('\n').at(-2)}\n`,
        ),
      }),
      kept: formatVerifierKey(WITNESS_KEY),
      expected: /no valid signature of the witness/,
    },
    {
      what: 'a changed signature',
      lines: await exported(LOG, { proof: wrongSignature }),
      kept: KEY,
      expected: /no valid signature of its key/,
    },
    {
      what: 'a key of the same name with its own signature',
      lines: await exported(new TestLog(ENTRIES, forged)),
      kept: KEY,
      expected: /not one that you kept/,
    },
    {
      what: 'a proof of another entry',
      lines: await exported(LOG, { number: 5, proof: await LOG.proof(OF_LINK[5] ?? '', 5) }),
      kept: KEY,
      expected: /does not have entry 5/,
    },
    ...[
      KEY,
      formatVerifierKey(WITNESS_KEY),
      LOG.checkpoint(10),
      await LOG.consistency(10, 18),
      await LOG.proof(ENTRIES[0] ?? '', 1, undefined, undefined, 'another'),
    ].map((kept) => ({
      ...{ what: `a removed checkpoint, against ${kept}`, lines, kept },
      expected: /has no checkpoint to compare/,
    })),
    {
      what: 'a removed checkpoint, against the key and a proof with a changed signature',
      ...{ lines, kept: join(KEY, wrongSignature), expected: /that you kept has a wrong signature/ },
    },
    {
      what: 'a removed checkpoint, against the key and a proof with the signature of another key',
      lines,
      kept: join(KEY, await new TestLog(ENTRIES, forged).proof(OF_LINK[5] ?? '', 6)),
      expected: /has another key than those that you kept/,
    },
    {
      what: 'a smaller log that continues the log after a restore',
      lines: await exported(restored, { number: 4, handovers: [handover] }),
      kept: join(KEY, LOG.checkpoint()),
      expected: /newer than the 14 entries/,
    },
    {
      what: 'a change of keys that the old key did not sign',
      lines: await exported(restored, {
        number: 4,
        handovers: [forged.sign(handover.slice(0, handover.indexOf('\n\n') + 1))],
      }),
      kept: KEY,
      expected: /earlier key did not sign/,
    },
    {
      what: 'what was kept, copied in part',
      lines: good,
      kept: LOG.checkpoint().slice(0, 60),
      expected: /no key, checkpoint or proof/,
    },
  ];
}

/** Histories in which no difference is found, and what the check says that it did not show. */
export async function doubts(): Promise<Case[]> {
  const [again, appended] = [await rewritten(), await rewrittenAtEnd()];
  return [
    {
      what: 'a rewritten history at the end of the log, against a checkpoint',
      lines: appended.lines,
      kept: join(KEY, LOG.checkpoint(), await appended.log.consistency(18, 24)),
      expected: /entered the log after the checkpoint of 18 entries/i,
    },
    {
      what: 'the same, against a witness',
      lines: appended.lines,
      kept: join(KEY, formatVerifierKey(WITNESS_KEY)),
      expected: /witness/,
    },
    {
      what: 'a rewritten history without a proof that the logs go together',
      lines: again.lines,
      kept: join(KEY, LOG.checkpoint(10)),
      expected: /not compared: add .*from=10&to=18.*no checkpoint or proof that you kept was compared/is,
    },
    {
      what: 'only a proof that one checkpoint continues another',
      ...{ lines: await exported(), kept: await LOG.consistency(10, 18) },
      expected: /no checkpoint or proof that you kept was compared/i,
    },
  ];
}
