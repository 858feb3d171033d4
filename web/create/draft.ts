import type { Restrictions } from '../service/link.ts';

/** What a link is made of. */
export type Source = { kind: 'URL'; text: string } | { kind: 'FILE'; file: File };

export const EXPIRIES = ['NEVER', 'HOUR', 'DAY', 'WEEK', 'DATE'] as const;
export type Expiry = (typeof EXPIRIES)[number];
export const VIEW_LIMITS = ['UNLIMITED', 'ONCE', 'TIMES'] as const;
export type ViewLimit = (typeof VIEW_LIMITS)[number];

/** A link that is not made yet, as the form holds it. */
export type Draft = {
  source: Source;
  expiry: Expiry;
  /** As the browser's field for a date and time gives it: local time, or empty. */
  expiryDate: string;
  views: ViewLimit;
  times: string;
  password: string;
  /** Whether to ask before opening; null as long as the reader left it as the views suggest. */
  confirm: boolean | null;
};

export const EMPTY_DRAFT: Draft = {
  source: { kind: 'URL', text: '' },
  expiry: 'NEVER',
  expiryDate: '',
  views: 'UNLIMITED',
  times: '3',
  password: '',
  confirm: null,
};

/** What only the page can know to be missing: the service would take it for "no restriction". */
export type Missing = 'expiresAt' | 'maxViews';

const MS_OF = { HOUR: 3_600_000, DAY: 86_400_000, WEEK: 7 * 86_400_000 } as const;

/** Whether the link asks before it is opened: by default where a preview would use up a view. */
export function asksFirst({ confirm, views }: Draft): boolean {
  return confirm ?? views !== 'UNLIMITED';
}

/** The restrictions to ask the service for at this moment, or what is missing of them. */
export function toRestrictions(
  draft: Draft,
  now: number,
): { ok: true; restrictions: Restrictions } | { ok: false; missing: Missing } {
  const { expiry, expiryDate, views, times, password } = draft;
  if (expiry === 'DATE' && expiryDate === '') return { ok: false, missing: 'expiresAt' };
  if (views === 'TIMES' && times.trim() === '') return { ok: false, missing: 'maxViews' };
  const expiresAt = toExpiresAt(expiry, expiryDate, now);
  const maxViews = { UNLIMITED: undefined, ONCE: 1, TIMES: toNumber(times) }[views];
  return {
    ok: true,
    restrictions: {
      ...(expiresAt !== undefined && { expiresAt }),
      ...(maxViews !== undefined && { maxViews }),
      ...(password !== '' && { password }),
      ...(asksFirst(draft) && { confirm: true }),
    },
  };
}

function toExpiresAt(expiry: Expiry, date: string, now: number): string | undefined {
  if (expiry === 'NEVER') return undefined;
  if (expiry === 'DATE') return toInstant(date);
  return new Date(now + MS_OF[expiry]).toISOString();
}

/** The field takes years that no program reads: they stay as they were typed. */
function toInstant(date: string): string {
  const at = new Date(date);
  return Number.isNaN(at.getTime()) ? date : at.toISOString();
}

/** What is no number stays as it was typed: the service says best what is wrong with it. */
function toNumber(text: string): number | string {
  return /^\s*-?\d+\s*$/.test(text) ? Number(text) : text.trim();
}

/** A point in time as the browser's field for a date and time takes it, in the reader's time zone. */
export function toDateField(at: number): string {
  const date = new Date(at);
  const local = new Date(at - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
