import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { Attempt, Prechecks } from '../../src/core/model/attempt.ts';
import { type Author, anonymous } from '../../src/core/model/author.ts';
import type { FileRequest, LinkState, NewLink, StoredFile } from '../../src/core/model/link.ts';
import type { LinkChange } from '../../src/core/model/link-change.ts';
import type { FoundKey } from '../../src/core/model/people/api-key.ts';
import { SCOPES } from '../../src/core/model/people/caller.ts';
import { hashSecret } from '../../src/core/model/people/hash-secret.ts';
import { newPerson, type Person } from '../../src/core/model/people/person.ts';
import { beginSession, type Session } from '../../src/core/model/people/session.ts';
import {
  type LinkTerms,
  MANAGED_TERMS,
  NO_TERMS,
  PLAIN_NAMES,
  PLAIN_TERMS,
} from '../../src/core/model/terms.ts';
import { uuidV7 } from '../../src/core/model/uuid-v7.ts';
import type { EndedDownload } from '../../src/core/ports/ports.ts';
import type { ChangeRecord } from '../contract/store-harness.ts';

/** Ten minutes before midnight in UTC, so that a history of some hours spans two dates. */
export const START = Date.parse('2026-06-15T23:50:00Z');

/** Prechecks that let an attempt pass: no password needed, no file, no confirmation. */
export const PASSES = {
  password: 'NOT_NEEDED',
  file: 'NOT_NEEDED',
  confirmation: 'NOT_NEEDED',
} as const satisfies Prechecks;

/** Returns the short code of this number: 8 alphanumerics, in the order of the numbers. */
export function codeOf(index: number): string {
  return `L${String(index).padStart(7, '0')}`;
}

/** Returns the id of the file of this number, as the service generates ids. */
export function fileIdOf(index: number): string {
  return `3f1c9a52-7d0e-4b8e-9a1f-${String(index).padStart(12, '0')}`;
}

export const newSalt = (): string => randomBytes(16).toString('hex');

/** Returns an attempt to open a link, by default at `START` and with prechecks that pass. */
export function attemptOn(
  shortCode: string,
  wanted: Partial<Omit<Attempt, 'id' | 'shortCode'>> = {},
): Attempt {
  const { at = START } = wanted;
  return {
    id: uuidV7(at, randomUUID()),
    at,
    salt: newSalt(),
    shortCode,
    ipAddress: '192.0.2.1',
    userAgent: 'test',
    purpose: 'OPEN',
    prechecks: PASSES,
    version: 0,
    ...wanted,
  };
}

/** Returns the end of an attempt's download, by default a complete one at `START`. */
export function downloadOf(
  { id, shortCode }: Pick<Attempt, 'id' | 'shortCode'>,
  wanted: Partial<EndedDownload> = {},
): EndedDownload {
  const { at = START } = wanted;
  return {
    id: uuidV7(at, randomUUID()),
    at,
    shortCode,
    attemptId: id,
    firstByte: 0,
    bytesSent: 5,
    isSentCompletely: true,
    unsentBytes: 0,
    ...wanted,
  };
}

/** Returns a person of this name, created at `START`, with all scopes. */
export function person(name: string, wanted: Partial<Person> = {}): Person {
  return newPerson({ id: `id of ${name}`, name, scopes: [...SCOPES], createdAt: START, ...wanted });
}

/** Returns a session of a person, begun at `START`. */
export function sessionOf({ id }: Pick<Person, 'id'>, wanted: Partial<Session> = {}): Session {
  const how = { staysSignedIn: false, isFromProvider: false, userAgent: 'test' };
  const { session } = beginSession({ personId: id, ...how }, START);
  return { ...session, ...wanted };
}

/** Returns an API key of this name, by default created at `START`, of all scopes and without an end. */
export function apiKey(name: string, wanted: Partial<Omit<FoundKey, 'name'>> = {}): FoundKey {
  return {
    name,
    hash: hashSecret(`key ${name}`),
    scopes: [...SCOPES],
    ...{ owner: null, owned: null },
    createdAt: START,
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...wanted,
  };
}

/** The row of a change in `entry`, its id as text. PostgreSQL's driver returns numbers as texts. */
export type ChangeRow = Record<'id' | 'salt' | 'short_code' | 'kind' | 'author_kind', string> &
  Record<'author_name' | 'ip_address', string | null> & { changed_at: string | number };

export function toChangeRecord(row: ChangeRow): ChangeRecord {
  return {
    id: row.id,
    salt: row.salt,
    shortCode: row.short_code,
    kind: row.kind,
    author: { kind: row.author_kind as Author['kind'], name: row.author_name, ipAddress: row.ip_address },
    at: Number(row.changed_at),
  };
}

/** Returns a change of a link, by default by an anonymous client at `START`. */
export function newChange(wanted: Partial<Omit<LinkChange, 'id'>> = {}): LinkChange {
  const { at = START, author = anonymous('192.0.2.9') } = wanted;
  return { id: uuidV7(at, randomUUID()), salt: newSalt(), ...wanted, at, author };
}

/** Returns the state of a link, by default a new one without restrictions. */
export function linkState(wanted: Partial<LinkState> = {}): LinkState {
  return {
    status: 'ACTIVE',
    version: 0,
    definitionVersion: 0,
    viewCount: 0,
    maxViews: null,
    startsAt: null,
    expiresAt: null,
    isPaused: false,
    lastOpenedAt: null,
    ...wanted,
  };
}

type SomeTerms = { terms?: Partial<LinkTerms> };

/** Returns a value of each plain term, which belongs to a person of this name. */
export function termsOf(name: string): LinkTerms {
  const texts = { url: `https://${name}.example/end`, receiver: `https://hooks.example/${name}` };
  const values: Record<string, unknown> = {
    ...{ flag: true, text: `For ${name}`, lines: `Größe\nof ${name}`, tags: [name, 'b'], ...texts },
    addresses: [`${name}@verified.example`],
    ...{ email: `${name}@mail.example`, host: 'go.example' },
  };
  const terms = PLAIN_NAMES.map((term) => [term, values[PLAIN_TERMS[term].kind]]);
  return { ...Object.fromEntries(terms), notifyLanguage: 'de' } as LinkTerms; // of each kind its value
}

/** Returns a link to a URL, by default without restrictions. */
export function redirectLink(
  shortCode: string,
  wanted: Partial<Omit<NewLink, 'shortCode' | 'target' | 'terms'>> & SomeTerms & { url?: string } = {},
): NewLink {
  const { url = `https://example.com/${shortCode}`, terms, ...restrictions } = wanted;
  return {
    shortCode,
    definitionVersion: 0,
    target: { type: 'REDIRECT', url },
    terms: { ...NO_TERMS, ...terms },
    createdAt: START,
    startsAt: null,
    expiresAt: null,
    maxViews: null,
    passwordHash: null,
    tokenHash: null,
    owner: 'ANONYMOUS',
    team: null,
    ...restrictions,
  };
}

/** Returns the definition of a link. */
export function definitionOf({ shortCode, definitionVersion, target, passwordHash, terms }: NewLink) {
  const ofVisits = Object.entries(terms).filter(([name]) => !(name in MANAGED_TERMS));
  return { shortCode, definitionVersion, target, passwordHash, terms: Object.fromEntries(ofVisits) };
}

/** Returns a file request, by default without restrictions. */
export function requestLink(
  shortCode: string,
  {
    request = {},
    terms,
    ...wanted
  }: Partial<Omit<NewLink, 'terms'>> & SomeTerms & { request?: Partial<FileRequest> } = {},
): NewLink {
  const whole = { message: 'The signed contracts\nas PDF', maxFiles: 5, maxBytes: 1000, recipientKey: null };
  return {
    ...redirectLink(shortCode, { terms: terms ?? {} }),
    target: { type: 'REQUEST', request: { ...whole, ...request } },
    ...wanted,
  };
}

/** Returns a link to a file, by default without restrictions. */
export function downloadLink(shortCode: string, file: Partial<StoredFile> & { fileId: string }): NewLink {
  return {
    ...redirectLink(shortCode),
    target: {
      type: 'DOWNLOAD',
      file: { fileName: 'report.pdf', sizeBytes: 5, sha256: hash('sha256', file.fileId), ...file },
    },
  };
}
