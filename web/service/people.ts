import type { components } from './contract.ts';
import type { Outcome } from './outcome.ts';
import { request, requestJson, withJson } from './requests.ts';

// People, teams and API keys.

export type Person = components['schemas']['Person'];
export type ScopeSource = components['schemas']['ScopeSource'];
export type PersonChange = components['schemas']['PersonPatch'];
export type PasswordLink = components['schemas']['PasswordLink'];
export type Team = components['schemas']['Team'];
export type Key = components['schemas']['ApiKey'];

type Items<Item> = Promise<Outcome<{ items: Item[] }>>;

const below = (path: string, name: string): string => `api/${path}/${encodeURIComponent(name)}`;

export const listPeople = (): Items<Person> => requestJson('api/people');
/** Lists the names of active people, who can own links. */
export const listNames = (): Items<string> => requestJson('api/people/names');
export const addPerson = (given: components['schemas']['NewPerson']) =>
  requestJson<{ person: Person; passwordLink: PasswordLink }>('api/people', withJson('POST', given));
export const changePerson = (name: string, change: PersonChange) =>
  requestJson<Person>(below('people', name), withJson('PATCH', change));
export const renewPasswordLink = (name: string): Promise<Outcome<PasswordLink>> =>
  requestJson(`${below('people', name)}/password-link`, { method: 'POST' });

/** Lists the teams of the caller, and to an administrator all. */
export const listTeams = (): Items<Team> => requestJson('api/teams');
export const addTeam = (given: Pick<Team, 'name' | 'members'>) =>
  requestJson<Team>('api/teams', withJson('POST', given));
export const changeTeam = (name: string, change: Pick<Team, 'name' | 'members'>) =>
  requestJson<Team>(below('teams', name), withJson('PATCH', change));
export const deleteTeam = (name: string) => request(below('teams', name), { method: 'DELETE' });

/** Lists the keys of the caller, and to an administrator all. */
export const listKeys = (): Items<Key> => requestJson('api/keys');
export const addKey = (given: components['schemas']['NewApiKey']) =>
  requestJson<{ key: string; record: Key }>('api/keys', withJson('POST', given));
export const revokeKey = (name: string) => request(below('keys', name), { method: 'DELETE' });
