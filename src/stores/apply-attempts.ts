import { type Attempt, type AttemptOutcome, toAuditResult } from '../core/model/attempt.ts';
import { appendEntry, EMPTY_CHAIN, headAt } from '../core/model/chain.ts';
import { decide, dependsOnLink, isOutdated } from '../core/model/decide-attempt.ts';
import type { LogEntry } from '../core/model/history.ts';
import type { LinkStatus } from '../core/model/link.ts';
import { isReceipted, type LinkEvent, type LinkEvents, toAttemptEvents } from '../core/model/link-event.ts';
import type { RecipientCode } from '../core/model/recipient-code.ts';
import { type AuditResult, CHANGED, type Verdict } from '../core/model/verdict.ts';
import type { CurrentLink } from './link-rows.ts';

/** Everything that a batch of attempts changes. */
export type BatchEffects = {
  /** One per attempt, in the attempts' order. */
  outcomes: AttemptOutcome[];
  /** One per attempt that was decided, in the attempts' order. */
  entries: LogEntry[];
  /** The links with new entries, after them. */
  links: Map<string, CurrentLink>;
  /** The links that left ACTIVE, with their new status. */
  statusChanges: Map<string, LinkStatus>;
  /** The events of attempts that notify others, by link. */
  events: LinkEvents[];
  codes: CodeChanges;
};

/** The codes of recipients that attempts changed, by their keys: `after` is absent for one that was used. */
export type CodeChanges = Map<string, CodeKey & { after?: RecipientCode }>;
type CodeKey = Pick<RecipientCode, 'browserHash' | 'shortCode'>;

/** Returns the key of the one code that a browser has for a link. */
export const keyOfCode = ({ browserHash, shortCode }: CodeKey): string => `${browserHash} ${shortCode}`;

/**
 * Runs `decide` on attempts in their order, each on the state that the one before left. Outdated ones are
 * not decided: they have no effect and no entry.
 *
 * @param before the attempts' links, by short code; a code without a link is absent
 * @param firstSeq the position of the first entry in the log
 * @param codes the codes of the browsers of the attempts, by their keys
 */
export function applyAttempts(
  before: ReadonlyMap<string, CurrentLink>,
  attempts: readonly Attempt[],
  firstSeq: number,
  codes: ReadonlyMap<string, RecipientCode> = new Map(),
): BatchEffects {
  const effects: BatchEffects = {
    outcomes: [],
    entries: [],
    links: new Map(),
    statusChanges: new Map(),
    events: [],
    codes: new Map(),
  };
  const eventsByLink = new Map<string, LinkEvent[]>();
  for (const attempt of attempts) {
    const { shortCode } = attempt;
    const known = effects.links.get(shortCode) ?? before.get(shortCode);
    const current = dependsOnLink(attempt) ? known : undefined;
    if (current && isOutdated(current.state, attempt)) {
      effects.outcomes.push({ verdict: CHANGED, viewCount: current.state.viewCount });
      continue;
    }
    const code = findCode(codes, effects.codes, attempt);
    const { verdict, link } = decide(current?.state, attempt, attempt.at, code);
    changeCode(effects.codes, attempt, verdict, code);
    effects.outcomes.push({ verdict, viewCount: link?.viewCount ?? 0 });
    const entry = toEntry(attempt, toAuditResult(attempt.purpose, verdict));
    const seq = firstSeq + effects.entries.length;
    if (!current || !link) {
      effects.entries.push({ ...entry, salt: null, seq, number: 0, prev: null, fingerprint: null });
      continue;
    }
    const appended = appendEntry(current.head, entry, seq);
    effects.entries.push(appended);
    effects.links.set(shortCode, { state: link, head: headAt(appended) });
    if (link.status !== current.state.status) effects.statusChanges.set(shortCode, link.status);
    if (attempt.notifies || isReceipted(attempt, verdict)) {
      const events = eventsByLink.get(shortCode) ?? [];
      events.push(...toAttemptEvents(attempt, appended, current.state, link));
      eventsByLink.set(shortCode, events);
    }
  }
  for (const [shortCode, events] of eventsByLink) {
    const head = effects.links.get(shortCode)?.head ?? EMPTY_CHAIN;
    if (events.length > 0) effects.events.push({ shortCode, head, events });
  }
  return effects;
}

/** Returns the code with which an attempt is compared, as the attempts before left it. */
function findCode(
  codes: ReadonlyMap<string, RecipientCode>,
  changes: CodeChanges,
  { prechecks, shortCode }: Attempt,
): RecipientCode | undefined {
  const proof = typeof prechecks === 'object' ? prechecks.recipient : undefined;
  if (typeof proof !== 'object') return undefined;
  const key = keyOfCode({ ...proof, shortCode });
  const changed = changes.get(key);
  return changed ? changed.after : codes.get(key);
}

/** Stores a new code, counts a wrong try, and removes a code that opened its link. */
function changeCode(
  changes: CodeChanges,
  { newCode }: Attempt,
  verdict: Verdict,
  code: RecipientCode | undefined,
): void {
  const change = (of: RecipientCode, after?: RecipientCode) => {
    const { browserHash, shortCode } = of;
    changes.set(keyOfCode(of), { browserHash, shortCode, ...(after && { after }) });
  };
  if (newCode && verdict === 'RECIPIENT_REQUIRED') change(newCode, newCode);
  if (code && verdict === 'SUCCESS') change(code);
  if (code && verdict === 'INVALID_RECIPIENT')
    change(code, { ...code, triesLeft: Math.max(0, code.triesLeft - 1) });
}

/** The results of attempts whose entries name the recipient. */
const OF_RECIPIENT: readonly AuditResult[] = ['SUCCESS', 'RECIPIENT_REQUIRED', 'INVALID_RECIPIENT'];

function toEntry(attempt: Attempt, result: AuditResult) {
  const { id, at, salt, shortCode, count = 1, ipAddress, userAgent, referrer, recipient } = attempt;
  const common = { kind: 'ATTEMPT', id, at, salt, shortCode, result, count, ipAddress, userAgent } as const;
  if (referrer === undefined && recipient === undefined) return common;
  return {
    ...common,
    ...(referrer !== undefined && { referrer }),
    ...(recipient && OF_RECIPIENT.includes(result) && { recipientAddress: recipient.address }),
  };
}
