import { type Attempt, type AttemptOutcome, toAuditResult } from '../core/model/attempt.ts';
import { appendEntry, EMPTY_CHAIN, headAt } from '../core/model/chain.ts';
import { decide, dependsOnLink, isOutdated } from '../core/model/decide-attempt.ts';
import type { LogEntry } from '../core/model/history.ts';
import type { LinkStatus } from '../core/model/link.ts';
import { type LinkEvent, type LinkEvents, toAttemptEvents } from '../core/model/link-event.ts';
import { CHANGED } from '../core/model/verdict.ts';
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
};

/**
 * Runs `decide` on attempts in their order, each on the state that the one before left. Outdated ones are
 * not decided: they have no effect and no entry.
 *
 * @param before the attempts' links, by short code; a code without a link is absent
 * @param firstSeq the position of the first entry in the log
 */
export function applyAttempts(
  before: ReadonlyMap<string, CurrentLink>,
  attempts: readonly Attempt[],
  firstSeq: number,
): BatchEffects {
  const effects: BatchEffects = {
    outcomes: [],
    entries: [],
    links: new Map(),
    statusChanges: new Map(),
    events: [],
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
    const { verdict, link } = decide(current?.state, attempt, attempt.at);
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
    if (attempt.notifies) {
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

function toEntry(attempt: Attempt, result: ReturnType<typeof toAuditResult>) {
  const { id, at, salt, shortCode, count = 1, ipAddress, userAgent, referrer } = attempt;
  const common = { kind: 'ATTEMPT', id, at, salt, shortCode, result, count, ipAddress, userAgent } as const;
  return referrer === undefined ? common : { ...common, referrer };
}
