import { callEndpoint, requestJson } from './api.ts';
import type { components } from './contract.ts';

// People, teams and API keys.

export type Person = components['schemas']['Person'];
export type PersonName = components['schemas']['PersonName'];
export type ScopeSource = components['schemas']['ScopeSource'];
export type PersonChange = components['schemas']['PersonPatch'];
export type PasswordLink = components['schemas']['PasswordLink'];
export type Team = components['schemas']['Team'];
export type Key = components['schemas']['ApiKey'];

export type StorageUse = components['schemas']['StorageUse'];
export type OwnUse = components['schemas']['OwnStorageUse'];

/** Reads the space that the files of all take, and of the caller. */
export const readUse = () => requestJson('GET', '/api/stats/storage');
export const readOwnUse = () => requestJson('GET', '/api/stats/storage/mine');

export const listPeople = () => requestJson('GET', '/api/people');
/** Lists the names of active people, who can own links, each with the name that is shown. */
export const listNames = () => requestJson('GET', '/api/people/names');
export const addPerson = (body: components['schemas']['NewPerson']) =>
  requestJson('POST', '/api/people', { body });
export const changePerson = (name: string, body: PersonChange) =>
  requestJson('PATCH', '/api/people/{name}', { path: { name }, body });
export const renewPasswordLink = (name: string) =>
  requestJson('POST', '/api/people/{name}/password-link', { path: { name } });

/** Mails the password link with this secret to its person. */
export const mailPasswordLink = (name: string, token: string) =>
  callEndpoint('POST', '/api/people/{name}/password-link/mail', { path: { name }, body: { token } });

/** Lists the teams of the caller, and to an administrator all. */
export const listTeams = () => requestJson('GET', '/api/teams');
export const addTeam = (body: Pick<Team, 'name' | 'members'>) => requestJson('POST', '/api/teams', { body });
export const changeTeam = (name: string, body: Pick<Team, 'name' | 'members'>) =>
  requestJson('PATCH', '/api/teams/{name}', { path: { name }, body });
export const deleteTeam = (name: string) => callEndpoint('DELETE', '/api/teams/{name}', { path: { name } });

/** Lists the keys of the caller, and to an administrator all. */
export const listKeys = () => requestJson('GET', '/api/keys');
export const addKey = (body: components['schemas']['NewApiKey']) =>
  requestJson('POST', '/api/keys', { body });
export const revokeKey = (name: string) => callEndpoint('DELETE', '/api/keys/{name}', { path: { name } });
