import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './api-types.ts';

export type * from './api-types.ts';

/** A client of one service. Its methods take the paths of the API reference, and know their types. */
export type PosternClient = Client<paths, 'application/json'>;

export type ClientOptions = {
  /** The address of the service, with its base path if it has one. */
  url: string;
  /** An API key. */
  key?: string | undefined;
};

/**
 * Creates a client. A response with an error status is a value: `error` is its record, or its text where a proxy wrote
 * it. A call rejects when no response arrives. No redirect is followed, so that no token reaches another host.
 */
export function createPosternClient({ url, key }: ClientOptions): PosternClient {
  const headers = {
    accept: 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  return createClient<paths, 'application/json'>({ baseUrl: url, headers, redirect: 'manual' });
}

/** Returns the header that sends the token of a link, in place of a key. */
export function tokenHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { 'x-link-token': token };
}
