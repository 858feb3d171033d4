import type { TermName } from './terms.ts';

/** The members of a link in its source that are texts. `host`: of its short URL; `password`: the plain one. */
export const SOURCE_TEXTS = [
  ...(['shortCode', 'host', 'targetUrl', 'createdAt', 'startsAt', 'expiresAt', 'maxViews', 'views'] as const),
  ...(['label', 'note', 'recipient', 'password'] as const),
];
export type SourceText = (typeof SOURCE_TEXTS)[number];
export const SOURCE_FLAGS = ['forwardPath', 'forwardQuery'] as const satisfies TermName[];
export type SourceFlag = (typeof SOURCE_FLAGS)[number];

/** A link as its source describes it, in texts that are not checked yet. An absent one is null. */
export type ImportRecord = Record<SourceText, string | null> &
  Record<SourceFlag, boolean> & {
    tags: readonly string[];
    /** The reasons for which the link would open for visitors whom its source refuses. */
    refusals: readonly SourceRefusal[];
    /** The functions of the link in its source that it does not have here. */
    losses: readonly string[];
  };

export const SOURCE_REFUSALS = ['password', 'banned', 'deleted'] as const;
export type SourceRefusal = (typeof SOURCE_REFUSALS)[number];

/** A difference between a link here and its source. Links with the same `what` are counted together. */
export type Remark = { what: string; detail?: string };

/** The reasons not to import a link, as the report shows them. */
export const SKIP_REASONS = {
  INVALID_CODE: 'the short code cannot be kept',
  RESERVED_CODE: 'the short code is reserved',
  INVALID_TARGET: 'the target is refused',
  BLOCKED_TARGET: 'the target is on a blocked host',
  INVALID_TIME: 'a time cannot be kept',
  INVALID_COUNT: 'a count cannot be kept',
  INVALID_PASSWORD: 'the password is refused',
  REFUSES_VISITORS: 'its source refuses visitors',
  CODE_TAKEN: 'the short code is taken',
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;

/** The result of a record. A dry run has the same. */
export type ImportResult =
  | { result: 'IMPORTED'; targetUrl: string; isPaused: boolean; views: number; remarks: Remark[] }
  | { result: 'ALREADY_THERE' }
  | { result: 'SKIPPED'; reason: SkipReason; detail: string };
