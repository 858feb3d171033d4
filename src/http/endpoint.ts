import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
  onRequestAsyncHookHandler,
} from 'fastify';
import type { Static, TProperties, TSchema } from 'typebox';
import { Type } from 'typebox';
import type { EpochMs } from '../core/model/link.ts';
import type { FieldError, Parsed } from '../core/model/parsed.ts';
import type { Outcome, Refusal } from '../core/model/refusal.ts';
import { type AccessChange, reportAccessChange } from '../observability/observe.ts';
import { acceptJson, refuseContentEncoding, takeBody } from './accepted-bodies.ts';
import type { HttpDependencies } from './dependencies.ts';
import { isKnownByTag, weakTagOf } from './entity-tags.ts';
import { ERRORS, invalidField, linkNotFound, type RequestError, requireValid } from './errors.ts';
import { limitUnknownCodes } from './limit-requests.ts';
import { ignoreBody } from './read-body.ts';
import { isUnsafe } from './request-origin.ts';
import type { RouteAccess, ServingPort } from './route-access.ts';
import { errorResponses, IfNoneMatch, NotModified, ShortCode } from './schemas.ts';
import { prepareCheckNames } from './unknown-fields.ts';

/** The query that an endpoint takes. `read` returns its values, or the error of the first wrong member. */
export type Taken<Values> = {
  schema: TSchema;
  read: (sent: Record<string, unknown>, now: EpochMs) => Parsed<Values>;
};

/** The body that an endpoint takes. */
export type TakenBody<Values> = {
  /** None for bytes, whose number is announced. */
  schema?: TSchema;
  /** The content types, of which errors name the first; JSON if none is given. */
  types?: readonly [string, ...string[]];
  /** Prepares receiving bodies; without it, each is read as JSON before the endpoint runs. */
  receive?: (scope: FastifyInstance, deps: HttpDependencies) => void;
  /** Without it, the endpoint takes the body itself. */
  read?: (sent: Record<string, unknown>, now: EpochMs, request: FastifyRequest) => Parsed<Values>;
};

type Route = `${'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'} /${string}`;

/** The names of the parameters of a path, such as `name` of `/api/teams/:name`. `*` stands for a short code. */
type ParameterOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : Path extends `${string}/*`
      ? 'shortCode'
      : never;

/** A request, as an endpoint reads it. `path`: the parameters of its path. */
type Sent<Path extends Route, Body, Query> = {
  path: Record<ParameterOf<Path>, string>;
  body: Body;
  query: Query;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** The declaration of an endpoint: its access, see `RouteAccess`, and its input. */
type Declaration<Body = unknown, Query = unknown> = Omit<RouteAccess, 'port'> & {
  port?: ServingPort;
  tag: string;
  description?: string;
  /** The API reference leaves it out. */
  isHidden?: true;
  headers?: TProperties;
  takes?: TakenBody<Body>;
  query?: Taken<Query>;
  /** Refuse requests before their body is read, such as those beyond a limit. */
  before?: readonly onRequestAsyncHookHandler[];
  refuses?: readonly Refusal[];
  /** The statuses of errors that it throws, besides those that all such endpoints have. */
  fails?: readonly number[];
};

/** An endpoint that sends a value as JSON, or 204. */
type Definition<Path extends Route, Body, Query, Value> = Declaration<Body, Query> & {
  /** 200 if it is not given, and 204 of an endpoint that sends nothing. */
  status?: 201;
  /** The response has an entity tag. A client that names it gets 304. */
  isTagged?: true;
  run(sent: Sent<Path, Body, Query>): Promise<Outcome<Value>>;
  /** Returns what the log says of a change that was made; undefined if nothing changed. */
  logs?(sent: Sent<Path, Body, Query>, value: Value): AccessChange | undefined;
};

/** An endpoint that sends its response itself, because that is not only JSON. `sends`: by status, as OpenAPI has it. */
type RawDefinition<Path extends Route, Body, Query> = Declaration<Body, Query> & {
  sends: Record<number, object>;
  respond(sent: Sent<Path, Body, Query>): Promise<FastifyReply>;
};

/** An endpoint: its route, its access, its errors and its part of the API reference follow from its definition. */
export type Endpoint = { add: (scope: FastifyInstance, deps: HttpDependencies) => void };

/**
 * Returns an endpoint. `route`: the method and the path, whose parameters begin with a colon. What is sent of the value of
 * `run` is what `show` returns of it; without it the value itself, which then has the type of the schema.
 */
export function endpoint<
  Path extends Route,
  Value,
  Shown extends TSchema,
  Body = undefined,
  Query = undefined,
>(
  route: Path,
  summary: string,
  definition: Definition<Path, Body, Query, Value> & {
    sends: Shown;
    show: (value: Value, sent: Sent<Path, Body, Query>) => Static<Shown> | Promise<Static<Shown>>;
  },
): Endpoint;
export function endpoint<Path extends Route, Shown extends TSchema, Body = undefined, Query = undefined>(
  route: Path,
  summary: string,
  definition: Definition<Path, Body, Query, Static<Shown>> & { sends: Shown },
): Endpoint;
export function endpoint<Path extends Route, Value, Body = undefined, Query = undefined>(
  route: Path,
  summary: string,
  definition: Definition<Path, Body, Query, Value> & { sends?: never },
): Endpoint;
export function endpoint<Path extends Route, Value, Body, Query>(
  route: Path,
  summary: string,
  definition: Definition<Path, Body, Query, Value> & {
    sends?: TSchema;
    show?: (value: Value, sent: Sent<Path, Body, Query>) => unknown;
  },
): Endpoint {
  const { headers, sends, isTagged, status = sends ? 200 : 204 } = definition;
  const declared = { ...definition, ...(isTagged && { headers: { ...headers, ...IfNoneMatch } }) };
  const responses = {
    [status]: sends ?? Type.Null(),
    ...(isTagged && { 304: NotModified }),
  };
  return define<Path, Body, Query>(route, { ...declared, summary, responses }, (deps) => {
    const toError = prepareToError(deps);
    return async (sent) => {
      const { request, reply } = sent;
      const outcome = await definition.run(sent);
      if (!outcome.ok) throw await toError(outcome.error, request);
      const change = definition.logs?.(sent, outcome.value);
      if (change) reportAccessChange(deps.observe.log, request, change);
      reply.code(status).header('cache-control', isTagged ? 'private, no-cache' : 'no-store');
      if (!sends) return reply.send();
      const shown = definition.show ? await definition.show(outcome.value, sent) : outcome.value;
      const isKnown = isTagged && isKnownByTag(request, reply, weakTagOf(JSON.stringify(shown)));
      return isKnown ? reply.send() : reply.send(shown);
    };
  });
}

/** Returns an endpoint that sends its response itself. */
export function rawEndpoint<Path extends Route, Body = undefined, Query = undefined>(
  route: Path,
  summary: string,
  definition: RawDefinition<Path, Body, Query>,
): Endpoint {
  const responses = definition.sends;
  return define<Path, Body, Query>(route, { ...definition, summary, responses }, () => definition.respond);
}

type Members = Record<string, unknown>;
type Described<Body, Query> = Declaration<Body, Query> & { summary: string; responses: object };

function define<Path extends Route, Body, Query>(
  route: Path,
  declared: Described<Body, Query>,
  prepareRespond: (deps: HttpDependencies) => (sent: Sent<Path, Body, Query>) => Promise<FastifyReply>,
): Endpoint {
  const [method = '', url = ''] = route.split(' ');
  const { takes, query } = declared;
  const config = { access: accessOf(declared), ...(method === 'HEAD' && IN_REFERENCE) };
  const schema = schemaOf(method, url, declared);
  const checkNames = prepareCheckNames(query?.schema, takes?.schema);

  function add(scope: FastifyInstance, deps: HttpDependencies): void {
    const respond = prepareRespond(deps);
    const { clock } = deps;
    receiveBodies(scope, deps, takes);
    scope.route<{ Params: Record<string, string>; Querystring: Members; Body: Members | undefined }>({
      ...{ method: method as HTTPMethods, url, config, schema }, // one of `Route`
      onRequest: hooksOf(declared, deps),
      handler(request, reply) {
        checkNames(request, reply);
        const { '*': shortCode, ...named } = request.params;
        const params = shortCode === undefined ? named : { shortCode };
        const path = params as Sent<Path, Body, Query>['path']; // the router found them in the path
        // What an endpoint does not take has the type undefined.
        const body = takes?.read ? requireValid(takes.read(takeBody(request), clock(), request)) : undefined;
        const asked = query ? requireValid(query.read(request.query, clock())) : undefined;
        return respond({ path, body: body as Body, query: asked as Query, request, reply });
      },
    });
  }
  return { add };
}

/** Adds endpoints to the application, each in its own scope, because it declares which bodies it takes. */
export function addEndpoints(
  app: FastifyInstance,
  deps: HttpDependencies,
  endpoints: readonly Endpoint[],
): void {
  for (const { add } of endpoints)
    app.register((scope, _, done) => {
      add(scope, deps);
      done();
    });
}

/** The reference has HEAD of what has no GET. */
const IN_REFERENCE = { swagger: { exposeHeadRoute: true } };

function accessOf({ port = 'both', ...definition }: Declaration): RouteAccess {
  const { needs, ofLink, ofOwnLinks, decidesPerLink, alsoWhenOpen, anyHost } = definition;
  return { needs, ofLink, ofOwnLinks, decidesPerLink, alsoWhenOpen, port, anyHost };
}

const JSON_TYPES = ['application/json'] as const;

/** Prepares a scope for the bodies of an endpoint. One that takes none ignores them. */
function receiveBodies(
  scope: FastifyInstance,
  deps: HttpDependencies,
  takes: TakenBody<unknown> | undefined,
): void {
  if (!takes) ignoreBody(scope);
  else if (takes.receive) takes.receive(scope, deps);
  else acceptJson(scope, deps, ...(takes.types ?? JSON_TYPES));
}

/** Returns what refuses requests before their body is read. Short codes that are asked for can be guesses. */
function hooksOf({ takes, ofLink, before = [] }: Declaration, deps: HttpDependencies) {
  const { refuseBlocked } = limitUnknownCodes(deps);
  return [...(takes ? [refuseContentEncoding] : []), ...(ofLink ? [refuseBlocked] : []), ...before];
}

/** Returns the part of the API reference. */
function schemaOf(method: string, url: string, declared: Described<unknown, unknown>) {
  const { tag, summary, description, isHidden, headers, takes, query, responses } = declared;
  const params = [...url.matchAll(/:(\w+)|\*/g)].map(
    ([, name = 'shortCode']) => [name, name === 'shortCode' ? ShortCode : Type.String()] as const,
  );
  return {
    ...{ tags: [tag], summary, ...(description !== undefined && { description }) },
    ...(isHidden && { hide: true }),
    ...(params.length > 0 && { params: Type.Object(Object.fromEntries(params)) }),
    ...(headers && { headers: Type.Object(headers) }),
    ...(takes && { consumes: [...(takes.types ?? JSON_TYPES)] }),
    ...(takes?.schema && { body: takes.schema }),
    ...(query && { querystring: query.schema }),
    response: { ...errorResponses(...statusesOf(method, declared)), ...responses },
  };
}

/** Returns the statuses of the errors of an endpoint. */
function statusesOf(
  method: string,
  { needs, ofLink, takes, query, refuses = [], fails = [] }: Declaration,
): number[] {
  const isRefusedFromElsewhere = isUnsafe({ method }); // from pages of other sites
  const isScope = needs !== 'nothing' && needs !== 'optional' && needs !== 'sign-in';
  return [
    ...(takes ? [400, 415] : []),
    ...(takes?.schema ? [413] : []),
    ...(query ? [400] : []),
    ...(needs === 'nothing' ? [] : [401]),
    ...(isRefusedFromElsewhere || isScope ? [403] : []),
    ...(ofLink ? [404, 429] : []),
    ...[500, 503],
    ...refuses.map((refusal) => REFUSALS[refusal]().status),
    ...fails,
  ];
}

/** Prepares finding the error of a request that an endpoint refuses. Requests for unknown links are counted. */
function prepareToError(deps: HttpDependencies) {
  const { limitUnknown } = limitUnknownCodes(deps);
  return async (error: FieldError | Refusal, request: FastifyRequest): Promise<RequestError> => {
    if (error === 'not-found') await limitUnknown(request);
    return errorOfRefusal(error);
  };
}

export const errorOfRefusal = (error: FieldError | Refusal): RequestError =>
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
  'needs-create': () => ERRORS.insufficientScope('create'),
  'needs-manage': () => ERRORS.insufficientScope('manage'),
  'session-not-found': ERRORS.noSuchSession,
  'notification-not-found': ERRORS.noSuchNotification,
  'sends-no-notifications': ERRORS.sendsNoNotifications,
  'mails-no-links': ERRORS.mailsNoLinks,
  'mails-no-invitations': ERRORS.mailsNoInvitations,
  'password-link-ended': ERRORS.passwordLinkEnded,
  'signs-no-checkpoints': ERRORS.signsNoCheckpoints,
  'not-found': linkNotFound,
  revoked: ERRORS.linkIsRevoked,
  ended: ERRORS.linkHasEnded,
  'version-mismatch': ERRORS.versionMismatch,
  'has-no-file': ERRORS.linkHasNoFile,
  'held-back': ERRORS.fileHeldBack,
  'upload-gone': ERRORS.noSuchUpload,
  'short-code-taken': ERRORS.customCodeTaken,
} satisfies Record<Refusal, () => RequestError>;
