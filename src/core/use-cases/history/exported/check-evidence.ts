import { addFinding } from '../../../../common/findings.ts';
import { countOf } from '../../../../common/format.ts';
import { type HashHex, isConsistent, rootOfInclusion, toLeafHash } from '../../../model/merkle-tree.ts';
import {
  type Checkpoint,
  formatVerifierKey,
  type Handover,
  type LogProof,
  parseHandover,
  parseProof,
  parseVerifierKey,
  type VerifierKey,
  type VerifyEd25519,
  verifyNote,
} from '../../../model/signed-note.ts';
import type { ExportHead } from './exported-items.ts';
import { type KeptEvidence, MAX_KEPT_LENGTH } from './read-kept.ts';
import { type Findings, type Statement, type StatementCode, toStatement } from './statements.ts';

// The check of the checkpoint of an export, and of what others kept of the log: keys, checkpoints, proofs of entries, and
// proofs that one checkpoint continues another.

/** The functions that differ between programs and browsers. */
export type EvidenceParts = { hash: HashHex; verify: VerifyEd25519 };

/** The numbers of the entries of a link whose fingerprints `checkEvidence` needs. */
export function numbersToCheck(head: ExportHead, kept: KeptEvidence | undefined): Set<number> {
  const ofLink = (kept?.proofs ?? []).filter(({ shortCode }) => shortCode === head.shortCode);
  return new Set([
    ...(head.checkpoint ? [head.checkpoint.number] : []),
    ...ofLink.map(({ number }) => number),
  ]);
}

type Check = {
  head: ExportHead;
  kept: KeptEvidence | undefined;
  /** The fingerprints of entries by their number. */
  fingerprints: ReadonlyMap<number, string>;
};
type Report = (code: StatementCode, text: string, params?: Statement['params']) => void;

/** Checks the checkpoint of an export, and compares it with what a reader kept. Returns what is proved without a finding. */
export function checkEvidence(check: Check, parts: EvidenceParts, findings: Findings): Statement[] {
  const { head, kept } = check;
  const proved: Statement[] = [];
  const report: Report = (code, text, params = {}) => addFinding(findings, toStatement(code, params, text));
  const prove: Report = (code, text, params = {}) => void proved.push(toStatement(code, params, text));
  if (kept?.isTooLong) {
    const count = MAX_KEPT_LENGTH;
    const text = `what you kept has more than ${count} characters: leave out what is not of this log`;
    report('KEPT_TOO_LONG', text, { count });
  } else if (kept && !kept.isWhole)
    report(
      'KEPT_UNREADABLE',
      'a part of what you kept is no key, checkpoint or proof: copy it again, from its first line to its last',
    );
  const own = readOwn(check, parts, report);
  if (own) describeOwn(own, check, prove);
  if (!kept) return proved;
  const heads: KeptHead[] = [
    ...kept.checkpoints.map((checkpoint) => ({ checkpoint, isOfLink: false })),
    ...kept.proofs.map(({ checkpoint, shortCode }) => ({
      ...{ checkpoint, isOfLink: shortCode === head.shortCode },
    })),
  ];
  if (!own && !head.checkpoint && needsCheckpoint(kept, heads))
    report(
      'NO_CHECKPOINT',
      'the export has no checkpoint to compare with what you kept: export the history again',
    );
  if (own) {
    compareKeys(own, kept, report);
    compareWitnesses(own, kept, parts, { report, prove });
    for (const each of heads) compareCheckpoint(own, each, kept, { parts, report, prove });
  } else if (kept.keys.length > 0)
    for (const { checkpoint } of heads)
      findSigner(checkpoint, kept.keys, parts, { report, other: 'those that you kept' });
  compareWithEachOther(
    heads.map(({ checkpoint }) => checkpoint),
    report,
  );
  for (const proof of kept.proofs) compareProof(proof, check, parts, { report, prove });
  const isCompared =
    heads.length > 0
      ? proved.some(({ code }) => OF_HEADS.has(code))
      : kept.keys.length + kept.witnesses.length > 0;
  if (!isCompared)
    prove('NOTHING_COMPARED', 'No checkpoint or proof that you kept was compared with the history.');
  return proved;
}

/** The statements that a checkpoint or a proof which was kept was compared. */
const OF_HEADS: ReadonlySet<StatementCode> = new Set(['KEPT', 'VOUCHED', 'ENTERED_LATER'] as const);

/** Returns whether a part of what was kept can only be compared with a checkpoint: all but proofs of entries of the link. */
const needsCheckpoint = (
  { keys, witnesses, consistency }: KeptEvidence,
  heads: readonly KeptHead[],
): boolean =>
  keys.length + witnesses.length + consistency.length > 0 || heads.some(({ isOfLink }) => !isOfLink);

/** The checkpoint of an export. `handovers`: those whose signatures are valid. */
type Own = { proof: LogProof; key: VerifierKey; handovers: Handover[] };

/** Returns the checkpoint of an export, if it is valid and has the entry. */
function readOwn(
  { head, fingerprints }: Check,
  { hash, verify }: EvidenceParts,
  report: Report,
): Own | undefined {
  if (!head.checkpoint) return undefined;
  const { number, key: encoded, handovers: texts } = head.checkpoint;
  const [proof, key] = [parseProof(head.checkpoint.proof), parseVerifierKey(hash, encoded)];
  const handovers = texts.flatMap((text) => parseHandover(hash, text) ?? []);
  const wrong = (text: string) =>
    report('CHECKPOINT_WRONG', `the checkpoint of the export ${text}`, { number });
  if (
    !proof ||
    !key ||
    proof.shortCode !== head.shortCode ||
    proof.number !== number ||
    number > head.entryCount
  )
    return void wrong('is not as the service writes it: it was changed');
  const isSigned = (note: Checkpoint['note'], by: VerifierKey) =>
    verifyNote(note, by, verify).result === 'VALID';
  if (key.name !== proof.checkpoint.origin || !isSigned(proof.checkpoint.note, key))
    return void wrong('has no valid signature of its key: it was changed');
  if (handovers.length !== texts.length || !handovers.every(({ note, from }) => isSigned(note, from)))
    return void wrong('has a change of keys that the earlier key did not sign: it was changed');
  const fingerprint = fingerprints.get(number);
  if (fingerprint === undefined) return undefined; // entries are missing, which is reported
  if (!hasEntry(proof, fingerprint, hash))
    return void wrong(
      `does not have entry ${number} of this history: the history or the checkpoint was changed`,
    );
  return { proof, key, handovers };
}

/** Returns whether the tree of a checkpoint has the entry with this fingerprint. */
function hasEntry({ index, hashes, checkpoint }: LogProof, fingerprint: string, hash: HashHex): boolean {
  const leaf = { index, hash: toLeafHash(hash, fingerprint) };
  return rootOfInclusion(hash, leaf, checkpoint.size, hashes) === checkpoint.root;
}

function describeOwn({ proof, key }: Own, { head, kept }: Check, prove: Report): void {
  const { number, checkpoint } = proof;
  const { size, origin } = checkpoint;
  prove(
    'COVERED',
    `Up to entry ${number}, the history is in the signed checkpoint of ${countOf(size, 'entry', 'entries')} of the log ${origin}.`,
    {
      ...{ number, size, origin },
    },
  );
  const [first, last] = [number + 1, head.entryCount];
  if (first <= last)
    prove(
      'LATER',
      `Entries ${first} to ${last} are newer than the checkpoint, which does not vouch for them.`,
      { first, last },
    );
  const text = formatVerifierKey(key);
  if (!kept?.keys.length)
    prove(
      'KEY_NOT_COMPARED',
      `The key of the log is ${text}: compare it with one that you got from elsewhere.`,
      { key: text },
    );
}

const isSame = (one: VerifierKey, other: VerifierKey): boolean =>
  formatVerifierKey(one) === formatVerifierKey(other);

/** Returns the handovers that follow from trusted keys: each by a key that is trusted, or that one before it has named. */
function follow(trusted: readonly VerifierKey[], handovers: readonly Handover[]): Handover[] {
  const known = [...trusted];
  return handovers.filter(({ from, to }) => {
    const isKnown = known.some((key) => isSame(key, from));
    if (isKnown) known.push(to);
    return isKnown;
  });
}

const followKeys = (trusted: readonly VerifierKey[], handovers: readonly Handover[]): VerifierKey[] => [
  ...trusted,
  ...follow(trusted, handovers).map(({ to }) => to),
];

/**
 * Returns the keys whose checkpoints are of the log: those that a reader kept, and those that these named. Anyone can name
 * a kept key as the next one, so that proves nothing. A reader without a key trusts the checkpoint: its key must have named
 * that of the export.
 */
function keysOfLog({ key, handovers }: Own, kept: readonly VerifierKey[]): VerifierKey[] {
  if (kept.length > 0) return followKeys(kept, handovers);
  const earlier = handovers.map(({ from }) => from);
  return [key, ...earlier].filter((each) => followKeys([each], handovers).some((next) => isSame(next, key)));
}

function compareKeys({ key, handovers }: Own, { keys }: KeptEvidence, report: Report): void {
  if (keys.length === 0 || followKeys(keys, handovers).some((known) => isSame(known, key))) return;
  report(
    'OTHER_KEY',
    `the log has the key ${formatVerifierKey(key)}, which is not one that you kept, and none of these has named it`,
  );
}

type Reports = { report: Report; prove: Report };

function compareWitnesses(
  { proof }: Own,
  { witnesses }: KeptEvidence,
  { verify }: EvidenceParts,
  { report, prove }: Reports,
): void {
  for (const witness of witnesses) {
    const verified = verifyNote(proof.checkpoint.note, witness, verify);
    const params = { witness: witness.name };
    if (verified.result !== 'VALID')
      report(
        'NOT_COSIGNED',
        `the checkpoint of the export has no valid signature of the witness ${witness.name}: if the service could ` +
          'not reach it in time, export the history again later',
        params,
      );
    else {
      const at = (verified.at ?? 0) * 1000;
      const time = new Date(at).toISOString();
      const text =
        `The witness ${witness.name} signed this checkpoint at ${time}. That does not show whether the history was ` +
        'rewritten before.';
      prove('COSIGNED', text, { ...params, at });
    }
  }
}

/** A checkpoint that was kept. `isOfLink`: of a proof of the link, whose entry is compared itself. */
type KeptHead = { checkpoint: Checkpoint; isOfLink: boolean };

const nameKept = ({ size }: Checkpoint): string =>
  `the checkpoint of ${countOf(size, 'entry', 'entries')} that you kept`;

/**
 * Returns the trusted key that signed a checkpoint. Reports a wrong signature; and the lack of one, where `other` says which
 * keys are trusted.
 */
function findSigner(
  kept: Checkpoint,
  trusted: readonly VerifierKey[],
  { verify }: EvidenceParts,
  { report, other }: { report: Report; other: string | undefined },
): VerifierKey | undefined {
  const named = nameKept(kept);
  const results = trusted
    .filter(({ name }) => name === kept.origin)
    .map((key) => ({ key, ...verifyNote(kept.note, key, verify) }));
  if (results.some(({ result }) => result === 'WRONG'))
    return void report('KEPT_WRONG', `${named} has a wrong signature, so it proves nothing`);
  const signer = results.find(({ result }) => result === 'VALID')?.key;
  if (!signer && other !== undefined)
    report('OTHER_KEY', `${named} is of the log ${kept.origin}, which has another key than ${other}`);
  return signer;
}

/** Compares a checkpoint that was kept with that of the export: one must begin with the other. */
function compareCheckpoint(
  own: Own,
  { checkpoint: kept, isOfLink }: KeptHead,
  { keys, consistency }: KeptEvidence,
  { parts, report, prove }: Reports & { parts: EvidenceParts },
): void {
  const { number, index, checkpoint } = own.proof;
  const { size } = kept;
  const named = nameKept(kept);
  const trusted = keysOfLog(own, keys);
  const other = isOfLink && keys.length === 0 ? undefined : 'the export';
  const signer = findSigner(kept, trusted, parts, { report, other });
  if (!signer) return;
  const fork = (text: string) => report('FORK', `${named} ${text}`, { size });
  const next = follow([signer], own.handovers).find(({ to }) => to.name !== kept.origin);
  if (next && size > next.last.size) {
    const text = `is newer than the ${countOf(next.last.size, 'entry', 'entries')} from which the log was continued`;
    if (!isOfLink) fork(`${text}: an older state was restored, or entries were removed`);
    return;
  }
  const [from, to] = size <= checkpoint.size ? [kept, checkpoint] : [checkpoint, kept];
  const proofs = consistency.filter((each) => each.from === from.size && each.to === to.size);
  if (from.size === to.size && from.root !== to.root)
    return void fork('has other entries than that of the export, of the same number: there are two logs');
  if (from.size < to.size && proofs.length === 0) {
    const path = `/checkpoint?from=${from.size}&to=${to.size}`;
    const text = `The checkpoint of ${countOf(size, 'entry', 'entries')} that you kept was not compared: add what the service sends for ${path}.`;
    if (!isOfLink) prove('NOT_CONNECTED', text, { size, path });
    return;
  }
  if (from.size < to.size && !proofs.some(({ hashes }) => isConsistent(parts.hash, { from, to }, hashes)))
    return void fork(
      'does not go together with that of the export: entries were changed or removed, or there are two logs',
    );
  if (isOfLink) return;
  // The log may have another history of the link appended, which changes nothing before it.
  if (index < size)
    prove('VOUCHED', `Up to entry ${number}, the history was in the log when ${named} was signed.`, {
      ...{ number, size },
    });
  else
    prove(
      'ENTERED_LATER',
      `Entry ${number} entered the log after ${named}; it does not show whether the history before it was rewritten.`,
      { number, size },
    );
}

/** Finds two checkpoints of one log, of the same size, that differ. */
function compareWithEachOther(heads: readonly Checkpoint[], report: Report): void {
  const roots = new Map<string, string>();
  for (const { origin, size, root } of heads) {
    const known = roots.get(`${origin} ${size}`) ?? root;
    roots.set(`${origin} ${size}`, root);
    if (known !== root)
      report(
        'FORK',
        `two checkpoints of ${countOf(size, 'entry', 'entries')} that you kept differ: there are two logs of ${origin}`,
        { size },
      );
  }
}

/** Compares the history with the proof of one of its entries that was kept. */
function compareProof(
  proof: LogProof,
  { head, fingerprints }: Check,
  { hash }: EvidenceParts,
  { report, prove }: Reports,
): void {
  const { shortCode, number } = proof;
  if (shortCode !== head.shortCode) return;
  if (number > head.entryCount) {
    report(
      'DROPPED',
      `you kept a proof of entry ${number}, but the export ends with entry ${head.entryCount}: entries were removed`,
      { number },
    );
    return;
  }
  const fingerprint = fingerprints.get(number);
  if (fingerprint === undefined) return; // entries are missing, which is reported
  if (!hasEntry(proof, fingerprint, hash)) {
    report(
      'REWRITTEN',
      `entry ${number} is another one than that of the proof that you kept: the history was rewritten`,
      { number },
    );
    return;
  }
  // Its signature may be of a key that the reader lacks, so this says nothing about the log.
  prove('KEPT', `Up to entry ${number}, the history is the one of the proof that you kept.`, { number });
}
