import type { FileRequest } from '../model/link.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { refuseEmpty, type SentFields, withoutEmpty } from './read-fields.ts';
import { parseText, UNSAFE_IN_LINES } from './term-texts.ts';
import { scanRequired } from './uploads.ts';

const FIELD = 'request';
export const MAX_MESSAGE_CHARACTERS = 2_000;
const MESSAGE = { max: MAX_MESSAGE_CHARACTERS, unsafe: UNSAFE_IN_LINES };
export const MAX_REQUESTED_FILES = 1_000;
/** An X25519 recipient of age in Bech32 (BIP 173): `age1` and 58 characters of its alphabet. */
export const RECIPIENT_KEY = /^age1[ac-hj-np-z02-9]{58}$/;

/** What the service allows files. `isScanRequired`: none can be encrypted, because it opens only after a scan. */
export type FilePolicy = { maxFileBytes: number; isScanRequired: boolean };

/** Reads what a new link asks visitors for. */
export function parseFileRequest(value: unknown, policy: FilePolicy, known = {}): Parsed<FileRequest> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(FIELD, 'INVALID_FILE_REQUEST', 'must be an object with a message');
  const sent: Record<string, unknown> = { ...known, ...withoutEmpty({ ...value }) };
  const message = parseText('message', sent['message'], MESSAGE);
  if (!message.ok) return message;
  if (message.value === null) return refuse('message', 'MESSAGE_MISSING', 'must not be blank');
  const maxFiles = parseCount('maxFiles', sent['maxFiles'], MAX_REQUESTED_FILES);
  if (!maxFiles.ok) return maxFiles;
  const maxBytes = parseCount('maxBytes', sent['maxBytes'], policy.maxFileBytes);
  if (!maxBytes.ok) return maxBytes;
  const { recipientKey = null } = sent;
  if (recipientKey !== null && !(typeof recipientKey === 'string' && RECIPIENT_KEY.test(recipientKey)))
    return refuse(
      'recipientKey',
      'INVALID_RECIPIENT_KEY',
      'must be a recipient of age, age1 and 58 characters, as age-keygen prints it',
    );
  if (recipientKey !== null && policy.isScanRequired)
    return { ok: false, error: scanRequired('recipientKey') };
  return accept({ message: message.value, maxFiles: maxFiles.value, maxBytes: maxBytes.value, recipientKey });
}

/** Reads a merge patch of what a link asks for: an absent member stays, and null removes a limit. */
export function parseRequestPatch(value: unknown, policy: FilePolicy): Parsed<Partial<FileRequest>> {
  const read = (patch: unknown) => parseFileRequest(patch, policy, { message: 'as before' });
  const parsed = read(value);
  if (!parsed.ok) return parsed;
  const sent = value as SentFields; // else it was refused
  const blank = refuseEmpty(sent, Object.keys(parsed.value), (name) => read({ [name]: null }).ok);
  if (!blank.ok) return blank;
  const names = Object.keys(sent);
  return accept(Object.fromEntries(Object.entries(parsed.value).filter(([name]) => names.includes(name))));
}

/** Reads a whole number from 1 to `max`, or null. */
function parseCount(field: string, value: unknown, max: number): Parsed<number | null> {
  if (value === undefined || value === null) return accept(null);
  if (typeof value !== 'number' || !Number.isInteger(value))
    return refuse(field, 'NOT_AN_INTEGER', 'must be an integer');
  return value >= 1 && value <= max
    ? accept(value)
    : refuse(field, 'LIMIT_OUT_OF_RANGE', `must be between 1 and ${max}`, { max });
}
