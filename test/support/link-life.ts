import type { Prechecks, Purpose } from '../../src/core/model/attempt.ts';
import type { EpochMs, LinkState, LinkStatus } from '../../src/core/model/link.ts';
import type { Verdict } from '../../src/core/model/verdict.ts';
import { linkState } from './attempts.ts';

export type Limits = { maxViews: number | null; startsAt: EpochMs | null; expiresAt: EpochMs | null };
export type Request = { purpose: Purpose; prechecks: Prechecks };

type Situation = {
  status: LinkStatus;
  isOver: boolean;
  isSpent: boolean;
  isPaused: boolean;
  isEarly: boolean;
  prechecks: Exclude<Prechecks, string>;
};

/** "Order: exists, not revoked, password, recipient, time, views, active, file exists, success." The first that holds denies. */
export const DENIALS_IN_ORDER: readonly (readonly [Verdict, (situation: Situation) => boolean])[] = [
  ['REVOKED', ({ status }) => status === 'REVOKED'],
  ['PASSWORD_REQUIRED', ({ prechecks }) => prechecks.password === 'MISSING'],
  ['INVALID_PASSWORD', ({ prechecks }) => prechecks.password === 'WRONG'],
  ['RECIPIENT_REQUIRED', ({ prechecks }) => prechecks.recipient === 'MISSING'],
  // The model has no codes: each that is sent is wrong.
  ['INVALID_RECIPIENT', ({ prechecks }) => typeof prechecks.recipient === 'object'],
  ['EXPIRED', ({ isOver }) => isOver],
  ['VIEW_LIMIT_REACHED', ({ isSpent }) => isSpent],
  ['UNEXPECTED_STATE', ({ status }) => status !== 'ACTIVE'],
  ['PAUSED', ({ isPaused }) => isPaused],
  ['NOT_STARTED', ({ isEarly }) => isEarly],
  ['FILE_NOT_FOUND', ({ prechecks }) => prechecks.file === 'MISSING'],
  ['CONFIRMATION_REQUIRED', ({ prechecks }) => prechecks.confirmation === 'MISSING'],
];

/** Returns the verdict of the contract's checks on the current state of a link. */
export function verdictByOrder(link: LinkState | undefined, prechecks: Prechecks, now: EpochMs): Verdict {
  if (prechecks === 'RATE_LIMITED') return 'RATE_LIMITED';
  if (!link || prechecks === 'LINK_NOT_FOUND') return 'NOT_FOUND';
  const situation = {
    status: link.status,
    isOver: link.expiresAt !== null && now > link.expiresAt,
    isSpent: link.maxViews !== null && link.viewCount >= link.maxViews,
    isPaused: link.isPaused,
    isEarly: link.startsAt !== null && link.startsAt > now,
    prechecks,
  };
  return DENIALS_IN_ORDER.find(([, applies]) => applies(situation))?.[0] ?? 'SUCCESS';
}

/**
 * The life of one link as the contract defines it. It stores only the events in their order; views and status are
 * derived from them each time, so that it shares no way of counting with the service.
 */
export class LinkLife {
  readonly limits: Limits;
  readonly #happened: (Verdict | 'revocation' | 'expiry run')[] = [];
  #lastOpenedAt: EpochMs | null = null;
  #isPaused = false;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  get state(): LinkState {
    const viewCount = this.#happened.filter((event) => event === 'SUCCESS').length;
    const [lastOpenedAt, isPaused] = [this.#lastOpenedAt, this.#isPaused];
    return linkState({ ...this.limits, viewCount, lastOpenedAt, isPaused, status: this.#status() });
  }

  #status(): LinkStatus {
    if (this.#happened.includes('revocation')) return 'REVOKED';
    const expiring = ['EXPIRED', 'VIEW_LIMIT_REACHED', 'expiry run'];
    return this.#happened.some((event) => expiring.includes(event)) ? 'EXPIRED' : 'ACTIVE';
  }

  attempt({ purpose, prechecks }: Request, now: EpochMs): Verdict {
    const verdict = verdictByOrder(this.state, prechecks, now);
    if (purpose === 'OPEN') this.#happened.push(verdict);
    if (purpose === 'OPEN' && verdict === 'SUCCESS')
      this.#lastOpenedAt = Math.max(now, this.#lastOpenedAt ?? now);
    return verdict;
  }

  revoke(): 'revoked' | 'already-revoked' {
    if (this.#status() === 'REVOKED') return 'already-revoked';
    this.#happened.push('revocation');
    return 'revoked';
  }

  pause(isPaused: boolean): 'changed' | 'unchanged' | 'revoked' {
    if (this.#status() === 'REVOKED') return 'revoked';
    if (this.#isPaused === isPaused) return 'unchanged';
    this.#isPaused = isPaused;
    return 'changed';
  }

  /** Returns whether a run of the expiration job at `now` marks this link. */
  expireIfDue(now: EpochMs): boolean {
    const { expiresAt } = this.limits;
    const isDue = this.#status() === 'ACTIVE' && expiresAt !== null && expiresAt < now;
    if (isDue) this.#happened.push('expiry run');
    return isDue;
  }
}
