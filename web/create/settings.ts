import { getItem, own, setItem } from '../service/browser-storage.ts';
import { isRecord, parseJson } from '../service/outcome.ts';
import { type Draft, EMPTY_DRAFT, EXPIRIES, keysOf, VIEW_LIMITS } from './draft.ts';
import { UTM_NAMES } from './utm.ts';

/** The members that belong to one link alone. A password stays in no browser. */
const OF_ONE_LINK: readonly (keyof Draft)[] = ['source', 'password', 'passphrase', 'customCode', 'recipient'];

/** The settings of a template. */
export const TEMPLATE = keysOf(EMPTY_DRAFT).filter((name) => !OF_ONE_LINK.includes(name));
/**
 * The settings of the last link, which the next one gets. The form names them: none comes back unseen. Not the limit of views: one
 * view of a text would become one submission of a file request.
 */
export const RECENT = ['expiry', 'confirm', 'team'] as const satisfies (keyof Draft)[];

const RECENT_KEY = 'postern.recent';

/** Formats settings, as `readSettings` reads them. */
export function toSettings(draft: Draft, names: readonly (keyof Draft)[]): string {
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, draft[name]])));
}

/** Reads settings. What this page would not write is left out, and so is a time that is over. */
export function readSettings(
  text: string | null,
  names: readonly (keyof Draft)[],
  now: number,
): Partial<Draft> {
  const stored = parseJson(text ?? '');
  const entries = Object.entries(isRecord(stored) ? stored : {}).filter(
    ([name, value]) => names.some((known) => known === name) && isSetting(name, value, now),
  );
  return Object.fromEntries(entries); // each has a name and a value of a draft
}

function isSetting(name: string, value: unknown, now: number): boolean {
  if (name === 'expiry') return value === null || EXPIRIES.some((known) => known === value);
  if (name === 'viewLimit') return VIEW_LIMITS.some((known) => known === value);
  if (name === 'confirm') return value === null || typeof value === 'boolean';
  if (name === 'utm')
    return (
      isRecord(value) && Object.entries(value).every(([key, each]) => isUtm(key) && typeof each === 'string')
    );
  if (name === 'expiryDate' || name === 'startsAt')
    return typeof value === 'string' && (value === '' || Date.parse(value) > now);
  return typeof value === typeof Object.entries(EMPTY_DRAFT).find(([key]) => key === name)?.[1];
}

const isUtm = (key: string): boolean => UTM_NAMES.some((name) => name === key);

/** Keeps the settings of a link for the next one, without the end that only this one has; null forgets them. */
export function saveRecent(draft: Draft | null): void {
  const names = RECENT.filter((name) => name !== 'expiry' || draft?.expiry !== 'DATE');
  setItem(own(RECENT_KEY), draft && toSettings(draft, names));
}

/**
 * Returns the contents of a new form: empty but for the settings of the last link.
 *
 * @param user the teams of the user, and the address that is notified unless the user changes that
 */
export function startDraft({
  teams,
  ownEmail,
}: {
  teams: readonly string[];
  ownEmail: string | null;
}): Draft {
  const { team = '', ...recent } = readSettings(getItem(own(RECENT_KEY)), RECENT, Date.now());
  return { ...EMPTY_DRAFT, ...recent, team: teams.includes(team) ? team : '', notifyEmail: ownEmail ?? '' };
}
