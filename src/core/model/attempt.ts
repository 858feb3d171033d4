import type { NewLease } from './lease.ts';
import type { EpochMs } from './link.ts';
import type { RecipientCode, RecipientProof } from './recipient-code.ts';
import { createUuidV7Source } from './uuid-v7.ts';
import type { AuditResult, CHANGED, Verdict } from './verdict.ts';

/**
 * The facts about an attempt that are established before its transaction, because they are slow to establish
 * (a password's hash, a file's handle) or follow from the definition of its link (that it needs a confirmation). Those
 * of a changed definition are established again, see `isOutdated`.
 * RATE_LIMITED: a limit refused the attempt, or several, before they were decided.
 */
export type Prechecks =
  | 'RATE_LIMITED'
  | 'LINK_NOT_FOUND'
  | {
      password: 'NOT_NEEDED' | 'MISSING' | 'WRONG' | 'RIGHT';
      file: 'NOT_NEEDED' | 'MISSING' | 'HELD_BACK' | 'OPEN';
      confirmation: 'NOT_NEEDED' | 'MISSING';
      /** Of a link that names its recipients: without a code, or with one, which is compared in the transaction. */
      recipient?: 'MISSING' | RecipientProof;
    };

/** The prechecks of a link that leaves nothing to check beforehand. */
export const NO_PRECHECKS = {
  password: 'NOT_NEEDED',
  file: 'NOT_NEEDED',
  confirmation: 'NOT_NEEDED',
} as const satisfies Prechecks;

/** OPEN may spend a view. PREVIEW (HEAD, prefetch) gets the verdict of OPEN, and leaves the state of the link as it is. */
export type Purpose = 'OPEN' | 'PREVIEW';

/** One try to open a link. `id` is a UUIDv7 whose time is `at`; texts are within the audit's bounds. */
export type Attempt = {
  id: string;
  at: EpochMs;
  /** Of the personal fields of its entry, see `Personal`. */
  salt: string;
  shortCode: string;
  ipAddress: string | null;
  userAgent: string | null;
  /** The host of the page that had the link, if the browser named it. */
  referrer?: string;
  purpose: Purpose;
  prechecks: Prechecks;
  /** The `definitionVersion` of the definition by which the prechecks were established; null if no link was found. */
  version: number | null;
  /** True when others want to be notified of it: its events are committed with it. */
  notifies?: boolean;
  /** The lease that begins if the attempt is granted. */
  lease?: NewLease;
  /** The code that is stored if the verdict is RECIPIENT_REQUIRED. */
  newCode?: RecipientCode;
  /** The recipient to whom the attempt belongs. They get a receipt if it is granted. */
  recipient?: AttemptRecipient;
  /** The number of attempts that it stands for; 1 if absent. Only those that a limit refused are recorded together. */
  count?: number;
};

/** A recipient whom the link of an attempt names. `language`: of their mails. */
export type AttemptRecipient = { address: string; language: string };

/** Returns a new id and a new salt for an entry of this time. */
export type NewIdAndSalt = (at: EpochMs) => Pick<Attempt, 'id' | 'salt'>;
const SALT_BYTES = 16;
const SALT_CHARACTERS = 2 * SALT_BYTES;
const SALTS_AT_ONCE = 64;

/** Prepares making the ids and salts of a process. Salts are drawn together: one at a time takes 0.3 µs more. */
export function prepareNewIdAndSalt(random: {
  randomUuid: () => string;
  randomBytes: (size: number) => Buffer;
}): NewIdAndSalt {
  const newId = createUuidV7Source(random.randomUuid);
  let salts = '';
  return (at) => {
    if (salts === '') salts = random.randomBytes(SALT_BYTES * SALTS_AT_ONCE).toString('hex');
    const salt = salts.slice(0, SALT_CHARACTERS);
    salts = salts.slice(SALT_CHARACTERS);
    return { id: newId(at), salt };
  };
}

/** The result that the store committed for an attempt, with the link's views after it. */
export type AttemptOutcome = { verdict: Verdict | typeof CHANGED; viewCount: number };

/** The record that proves an attempt, within `AUDIT_BOUNDS`; the short code of an imported link may be longer. */
export type AuditRecord = Pick<Attempt, 'id' | 'shortCode' | 'ipAddress' | 'userAgent' | 'referrer'> & {
  /**
   * The mail address of a recipient: of SUCCESS, a person who controlled it opened the link; of RECIPIENT_REQUIRED, a code was
   * asked for it; of INVALID_RECIPIENT, a code was sent for it that is wrong, has ended or was used, or was sent from another browser.
   */
  recipientAddress?: string;
  result: AuditResult;
  accessedAt: EpochMs;
  /** The number of attempts that it records: 1, but of those that a limit refused all of a client, a link and a minute. */
  count: number;
};

/**
 * "max 20 characters", "max 45 characters", "max 500 characters" (Access audit record). Each client may cause records of
 * unknown codes, so those of their user agents are shorter.
 */
export const AUDIT_BOUNDS = {
  shortCode: 20,
  ipAddress: 45,
  userAgent: 500,
  userAgentOfUnknownCode: 100,
  referrer: 255,
} as const;

/** Returns the result that the audit records for a verdict. */
export function toAuditResult(purpose: Purpose, verdict: Verdict): AuditResult {
  if (purpose === 'PREVIEW' && verdict === 'INVALID_PASSWORD') return 'PREVIEW_INVALID_PASSWORD';
  if (purpose === 'PREVIEW' || verdict === 'CONFIRMATION_REQUIRED') return 'PREVIEW';
  return verdict === 'FILE_NOT_FOUND' ? 'NOT_FOUND' : verdict;
}

/**
 * Control characters, of which not every database can store NUL; separators of lines; and the characters that
 * change the direction of text. They would rearrange a list, or control the terminal, in which they are read.
 */
export const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
const EVERY_UNSAFE = new RegExp(UNSAFE, 'gu');

/** Shortens a text. "A text over 20 characters is cut to 19 and a final `…`, so that it never equals the code of a link." */
export function toAuditCode(sent: string): string {
  const { shortCode: maxLength } = AUDIT_BOUNDS;
  const isCut = sent.length > maxLength;
  return isCut ? `${toAuditText(sent, maxLength - 1)}…` : toAuditText(sent, maxLength);
}

/** Returns a user agent as the audit stores it. */
export function toAuditAgent(sent: string | null, { isCodeKnown }: { isCodeKnown: boolean }): string | null {
  const { userAgent, userAgentOfUnknownCode } = AUDIT_BOUNDS;
  return sent === null ? null : toAuditText(sent, isCodeKnown ? userAgent : userAgentOfUnknownCode);
}

/**
 * Returns a client's text as the audit stores it: at most `maxLength` UTF-16 units, well-formed, and with
 * U+FFFD for each unsafe character.
 */
export function toAuditText(text: string, maxLength: number): string {
  const truncated = text.length > maxLength ? text.slice(0, maxLength) : text;
  const safe = UNSAFE.test(truncated) ? truncated.replace(EVERY_UNSAFE, '\uFFFD') : truncated;
  return safe.toWellFormed();
}
