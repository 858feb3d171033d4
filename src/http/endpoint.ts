import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { EpochMs } from '../core/model/link.ts';
import type { Parsed } from '../core/model/parsed.ts';
import type { AccessNeed } from '../core/model/people/decide-access.ts';
import type { Outcome, Refusal } from '../core/model/refusal.ts';
import { type AccessChange, reportAccessChange } from '../observability/observe.ts';
import type { HttpDependencies } from './dependencies.ts';
import { ERRORS, invalidField, type RequestError, requireValid } from './errors.ts';
import { ignoreBody } from './read-body.ts';
import type { ServingPort } from './route-access.ts';
import { acceptJson, refuseContentEncoding, takeBody } from './routes/accepted-bodies.ts';
import { errorResponses } from './schemas.ts';

/** The body or the query that an endpoint takes. `read` returns its values, or the error of the first wrong member. */
export type Taken<Values> = {
  schema: TSchema;
  read: (sent: Record<string, unknown>, now: EpochMs) => Parsed<Values>;
};

type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** The names of the parameters of a path, such as `name` of `/api/teams/:name`. */
type ParameterOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** A request, as an endpoint reads it. `path`: the parameters of its path. */
type Sent<Path extends Route, Body, Query> = {
  path: Record<ParameterOf<Path>, string>;
  body: Body;
  query: Query;
  request: FastifyRequest;
  reply: FastifyReply;
};

type Definition<Path extends Route, Body, Query, Value, Shown extends TSchema> = {
  tag: string;
  description?: string;
  needs: AccessNeed;
  /** See `RouteAccess`. */
  alsoWhenOpen?: true;
  port?: ServingPort;
  takes?: Taken<Body>;
  query?: Taken<Query>;
  /** The schema of the response; none for 204. `status`: 200 if it is not given. */
  sends?: Shown;
  status?: 201;
  refuses?: readonly Refusal[];
  run(sent: Sent<Path, Body, Query>): Promise<Outcome<Value>>;
  /** Returns what is sent of the value. */
  show?(value: Value): Static<Shown>;
  /** Returns what the log says of a change that was made; undefined if nothing changed. */
  logs?(sent: Sent<Path, Body, Query>, value: Value): AccessChange | undefined;
};

/** An endpoint: its route, its access, its errors and its part of the API reference follow from its definition. */
export type Endpoint = { takesBody: boolean; add: (app: FastifyInstance, deps: HttpDependencies) => void };

/** Returns an endpoint. `route`: the method and the path, whose parameters begin with a colon. */
export function endpoint<
  Path extends Route,
  Value,
  Shown extends TSchema,
  Body = undefined,
  Query = undefined,
>(route: Path, summary: string, definition: Definition<Path, Body, Query, Value, Shown>): Endpoint {
  const {
    tag,
    description,
    needs,
    alsoWhenOpen,
    port = 'both',
    takes,
    query,
    sends,
    status = 200,
  } = definition;
  const [method = '', url = ''] = route.split(' ');
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const refusedStatuses = (definition.refuses ?? []).map((refusal) => REFUSALS[refusal]().status);
  const schema = {
    ...{ tags: [tag], summary, ...(description !== undefined && { description }) },
    ...(names.length > 0 && {
      params: Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))),
    }),
    ...(takes && { body: takes.schema }),
    ...(query && { querystring: query.schema }),
    response: {
      ...(sends ? { [status]: sends } : { 204: Type.Null() }),
      ...(query && errorResponses(400)),
      ...errorResponses(...statusesOf(method, needs, takes !== undefined), ...refusedStatuses),
    },
  };
  function add(app: FastifyInstance, { log, clock }: HttpDependencies): void {
    type Members = Record<string, unknown>;
    app.route<{ Params: Record<string, string>; Querystring: Members; Body: Members | undefined }>({
      ...{ method: method as HTTPMethods, url, schema }, // one of `Route`
      config: { access: { needs, ...(alsoWhenOpen && { alsoWhenOpen }), port } },
      ...(takes && { onRequest: refuseContentEncoding }),
      async handler(request, reply) {
        // What an endpoint does not take has the type undefined.
        const body = takes ? requireValid(takes.read(takeBody(request), clock())) : (undefined as Body);
        const asked = query ? requireValid(query.read(request.query, clock())) : (undefined as Query);
        const path = request.params as Sent<Path, Body, Query>['path']; // the router found them in the path
        const sent = { path, body, query: asked, request, reply };
        const outcome = await definition.run(sent);
        if (!outcome.ok) throw toError(outcome.error);
        const change = definition.logs?.(sent, outcome.value);
        if (change) reportAccessChange(log, request, change);
        if (!sends) return reply.code(204).send();
        const shown = definition.show ? definition.show(outcome.value) : outcome.value;
        return reply.header('cache-control', 'no-store').code(status).send(shown);
      },
    });
  }
  return { takesBody: takes !== undefined, add };
}

/** Adds endpoints to the application. What takes no body ignores one; other bodies are JSON. */
export function addEndpoints(
  app: FastifyInstance,
  deps: HttpDependencies,
  endpoints: readonly Endpoint[],
): void {
  for (const { takesBody, add } of endpoints)
    app.register((scope, _, done) => {
      if (takesBody) acceptJson(scope, deps, 'application/json');
      else ignoreBody(scope);
      add(scope, deps);
      done();
    });
}

type Error = Extract<Outcome<never>, { ok: false }>['error'];

const toError = (error: Error): RequestError =>
  typeof error === 'string' ? REFUSALS[error]() : invalidField(error);

const REFUSALS = {
  'person-not-found': ERRORS.noSuchPerson,
  'team-not-found': ERRORS.noSuchTeam,
  'key-not-found': ERRORS.noSuchKey,
  'name-taken': ERRORS.nameTaken,
  'last-administrator': ERRORS.lastAdministrator,
  'team-has-links': ERRORS.teamHasLinks,
  'cannot-grant': ERRORS.cannotGrant,
  'needs-admin': () => ERRORS.insufficientScope('admin'),
  'needs-manage': () => ERRORS.insufficientScope('manage'),
  'session-not-found': ERRORS.noSuchSession,
  'notification-not-found': ERRORS.noSuchNotification,
  'sends-no-notifications': ERRORS.sendsNoNotifications,
} satisfies Record<Refusal, () => RequestError>;

/** Returns the statuses of the errors of an endpoint, besides those of what it refuses. */
function statusesOf(method: string, needs: AccessNeed, takesBody: boolean): number[] {
  const isUnsafe = method !== 'GET'; // refused from pages of other sites
  const isScope = needs !== 'nothing' && needs !== 'optional' && needs !== 'sign-in';
  return [
    ...(takesBody ? [400, 413, 415] : []),
    ...(needs === 'nothing' ? [] : [401]),
    ...(isUnsafe || isScope ? [403] : []),
    ...[500, 503],
  ];
}
