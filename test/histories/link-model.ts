import type { Prechecks } from '../../src/core/model/attempt.ts';
import { EMPTY_CHAIN } from '../../src/core/model/chain.ts';
import { decide } from '../../src/core/model/decide-attempt.ts';
import { decideChange, decideRevocation } from '../../src/core/model/decide-change.ts';
import type { LinkState, LinkStatus } from '../../src/core/model/link.ts';
import type { Verdict } from '../../src/core/model/verdict.ts';
import { DENIALS } from '../../src/http/errors.ts';
import { linkState, redirectLink } from '../support/attempts.ts';
import type { Model } from './linearize.ts';

/** A change of a link by a client. */
export type ChangeInput = {
  maxViews?: number | null;
  password?: string | null;
  paused?: boolean;
  startsAt?: string | null;
};

/** An operation of a client on one link, which has no expiry. */
export type LinkInput =
  | { kind: 'create'; maxViews: number | null; password: string | null }
  | { kind: 'open' | 'HEAD'; password: string | null }
  | { kind: 'change'; patch: ChangeInput }
  | { kind: 'revoke' }
  | { kind: 'describe' };

/** Versions are left out: clients do not see them. */
type ModelState = { link: LinkState; password: string | null };

const PASSES = { password: 'NOT_NEEDED', file: 'NOT_NEEDED', confirmation: 'NOT_NEEDED' } as const;

/** A link of the service: the rules are those that the stores run in their transactions. */
export const LINK_MODEL: Model<ModelState | undefined, LinkInput> = {
  initial: undefined,
  step: (state, input) => {
    const link = state?.link;
    switch (input.kind) {
      case 'create': {
        const { maxViews, password } = input;
        return { state: { link: linkState({ maxViews }), password }, output: 'created' };
      }
      case 'open': {
        const { link: after, verdict } = attempt(link, 'OPEN', precheck(state, input.password));
        return { state: state && after && { ...state, link: after }, output: verdict };
      }
      case 'HEAD': {
        const { verdict } = attempt(link, 'PREVIEW', precheck(state, input.password));
        return { state, output: `HEAD ${statusOf(verdict)}` };
      }
      case 'change':
        return change(state, input.patch);
      case 'revoke': {
        const { result, change } = decideRevocation(link?.status);
        const after = link && change ? { ...link, status: change.to } : link;
        return {
          state: state && after && { ...state, link: after },
          output: result === 'not-found' ? 'NOT_FOUND' : 'revoked',
        };
      }
      case 'describe':
        return { state, output: link ? describe(link) : 'NOT_FOUND' };
    }
  },
  isRead: ({ kind }) => kind === 'HEAD' || kind === 'describe',
  keyOf: (value) => JSON.stringify(value ?? null),
};

function change(state: ModelState | undefined, { password, paused, maxViews, startsAt }: ChangeInput) {
  if (!state) return { state, output: 'NOT_FOUND' };
  const before = {
    ...{ ...redirectLink('abcdefgh'), ...state.link },
    ...{ passwordHash: state.password, history: EMPTY_CHAIN },
  };
  const patch = {
    ...(password !== undefined && { passwordHash: password }),
    ...(paused !== undefined && { isPaused: paused }),
    ...(startsAt !== undefined && { startsAt: startsAt === null ? null : Date.parse(startsAt) }),
    ...(maxViews !== undefined && { maxViews }),
  };
  const decision = decideChange(before, { patch, versions: null }, 0);
  if (decision.result !== 'changed' && decision.result !== 'unchanged') {
    return { state, output: decision.result };
  }
  const { status, viewCount, isPaused, passwordHash, lastOpenedAt } = decision.link;
  const { maxViews: limit, startsAt: opensAt } = decision.link;
  const link = linkState({ status, viewCount, isPaused, maxViews: limit, startsAt: opensAt, lastOpenedAt });
  return { state: { link, password: passwordHash }, output: describe(link) };
}

/** Returns the output of `describe` and `change` for what the service shows of a link. */
export function showDescription({ status, viewCount }: { status: string; viewCount: number }): string {
  return `${status} with ${viewCount} views`;
}

/** The service shows the status that the next attempt would find or cause. */
function describe(link: LinkState): string {
  const status: LinkStatus = attempt(link, 'OPEN', PASSES).link?.status ?? link.status;
  return showDescription({ ...link, status });
}

function precheck(state: ModelState | undefined, sent: string | null): Prechecks {
  const needed = state?.password ?? null;
  if (needed === null) return PASSES;
  return { ...PASSES, password: sent === null ? 'MISSING' : sent === needed ? 'RIGHT' : 'WRONG' };
}

function attempt(link: LinkState | undefined, purpose: 'OPEN' | 'PREVIEW', prechecks: Prechecks) {
  return decide(link, { purpose, prechecks }, 0);
}

function statusOf(verdict: Verdict): number {
  return verdict === 'SUCCESS' || verdict === 'CONFIRMATION_REQUIRED' ? 200 : DENIALS[verdict].status;
}
