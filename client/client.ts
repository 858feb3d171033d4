import createClient, { type FetchOptions, type FetchResponse, type ParseAs } from 'openapi-fetch';
import type { paths } from './api-types.ts';

export type * from './api-types.ts';

type Methods = { GET: 'get'; POST: 'post'; PUT: 'put'; PATCH: 'patch'; DELETE: 'delete' };
type PathsWith<Method extends string> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];
type Operation<Path extends keyof paths, Method> = Extract<paths[Path][Method & keyof paths[Path]], object>;
type Init<Path extends keyof paths, Method, As> = FetchOptions<Operation<Path, Method>> & { parseAs?: As };
/** Represents the options, which may be left out where each of them may. */
type Arguments<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

/**
 * A client of one service. Its methods take the paths of the API reference, and in literals refuse members that no
 * request has. Those of openapi-fetch accept any member, because they infer the type of the options from the argument.
 */
export type PosternClient = {
  [Name in keyof Methods]: <Path extends PathsWith<Methods[Name]>, As extends ParseAs = 'json'>(
    path: Path,
    ...options: Arguments<Init<Path, Methods[Name], As>>
  ) => Promise<FetchResponse<Operation<Path, Methods[Name]>, { parseAs: As }, 'application/json'>>;
};

export type ClientOptions = {
  /** The address of the service, with its base path if it has one. */
  url: string;
  /** An API key. */
  key?: string | undefined;
};

/**
 * Creates a client. A response with an error status is a value: `error` is its record, or its text where a proxy wrote
 * it. A call rejects when no response arrives, when it breaks off, or when the body of a success is not JSON. No redirect
 * is followed, so that no token reaches another host.
 */
export function createPosternClient({ url, key }: ClientOptions): PosternClient {
  const headers = {
    accept: 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  const client = createClient<paths, 'application/json'>({ baseUrl: url, headers, redirect: 'manual' });
  // These methods accept more options, and resolve to the same.
  return client as PosternClient;
}

/** Returns the header that sends the token of a link, in place of a key. */
export function tokenHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { 'x-link-token': token };
}
