import { hash } from 'node:crypto';
import type { Author } from './author.ts';
import type { ChangeDetails, ChangedTerm, DetailValue } from './history.ts';
import { type EpochMs, isShownText, type Link, type NewLink, type StoredFile, startsPaused } from './link.ts';
import { formatOwner } from './owner.ts';
import { isHashed, type LinkTerms, PLAIN_NAMES, type PlainTerm, recordedName, termOf } from './terms.ts';

function toTime(at: EpochMs | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function toSha256(text: string | null | undefined): string | null {
  return text ? hash('sha256', text) : null;
}

type Terms = Omit<NewLink, 'imported' | 'former' | 'requestHistory'>;

const TRAITS = ['encrypted', 'fileCount', 'partsSha256', 'scan', 'scanNote', 'text', 'viewable'] as const;
type Traits = { [Name in (typeof TRAITS)[number]]: DetailValue };

/** Returns the traits of a file, with null for each that it lacks. */
function toTraits(file: StoredFile | undefined): Traits {
  const traits = TRAITS.map((name) => [name, file?.traits?.[name] ?? null]);
  return Object.fromEntries(traits) as Traits; // of each name one
}

/** Returns the SHA-256 of a file. That of a text is left out: a short one, such as a password, could be guessed by it. */
function toDigests(file: StoredFile): { fileSha256?: string } {
  return isShownText(file) ? {} : { fileSha256: file.sha256 };
}

/** Returns a plain term as histories have it. */
function toRecorded(name: PlainTerm, terms: LinkTerms): DetailValue {
  const value = terms[name];
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'object' && value !== null ? value.join(',') || null : value;
  return isHashed(name) ? toSha256(text) : text;
}

/** Returns all plain terms as histories have them. */
export function toRecordedTerms(terms: LinkTerms): Record<string, DetailValue> {
  return Object.fromEntries(PLAIN_NAMES.map((name) => [recordedName(name), toRecorded(name, terms)]));
}

/** Returns the plain terms that the entry of a creation has. */
function toGivenTerms(terms: LinkTerms): Record<string, DetailValue> {
  const given: Record<string, DetailValue> = {};
  for (const name of PLAIN_NAMES) {
    const value = toRecorded(name, terms);
    const isGiven = value !== null && value !== false;
    if (isGiven || termOf(name).isAlwaysRecorded) given[recordedName(name)] = value;
  }
  return given;
}

/** Returns the terms of a link as its history has them, sorted by name. Those that most links lack are left out. */
export function toTerms(link: Terms): ChangeDetails {
  const { target, startsAt, expiresAt, maxViews, passwordHash } = link;
  const request = requestOf(link);
  const {
    maxBytes = null,
    maxFiles = null,
    recipientKey = null,
    message: requestMessage = null,
  } = request ?? {};
  return sortByName({
    ...toGivenTerms(link.terms),
    expiresAt: toTime(expiresAt),
    ...(target.type === 'DOWNLOAD' && { fileName: target.file.fileName, ...toDigests(target.file) }),
    ...(target.type === 'DOWNLOAD' && { sizeBytes: target.file.sizeBytes, ...target.file.traits }),
    ...(maxBytes !== null && { maxBytes }),
    ...(maxFiles !== null && { maxFiles }),
    maxViews,
    passwordProtected: passwordHash !== null,
    ...(recipientKey !== null && { recipientKey }),
    ...(requestMessage !== null && { requestMessage }),
    ...(link.requestCode !== undefined && { requestShortCode: link.requestCode }),
    ...(startsAt !== null && { startsAt: toTime(startsAt) }),
    ...(target.type === 'REDIRECT' && { targetSha256: toSha256(target.url) }),
    ...(link.team !== null && { team: link.team }),
    type: target.type,
  });
}

/** Returns the details with their names in order. Twice as fast as sorting the entries of the object. */
function sortByName<Value extends object | DetailValue>(
  details: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const sorted: Record<string, Value> = {};
  for (const name of Object.keys(details).sort()) {
    const value = details[name];
    if (value !== undefined) sorted[name] = value;
  }
  return sorted;
}

/**
 * Returns the details of the entry of a creation. They have the owner if that is not the author. An imported link also
 * has where it comes from, when it was created there, and how many views it had; one that continues another link the end
 * of that one's history; one of files that were submitted the end of the history of the file request.
 */
export function toCreationDetails(link: NewLink, author: Author): ChangeDetails {
  const { imported, former, createdAt, owner, requestHistory } = link;
  const isOfAuthor = owner === formatOwner(author);
  if (!imported && !startsPaused(link) && !former && !requestHistory && isOfAuthor) return toTerms(link);
  const details: ChangeDetails = {
    ...toTerms(link),
    ...(former && {
      formerEntryCount: former.history.entryCount,
      formerFingerprint: former.history.fingerprint,
      formerShortCode: former.shortCode,
    }),
    // Audit records of earlier views would show visits that this service cannot prove; a column could be changed unnoticed.
    ...(imported && {
      createdAt: toTime(createdAt),
      importedFrom: imported.from,
      viewCount: imported.viewCount,
    }),
    ...(requestHistory && {
      requestEntryCount: requestHistory.entryCount,
      requestFingerprint: requestHistory.fingerprint,
    }),
    ...(startsPaused(link) && { paused: true }),
    ...(!isOfAuthor && { owner }),
  };
  return sortByName(details);
}

/**
 * Returns the terms of a link that can be changed, sorted by name, with null for each that it lacks. A password is never
 * shown; of URLs and of the receivers of notifications, only the SHA-256.
 */
export function toChangeableTerms(link: Omit<Link, 'history'>): Readonly<Record<string, DetailValue>> {
  const { target } = link;
  const file = fileOf(link);
  const { maxBytes = null, maxFiles = null, recipientKey = null, message = null } = requestOf(link) ?? {};
  return sortByName({
    ...toRecordedTerms(link.terms),
    ...toTraits(file),
    expiresAt: toTime(link.expiresAt),
    fileName: file?.fileName ?? null,
    fileSha256: (file && toDigests(file).fileSha256) ?? null,
    ...{ maxBytes, maxFiles, recipientKey, requestMessage: message },
    maxViews: link.maxViews,
    owner: link.owner,
    passwordProtected: link.passwordHash !== null,
    paused: link.isPaused,
    sizeBytes: file?.sizeBytes ?? null,
    startsAt: toTime(link.startsAt),
    status: link.status,
    targetSha256: target.type === 'REDIRECT' ? toSha256(target.url) : null,
    team: link.team,
  });
}

const requestOf = ({ target }: Pick<Link, 'target'>) =>
  target.type === 'REQUEST' ? target.request : undefined;
export const fileOf = ({ target }: Pick<Link, 'target'>) =>
  target.type === 'DOWNLOAD' ? target.file : undefined;

/**
 * Returns the old and the new value of each term that differs. `true` for both says that a password was replaced, the
 * same SHA-256 for both that a file was, by one with the same bytes, and null for both that a text was.
 */
export function toChangedTerms(before: Link, after: Link): Readonly<Record<string, ChangedTerm>> {
  const old = toChangeableTerms(before);
  const replaced = [
    ...(before.passwordHash !== after.passwordHash ? ['passwordProtected'] : []),
    ...(fileOf(before)?.fileId !== fileOf(after)?.fileId ? ['fileSha256'] : []),
  ];
  const changed = Object.entries(toChangeableTerms(after)).filter(
    ([name, value]) => value !== old[name] || replaced.includes(name),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, { new: value, old: old[name] ?? null }]));
}
