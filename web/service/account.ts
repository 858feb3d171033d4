import { callEndpoint, requestJson } from './api.ts';
import type { components } from './contract.ts';
import { send, withJson } from './requests.ts';

// Sign-ins of people. The browser keeps the session in a cookie, which no page can read.

export type Session = components['schemas']['Session'];
export type PasswordLinkOwner = components['schemas']['PasswordLinkOwner'];

/** Begins a session. Sent without a key, as the next. */
export const signIn = (given: { name: string; password: string; staySignedIn: boolean }) =>
  send('api/sessions', null, withJson('POST', given));

/** Sets a password: with the present one, or with the secret of a link. */
export const setPassword = (given: { newPassword: string; password?: string; token?: string }) =>
  send('api/password', null, withJson('PUT', given));

/** Requests whose password a link sets. */
export const findPasswordLinkOwner = (token: string) =>
  requestJson('POST', '/api/password/link', { body: { token } });

/** Changes how the name of the user is shown. */
export const changeDisplayName = (displayName: string) =>
  callEndpoint('PUT', '/api/display-name', { body: { displayName } });

export const listSessions = () => requestJson('GET', '/api/sessions');

export const endSession = (id: string) => callEndpoint('DELETE', '/api/sessions/{id}', { path: { id } });
