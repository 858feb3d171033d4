import type { HashHex, TreeHead } from './merkle-tree.ts';

// The texts of transparency logs, see https://c2sp.org: signed-note, tlog-checkpoint, tlog-cosignature and tlog-proof.

/** The types of keys: the one of a log, and the one of a witness that signs the time as well. */
export const ED25519 = '01';
export const COSIGNATURE = '04';

/** A public key with the name of its holder: of a log, or of a witness. `keyId` and `publicKey` are hexadecimal digits. */
export type VerifierKey = { name: string; keyId: string; type: string; publicKey: string };

/** Returns whether an Ed25519 signature is that of a message; key and signature are hexadecimal digits. */
export type VerifyEd25519 = (publicKey: string, message: string, signature: string) => boolean;

type NoteSignature = { name: string; keyId: string; signature: string };
/** A text with its signatures. */
export type SignedNote = { text: string; signatures: NoteSignature[] };

/** A checkpoint: the log, and its tree at a time. */
export type Checkpoint = TreeHead & { origin: string; note: SignedNote };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HASH = /^[0-9a-f]{64}$/;
const NAME = /^[^\s+]+$/u;
const SIZE = /^(0|[1-9]\d{0,14})$/;
const BLANK_LINE = '\n\n';
/** A later time is no date. */
const MAX_SECONDS = 8_640_000_000_000;

/** Reads a number of entries; undefined for another text. */
export const parseSize = (text: string): number | undefined => (SIZE.test(text) ? Number(text) : undefined);

export function hexToBase64(hex: string): string {
  const codes = hex.match(/../g) ?? [];
  return btoa(String.fromCharCode(...codes.map((code) => Number.parseInt(code, 16))));
}

/** Returns undefined for a text that is not the one way of writing some bytes. */
export function base64ToHex(text: string): string | undefined {
  if (!BASE64.test(text)) return undefined;
  const bytes = atob(text);
  if (btoa(bytes) !== text) return undefined;
  return Array.from(bytes, (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/** Reads a SHA-256 in Base64; undefined for another text. */
export function parseHash(text: string): string | undefined {
  const hex = base64ToHex(text);
  return hex !== undefined && HASH.test(hex) ? hex : undefined;
}

export const textToHex = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

const hexToText = (hex: string): string =>
  new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (code) => Number.parseInt(code, 16)));

/** Returns the key of a name. */
export function toVerifierKey(hash: HashHex, name: string, type: string, publicKey: string): VerifierKey {
  return { name, keyId: hash(textToHex(`${name}\n`) + type + publicKey).slice(0, 8), type, publicKey };
}

export const formatVerifierKey = ({ name, keyId, type, publicKey }: VerifierKey): string =>
  `${name}+${keyId}+${hexToBase64(type + publicKey)}`;

/** Reads a key; undefined for another text, and one whose id is not its own. */
export function parseVerifierKey(hash: HashHex, text: string): VerifierKey | undefined {
  const [name = '', keyId = '', ...rest] = text.split('+');
  const bytes = base64ToHex(rest.join('+'));
  if (!NAME.test(name) || bytes?.length !== 66) return undefined;
  const type = bytes.slice(0, 2);
  if (type !== ED25519 && type !== COSIGNATURE) return undefined;
  const key = toVerifierKey(hash, name, type, bytes.slice(2));
  return key.keyId === keyId ? key : undefined;
}

/** Returns a line with a signature of a note. */
export const formatSignature = ({ name, keyId }: VerifierKey, signature: string): string =>
  `— ${name} ${hexToBase64(keyId + signature)}\n`;

/** Reads a line with a signature, without its end. */
export function parseSignature(line: string): NoteSignature | undefined {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = base64ToHex(encoded);
  return NAME.test(name) && bytes !== undefined && bytes.length > 8
    ? { name, keyId: bytes.slice(0, 8), signature: bytes.slice(8) }
    : undefined;
}

/** Reads a signed note; undefined for another text. */
export function parseNote(note: string): SignedNote | undefined {
  const end = note.lastIndexOf(BLANK_LINE);
  const lines = note.slice(end + BLANK_LINE.length).split('\n');
  if (end === -1 || lines.pop() !== '' || lines.length === 0) return undefined;
  const signatures = lines.flatMap((line) => parseSignature(line) ?? []);
  if (signatures.length !== lines.length) return undefined;
  return { text: note.slice(0, end + 1), signatures };
}

/** Returns the text of a checkpoint, before it is signed. */
export const formatCheckpoint = ({ origin, size, root }: Omit<Checkpoint, 'note'>): string =>
  `${origin}\n${size}\n${hexToBase64(root)}\n`;

/** Reads a checkpoint with its signatures, which are not verified; undefined for another text. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const note = parseNote(text);
  const [origin = '', ofSize = '', ofRoot = '', ...others] = note?.text.split('\n') ?? [];
  const [size, root] = [parseSize(ofSize), parseHash(ofRoot)];
  if (!note || origin === '' || size === undefined || root === undefined) return undefined;
  return others.length === 1 ? { origin, size, root, note } : undefined;
}

/** Returns the time in seconds that the signature of a witness begins with. */
const timeOf = ({ signature }: NoteSignature): number => Number.parseInt(signature.slice(0, 16), 16);
/** The time and the Ed25519 signature of a witness, in hexadecimal digits. */
const COSIGNATURE_DIGITS = 144;

/** A witness that signed a checkpoint, and when by its own clock, in seconds. */
export type Cosigner = { name: string; at: number };

/** Returns the witnesses whose signatures a checkpoint has. Verifies none. */
export const cosignersOf = ({ origin, note: { signatures } }: Checkpoint): Cosigner[] =>
  signatures
    .filter(({ name, signature }) => name !== origin && signature.length === COSIGNATURE_DIGITS)
    .map((each) => ({ name: each.name, at: timeOf(each) }))
    .filter(({ at }) => at <= MAX_SECONDS);

/** The result of looking for the signature of a key: `at` is the time that a witness signed, in seconds. */
export type Verified = { result: 'VALID'; at?: number } | { result: 'MISSING' | 'WRONG' };

/** Returns the signature of a key, not verified. */
export const findSignature = (note: SignedNote, key: VerifierKey): NoteSignature | undefined =>
  note.signatures.find(({ name, keyId }) => name === key.name && keyId === key.keyId);

/** Verifies the signature of a key: that of a log over a note, or that of a witness over a checkpoint. */
export function verifyNote(note: SignedNote, key: VerifierKey, verify: VerifyEd25519): Verified {
  const { text } = note;
  const found = findSignature(note, key);
  if (!found) return { result: 'MISSING' };
  if (key.type === ED25519)
    return { result: verify(key.publicKey, text, found.signature) ? 'VALID' : 'WRONG' };
  const at = timeOf(found);
  const message = `cosignature/v1\ntime ${at}\n${text}`;
  return at <= MAX_SECONDS && verify(key.publicKey, message, found.signature.slice(16))
    ? { result: 'VALID', at }
    : { result: 'WRONG' };
}

/** A proof that a log has a leaf: that of the entry `number` of a link. `hashes`: see `inclusionRanges`. */
export type LogProof = {
  shortCode: string;
  number: number;
  index: number;
  hashes: string[];
  /** The checkpoint as it is written, and as it is read. */
  signed: string;
  checkpoint: Checkpoint;
};

/** The first line of a proof. */
export const PROOF = 'c2sp.org/tlog-proof@v1';

export function formatProof({
  shortCode,
  number,
  index,
  hashes,
  signed,
}: Omit<LogProof, 'checkpoint'>): string {
  const extra = hexToBase64(textToHex(`${number} ${shortCode}`));
  return [PROOF, `extra ${extra}`, `index ${index}`, ...hashes.map(hexToBase64), '', signed].join('\n');
}

/** Reads a proof; undefined for another text. */
export function parseProof(text: string): LogProof | undefined {
  const end = text.indexOf(BLANK_LINE);
  const [title, extra = '', place = '', ...encoded] = text.slice(0, Math.max(0, end)).split('\n');
  const signed = text.slice(end + BLANK_LINE.length);
  const checkpoint = parseCheckpoint(signed);
  const [, number = '', shortCode = ''] =
    /^([1-9]\d{0,14}) (\S+)$/u.exec(hexToText(base64ToHex(extra.replace(/^extra /, '')) ?? '')) ?? [];
  const index = parseSize(place.replace(/^index /, ''));
  const hashes = readHashes(encoded);
  if (title !== PROOF || !checkpoint || number === '' || index === undefined || !hashes) return undefined;
  return { shortCode, number: Number(number), index, hashes, signed, checkpoint };
}

function readHashes(lines: readonly string[]): string[] | undefined {
  const hashes = lines.flatMap((line) => parseHash(line) ?? []);
  return hashes.length === lines.length ? hashes : undefined;
}

/** A proof that one tree begins with the leaves of a smaller one. `hashes`: see `consistencyRanges`. */
export type ConsistencyProof = { from: number; to: number; hashes: string[] };

export const formatConsistency = ({ from, to, hashes }: ConsistencyProof): string =>
  [`old ${from}`, `new ${to}`, ...hashes.map(hexToBase64), ''].join('\n');

/** Reads the lines of a proof that are not empty; undefined for others. */
export function parseConsistency([old = '', newer = '', ...encoded]: readonly string[]):
  | ConsistencyProof
  | undefined {
  const [from, to] = [parseSize(old.replace(/^old /, '')), parseSize(newer.replace(/^new /, ''))];
  const hashes = readHashes(encoded);
  return from !== undefined && to !== undefined && hashes ? { from, to, hashes } : undefined;
}

/**
 * A statement of a log that another key signs from now on: its own, or that of a log which continues it. The tree that the
 * old key vouches for is that of its last checkpoint.
 */
export type Handover = { from: VerifierKey; to: VerifierKey; last: TreeHead; note: SignedNote };

const HANDOVER = 'Postern: this log is continued with another key';

export const formatHandover = ({ from, to, last }: Omit<Handover, 'note'>): string =>
  [HANDOVER, formatVerifierKey(from), formatVerifierKey(to), last.size, hexToBase64(last.root), ''].join(
    '\n',
  );

/** Reads a handover, whose signature is not verified; undefined for another text. */
export function parseHandover(hash: HashHex, text: string): Handover | undefined {
  const note = parseNote(text);
  const [title, oldKey = '', newKey = '', ofSize = '', ofRoot = ''] = note?.text.split('\n') ?? [];
  const [from, to] = [parseVerifierKey(hash, oldKey), parseVerifierKey(hash, newKey)];
  const [size, root] = [parseSize(ofSize), parseHash(ofRoot)];
  if (title !== HANDOVER || !note || !from || !to || size === undefined || root === undefined)
    return undefined;
  return { from, to, last: { size, root }, note };
}

/** A witness, see https://c2sp.org/tlog-witness. `url`: the prefix of its addresses. */
export type Witness = { key: VerifierKey; url: string };

/** Reads a witness, such as `witness.example+1a2b3c4d+BKey… https://witness.example`; undefined for another text. */
export function parseWitness(hash: HashHex, text: string): Witness | undefined {
  const [encoded = '', address = '', ...others] = text.trim().split(/\s+/);
  const key = parseVerifierKey(hash, encoded);
  const isHttp = /^https?:$/.test(URL.parse(address)?.protocol ?? '');
  return key?.type === COSIGNATURE && isHttp && others.length === 0
    ? { key, url: address.replace(/(?<!\/)\/+$/, '') }
    : undefined;
}

/** Returns the request that a witness gets. `hashes`: the proof that the checkpoint continues that of the old size. */
export const formatWitnessRequest = (sent: {
  old: number;
  hashes: readonly string[];
  note: string;
}): string => [`old ${sent.old}`, ...sent.hashes.map(hexToBase64), '', sent.note].join('\n');
