import type { components } from './contract.ts';
import type { Outcome } from './outcome.ts';
import { request, requestJson } from './requests.ts';

// People, teams and API keys.

export type Person = components['schemas']['Person'];
export type ScopeSource = components['schemas']['ScopeSource'];
export type PersonChange = components['schemas']['PersonPatch'];
export type PasswordLink = components['schemas']['PasswordLink'];
export type Team = components['schemas']['Team'];
export type Key = components['schemas']['ApiKey'];

type Items<Item> = Promise<Outcome<{ items: Item[] }>>;
type Method = 'POST' | 'PATCH';

function sendJson<Value>(method: Method, path: string, value: object): Promise<Outcome<Value>> {
  const headers = { 'content-type': 'application/json' };
  return requestJson(path, { method, headers, body: JSON.stringify(value) });
}

const below = (path: string, name: string): string => `api/${path}/${encodeURIComponent(name)}`;

export const listPeople = (): Items<Person> => requestJson('api/people');
/** Lists the names of active people, who can own links. */
export const listNames = (): Items<string> => requestJson('api/people/names');
export const addPerson = (given: components['schemas']['NewPerson']) =>
  sendJson<{ person: Person; passwordLink: PasswordLink }>('POST', 'api/people', given);
export const changePerson = (name: string, change: PersonChange) =>
  sendJson<Person>('PATCH', below('people', name), change);
export const renewPasswordLink = (name: string): Promise<Outcome<PasswordLink>> =>
  requestJson(`${below('people', name)}/password-link`, { method: 'POST' });

/** Lists the teams of the caller, and to an administrator all. */
export const listTeams = (): Items<Team> => requestJson('api/teams');
export const addTeam = (given: Pick<Team, 'name' | 'members'>) => sendJson<Team>('POST', 'api/teams', given);
export const changeTeam = (name: string, change: Pick<Team, 'name' | 'members'>) =>
  sendJson<Team>('PATCH', below('teams', name), change);
export const deleteTeam = (name: string) => request(below('teams', name), { method: 'DELETE' });

/** Lists the keys of the caller, and to an administrator all. */
export const listKeys = (): Items<Key> => requestJson('api/keys');
export const addKey = (given: components['schemas']['NewApiKey']) =>
  sendJson<{ key: string; record: Key }>('POST', 'api/keys', given);
export const revokeKey = (name: string) => request(below('keys', name), { method: 'DELETE' });
