import type { AttemptRecipient } from '../../model/attempt.ts';
import { anonymous } from '../../model/author.ts';
import type { EpochMs, LinkDefinition } from '../../model/link.ts';
import {
  CODE_COUNT,
  CODE_LIFETIME_MS,
  CODE_TRIES,
  formatCode,
  hashBrowser,
  hashCode,
  type RecipientCode,
  type RecipientProof,
  readCode,
} from '../../model/recipient-code.ts';
import type { Clock } from '../../ports/ports.ts';
import { findRecipient, toMailAddress } from '../../rules/verified-recipients.ts';
import type { CodeLimits } from '../limits/limit-codes.ts';
import type { Limited } from './check-password.ts';
import type { CodeMail, CodeMailer, CodePurpose } from './mail-codes.ts';

/**
 * What a visitor sends to prove an address: without a code, they ask for one. `browser`: the secret of the browser, if it has
 * one. `language`: of the mails.
 */
export type SentRecipient = {
  address: string | null;
  code: string | null;
  browser: string | null;
  language: string;
};

/**
 * What the page of a recipient needs. `asked`: the address for which a code was asked, and the secret of that browser, which
 * it keeps for `keptMs`: a download can be continued with it.
 * `password`: the right one of the link, which the forms carry on.
 */
export type RecipientStep = {
  isInvalid?: true;
  asked?: { address: string; browser: string; keptMs: number };
  password?: string;
};

/**
 * The facts about the recipient of an attempt before its transaction. `recipient`: if the link names the address. `mail`: the
 * code to send once the attempt is committed. `noMail`: the response to it then, if the service cannot mail codes.
 */
type RecipientCheck = {
  precheck?: 'MISSING' | RecipientProof;
  limited?: Limited;
  recipient?: AttemptRecipient;
  newCode?: RecipientCode;
  mail?: { mail: CodeMail; purpose: CodePurpose };
  noMail?: Limited;
  step?: RecipientStep;
};

export type CheckRecipientParts = {
  codeLimits: CodeLimits;
  /** Undefined if the service sends no mail. */
  codeMailer: CodeMailer | undefined;
  randomInt: (max: number) => number;
  randomBytes: (size: number) => Buffer;
  clock: Clock;
  /** The time for which the download of a granted attempt can be continued. */
  leaseMs: number;
};

const BROWSER_BYTES = 16;
const BROWSER = /^[0-9a-f]{32}$/;
/** No visitor can type these in place of the digits of a code. */
const NO_CODE = { typed: 'none typed', stored: 'none sent' };
const NO_MAIL_RETRY_MS = 60_000;

/**
 * Checks what a visitor sent of a link that names its recipients, or takes a code for them. An address that is not named
 * takes the same steps: the same limits, the same row, and as many hashes.
 */
export async function checkRecipient(
  parts: CheckRecipientParts,
  { shortCode, terms: { verifiedRecipients: named } }: LinkDefinition,
  {
    recipient: sent,
    purpose,
    ipAddress,
  }: {
    recipient?: SentRecipient | undefined;
    purpose: 'OPEN' | 'PREVIEW';
    ipAddress: string | null;
  },
): Promise<RecipientCheck> {
  if (named.length === 0) return {};
  const address = toMailAddress(sent?.address ?? '');
  // A preview cannot be proven, so that HEAD guesses no code.
  if (!sent || purpose === 'PREVIEW' || address === undefined)
    return { precheck: 'MISSING', ...(sent?.address && { step: { isInvalid: true } }) };
  const found = findRecipient(named, address);
  const visitor = {
    shortCode,
    address: found ?? address.toLowerCase(),
    browser: sent.browser !== null && BROWSER.test(sent.browser) ? sent.browser : newBrowser(parts),
  };
  const recipient = found === undefined ? {} : { recipient: { address: found, language: sent.language } };
  const keptMs = CODE_LIFETIME_MS + parts.leaseMs;
  const step = { asked: { address, browser: visitor.browser, keptMs } };
  if (sent.code !== null) {
    const code = (found !== undefined && readCode(sent.code)) || NO_CODE.typed;
    return { ...recipient, step, precheck: toProof(visitor, code) };
  }
  const restingMs = parts.codeMailer ? parts.codeMailer.restingMs() : NO_MAIL_RETRY_MS;
  if (restingMs > 0)
    return { ...recipient, precheck: 'MISSING', noMail: { cause: 'NO_MAIL', retryAfterMs: restingMs } };
  const isNamed = found !== undefined;
  const asked = { client: anonymous(ipAddress), shortCode, address: visitor.address, isNamed };
  const { retryAfterMs, isWithheld } = await parts.codeLimits.acquire(asked);
  if (retryAfterMs > 0) return { precheck: 'MISSING', limited: { cause: 'RECIPIENT_CODES', retryAfterMs } };
  const ofMail = !isNamed ? 'PREPARE' : isWithheld ? 'WITHHOLD' : 'SEND';
  const at = parts.clock();
  const code = formatCode(parts.randomInt(CODE_COUNT));
  const newCode = toNewCode(visitor, ofMail === 'SEND' ? code : NO_CODE.stored, at);
  const mail = {
    mail: { address: visitor.address, code, shortCode, language: sent.language, at },
    purpose: ofMail,
  } as const;
  return { ...recipient, step, precheck: 'MISSING', newCode, mail };
}

type ProvingVisitor = { shortCode: string; address: string; browser: string };

const newBrowser = ({ randomBytes }: CheckRecipientParts): string =>
  randomBytes(BROWSER_BYTES).toString('hex');

function toProof({ shortCode, address, browser }: ProvingVisitor, code: string): RecipientProof {
  return {
    browserHash: hashBrowser(browser),
    address,
    codeHash: hashCode(browser, { shortCode, address, code }),
  };
}

function toNewCode(visitor: ProvingVisitor, code: string, at: EpochMs): RecipientCode {
  const { shortCode } = visitor;
  return { ...toProof(visitor, code), shortCode, triesLeft: CODE_TRIES, endsAt: at + CODE_LIFETIME_MS };
}
