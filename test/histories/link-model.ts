import { DENIALS } from '../../src/http/errors.ts';
import type { Prechecks } from '../../src/links/attempt.ts';
import { decide } from '../../src/links/decide-attempt.ts';
import { decideRevocation } from '../../src/links/decide-revocation.ts';
import type { LinkState, LinkStatus } from '../../src/links/link.ts';
import type { Verdict } from '../../src/links/verdict.ts';
import { linkState } from '../support/attempts.ts';
import type { Model } from './linearize.ts';

/** What a client does to one link, which has no expiry. */
export type LinkInput =
  | { kind: 'create'; maxViews: number | null }
  | { kind: 'open' | 'HEAD'; password: 'NOT_NEEDED' | 'MISSING' | 'WRONG' | 'RIGHT' }
  | { kind: 'revoke' }
  | { kind: 'describe' };

const PASSES = { password: 'NOT_NEEDED', file: 'NOT_NEEDED', confirmation: 'NOT_NEEDED' } as const;

/** A link of the service: the rules are those that the stores run in their transactions. */
export const LINK_MODEL: Model<LinkState | undefined, LinkInput> = {
  initial: undefined,
  step: (link, input) => {
    switch (input.kind) {
      case 'create':
        return { state: newLink(input.maxViews), output: 'created' };
      case 'open': {
        const { link: state, verdict } = attempt(link, 'OPEN', { ...PASSES, password: input.password });
        return { state, output: verdict };
      }
      case 'HEAD': {
        const { verdict } = attempt(link, 'PREVIEW', { ...PASSES, password: input.password });
        return { state: link, output: `HEAD ${statusOf(verdict)}` };
      }
      case 'revoke': {
        const { result, change } = decideRevocation(link?.status);
        const state = link && change ? { ...link, status: change.to } : link;
        return { state, output: result === 'not-found' ? 'NOT_FOUND' : 'revoked' };
      }
      case 'describe':
        return {
          state: link,
          output: link ? showDescription({ ...link, status: shownStatus(link) }) : 'NOT_FOUND',
        };
    }
  },
  isRead: ({ kind }) => kind === 'HEAD' || kind === 'describe',
  keyOf: (value) => JSON.stringify(value ?? null),
};

/** Returns the output of `describe` for what the service shows of a link. */
export function showDescription({ status, viewCount }: { status: string; viewCount: number }): string {
  return `${status} with ${viewCount} views`;
}

function newLink(maxViews: number | null): LinkState {
  return linkState({ maxViews });
}

/** Returns the status that the next attempt would find or cause, which is what the service shows. */
function shownStatus(link: LinkState): LinkStatus {
  return attempt(link, 'OPEN', PASSES).link?.status ?? link.status;
}

function attempt(link: LinkState | undefined, purpose: 'OPEN' | 'PREVIEW', prechecks: Prechecks) {
  return decide(link, { purpose, prechecks }, 0);
}

function statusOf(verdict: Verdict): number {
  return verdict === 'SUCCESS' || verdict === 'CONFIRMATION_REQUIRED' ? 200 : DENIALS[verdict].status;
}
