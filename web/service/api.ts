import type { paths } from './contract.ts';
import type { Outcome } from './outcome.ts';
import {
  type PageRequest,
  type Reply,
  type RequestOptions,
  request,
  toDocument,
  withJson,
} from './requests.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'HEAD';
type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<Lowercase<M>, object> ? Path : never;
}[keyof paths];
type Operation<M extends Method, Path extends keyof paths> = paths[Path][Lowercase<M> & keyof paths[Path]];

type Parameters<Op> = Op extends { parameters: infer Given } ? Given : never;
type PathOf<Op> =
  Parameters<Op> extends { path: infer Names extends object }
    ? { path: { [Name in keyof Names]: string } }
    : { path?: never };
/** The API reads every parameter from text. */
type QueryOf<Op> =
  Parameters<Op> extends { query?: infer Query extends object }
    ? { query?: { [Name in keyof Query]?: string | number } }
    : { query?: never };
/** Numbers as a user typed them: the API explains what is no number. */
type Typed<Body> = Body extends readonly (infer Item)[]
  ? readonly Typed<Item>[]
  : Body extends object
    ? { [Name in keyof Body]: Typed<Body[Name]> }
    : Body extends number
      ? number | string
      : Body;
type BodyOf<Op> = Op extends { requestBody: { content: infer Content } }
  ? { body: Typed<Content[keyof Content]> }
  : { body?: never };
type JsonOf<Op> = Op extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201)] extends { content: { 'application/json': infer Json } }
    ? Json
    : undefined
  : never;

/** The parameters and the body of a request, as the API reference has them, and what is sent with it. */
type Given<Op> = PathOf<Op> & QueryOf<Op> & BodyOf<Op> & Omit<RequestOptions, 'method' | 'body'>;
/** The request, which may be left out where each of its members may. */
type Arguments<Op> = Record<never, never> extends Given<Op> ? [given?: Given<Op>] : [given: Given<Op>];
type AnyGiven = Omit<RequestOptions, 'body'> & {
  path?: Record<string, string> | undefined;
  query?: Record<string, string | number> | undefined;
  body?: unknown;
};

/** Returns the path of an endpoint with its parameters, below that of the service. */
export function toPath(path: keyof paths, { path: names = {}, query }: AnyGiven = {}): string {
  const filled = path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
  if (!query) return filled;
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${filled}?${new URLSearchParams(texts)}`;
}

/** Sends a request of the API reference. The response has headers that the caller needs, or nothing. */
export function callEndpoint<M extends Method, Path extends PathsWith<M>>(
  method: M,
  path: Path,
  ...[given]: Arguments<Operation<M, Path>>
): Promise<Outcome<Reply>> {
  const asked = given as AnyGiven | undefined; // of every endpoint
  const { path: _, query: __, body, headers, ...options } = asked ?? {};
  const sent = body === undefined ? { method, headers } : withJson(method, body, headers);
  return request(toPath(path, asked), { ...options, ...sent });
}

/** Sends a request of the API reference, and returns the document of its response. */
export async function requestJson<M extends Method, Path extends PathsWith<M>>(
  method: M,
  path: Path,
  ...given: Arguments<Operation<M, Path>>
): Promise<Outcome<JsonOf<Operation<M, Path>>>> {
  const outcome = await callEndpoint(method, path, ...given);
  return outcome.kind === 'DONE' ? toDocument(outcome.value.body) : outcome;
}

/** Requests one page of a list. */
export function requestPage<Path extends PathsWith<'GET'>>(
  path: Path,
  { limit, cursor, signal }: PageRequest,
  given: Given<Operation<'GET', Path>>,
): Promise<Outcome<JsonOf<Operation<'GET', Path>>>> {
  const query = { ...given.query, limit, ...(cursor !== null && { cursor }) };
  return requestJson('GET', path, ...([{ ...given, query, signal }] as Arguments<Operation<'GET', Path>>));
}
