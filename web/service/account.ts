import type { components } from './contract.ts';
import type { Outcome } from './outcome.ts';
import { type Reply, request, requestJson, send } from './requests.ts';

// Sign-ins of people. The browser keeps the session in a cookie, which no page can read.

export type Session = components['schemas']['Session'];

/** Sends JSON without a key: what a person does needs the session, or begins one. */
function sendJson(method: 'POST' | 'PUT', path: string, value: object): Promise<Outcome<Reply>> {
  const headers = { 'content-type': 'application/json' };
  return send(path, null, { method, headers, body: JSON.stringify(value) });
}

export const signIn = (given: { name: string; password: string; staySignedIn: boolean }) =>
  sendJson('POST', 'api/sessions', given);

/** Sets a password: with the present one, or with the secret of a link. */
export const setPassword = (given: { newPassword: string; password?: string; token?: string }) =>
  sendJson('PUT', 'api/password', given);

export const listSessions = () => requestJson<{ items: Session[] }>('api/sessions');

export const endSession = (id: string) => request(`api/sessions/${id}`, { method: 'DELETE' });
