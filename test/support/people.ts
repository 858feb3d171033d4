import assert from 'node:assert/strict';
import { createArgon2idHasher } from '../../src/adapters/password-hasher.ts';
import { SCOPES, type Scope } from '../../src/core/model/people/caller.ts';
import { newPerson, type Person } from '../../src/core/model/people/person.ts';
import { beginSession } from '../../src/core/model/people/session.ts';
import { newChange } from './attempts.ts';
import { send, type TestResponse } from './http-client.ts';
import { recordSecret } from './log-secrets.ts';
import type { TestService } from './service.ts';

export const PASSWORD = 'correct horse battery';
const CHEAP = createArgon2idHasher({ cost: { memoryKiB: 8, passes: 1, parallelism: 1 } });

/** The headers of a browser on a page of the service. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** Stores a person with a password. */
export async function addPerson(
  { stores, clock }: TestService,
  name: string,
  change: Partial<Person> = {},
): Promise<Person> {
  const passwordHash = await CHEAP.hash(PASSWORD);
  const person = newPerson({ name, scopes: [...SCOPES], createdAt: clock.now, passwordHash, ...change });
  assert.equal(await stores.store.people.addPerson(person), 'added');
  return person;
}

/** Deactivates a person who owns no links. */
export async function deactivate({ stores }: TestService, name: string): Promise<void> {
  assert.equal(await stores.store.people.changePerson(name, { isActive: false }, newChange()), 'changed');
}

/** Begins a session of a person. Returns the headers that a page of the service sends with it. */
export async function sessionHeaders(
  { stores, clock }: TestService,
  { id }: Pick<Person, 'id'>,
  staysSignedIn = false,
) {
  const { session, secret } = beginSession(
    { personId: id, staysSignedIn, isFromProvider: false, userAgent: 'test' },
    clock.now,
  );
  await stores.store.people.addSession(session);
  recordSecret(secret);
  return { cookie: `postern=${secret}`, ...OWN_PAGE };
}

/** Returns the headers of a new person with these scopes, who stays signed in. */
export async function personHeaders(service: TestService, name: string, scopes: readonly Scope[] = SCOPES) {
  return sessionHeaders(service, await addPerson(service, name, { scopes: [...scopes] }), true);
}

/** Sends JSON as a page of the service does. */
export function sendFromPage(
  service: { url: string },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const content = body === undefined ? {} : { 'content-type': 'application/json' };
  const options = { method, headers: { ...OWN_PAGE, ...content, ...headers } };
  return send(service, path, { ...options, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Signs in with name and password. */
export function signIn(
  service: { url: string },
  { name, password = PASSWORD, ...more }: { name: string; password?: string; staySignedIn?: boolean },
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return sendFromPage(service, 'POST', '/api/sessions', { name, password, ...more }, headers);
}

/** Returns the cookie that a response sets, as a browser sends it again. */
export function cookieOf({ headers }: TestResponse): { cookie: string } {
  const [set = ''] = headers['set-cookie'] ?? [];
  const [cookie = ''] = set.split(';');
  recordSecret(cookie.split('=')[1] ?? '');
  return { cookie };
}
