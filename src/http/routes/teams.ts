import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { hasScope } from '../../core/model/people/decide-access.ts';
import { LINK_SCOPES } from '../../core/model/people/may-grant.ts';
import { TEAM_RULES } from '../../core/rules/people-rules.ts';
import { readFields, readSentFields } from '../../core/rules/read-fields.ts';
import { reportAccessChange } from '../../observability/observe.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { ERRORS, requireValid } from '../errors.ts';
import { Count, errorResponses, titled } from '../schemas.ts';
import { acceptJson, type JsonRequest, refuseContentEncoding, takeBody } from './accepted-bodies.ts';
import { Names, NO_STORE, requireGrant, unknownName } from './people.ts';

const TAGS = ['Teams'];
const TeamRecord = titled('Team', { name: Type.String(), members: Names, linkCount: Count });
const NAME = Type.Object({ name: Type.String() });
const CHANGING = [400, 401, 403, 409, 413, 415, 500, 503];
const ADMIN = { access: { needs: 'admin', alsoWhenOpen: true, port: 'both' } } as const;
const SIGNED_IN = { access: { ...ADMIN.access, needs: 'sign-in' } } as const;

const LIST = {
  tags: TAGS,
  summary: 'Your teams; all teams with the scope admin',
  response: { 200: titled('TeamList', { items: Type.Array(TeamRecord) }), ...errorResponses(401, 500, 503) },
};
const ADD = {
  tags: TAGS,
  summary: 'Add a team',
  body: titled('NewTeam', { name: Type.String(), members: Type.Optional(Names) }),
  response: { 201: TeamRecord, ...errorResponses(...CHANGING) },
};
const CHANGE = {
  tags: TAGS,
  summary: 'Rename a team, or replace its members',
  description: 'A new name is an entry in the history of each link that is shared with the team.',
  params: NAME,
  body: titled('TeamPatch', { name: Type.Optional(Type.String()), members: Type.Optional(Names) }),
  response: { 200: TeamRecord, ...errorResponses(...CHANGING, 404) },
};
const DELETE = {
  tags: TAGS,
  summary: 'Delete a team with which no link is shared',
  params: NAME,
  response: { 204: Type.Null(), ...errorResponses(401, 403, 404, 409, 500, 503) },
};

type OfName = { Params: { name: string } };

/** GET and POST /api/teams, PATCH and DELETE /api/teams/{name} */
export function teamRoutes(app: FastifyInstance, deps: HttpDependencies): void {
  acceptJson(app, deps, 'application/json');
  const { teams, clock, log, newChange } = deps;
  const onRequest = refuseContentEncoding;

  async function listRecords(): Promise<Static<typeof TeamRecord>[]> {
    const [all, held] = [await teams.listTeams(), await teams.countHeldLinks()];
    const linkCounts = new Map(held.teams);
    return all.map((team) => ({ ...team, linkCount: linkCounts.get(team.name) ?? 0 }));
  }
  const findRecord = async (name: string) => (await listRecords()).find((team) => team.name === name);

  app.get('/api/teams', { schema: LIST, config: SIGNED_IN }, async ({ caller }, reply) => {
    const own = caller.kind === 'ANONYMOUS' ? [] : caller.teams;
    const isShown = hasScope(caller, 'admin') ? () => true : (name: string) => own.includes(name);
    return reply.headers(NO_STORE).send({ items: (await listRecords()).filter(({ name }) => isShown(name)) });
  });

  app.post<JsonRequest>('/api/teams', { schema: ADD, config: ADMIN, onRequest }, async (request, reply) => {
    const team = requireValid(readFields(TEAM_RULES, takeBody(request), undefined));
    const result = await teams.addTeam(team, clock());
    if (result === 'unknown-person') throw unknownName('members', 'UNKNOWN_PERSON');
    if (result === 'name-taken') throw ERRORS.nameTaken();
    reportAccessChange(log, request, { change: 'team_added', name: team.name });
    return reply
      .headers(NO_STORE)
      .code(201)
      .send(await findRecord(team.name));
  });

  const changing = { schema: CHANGE, config: ADMIN, onRequest };
  app.patch<OfName & JsonRequest>('/api/teams/:name', changing, async (request, reply) => {
    const { name } = request.params;
    const wanted = requireValid(readSentFields(TEAM_RULES, takeBody(request), undefined));
    const { caller } = request;
    const isMember = caller.kind !== 'ANONYMOUS' && caller.teams.includes(name);
    const team = (await teams.listTeams()).find((each) => each.name === name);
    const joined = new Set(wanted.members).difference(new Set(team?.members));
    if (joined.size > 0 && !isMember) requireGrant(request, LINK_SCOPES); // they get the links of the team
    const result = await teams.changeTeam(name, wanted, newChange(request.author));
    if (result === 'not-found') throw ERRORS.noSuchTeam();
    if (result === 'unknown-person') throw unknownName('members', 'UNKNOWN_PERSON');
    if (result === 'name-taken') throw ERRORS.nameTaken();
    reportAccessChange(log, request, { change: 'team_changed', name, members: Object.keys(wanted) });
    return reply.headers(NO_STORE).send(await findRecord(wanted.name ?? name));
  });

  app.delete<OfName>('/api/teams/:name', { schema: DELETE, config: ADMIN }, async (request, reply) => {
    const { name } = request.params;
    const result = await teams.deleteTeam(name);
    if (result === 'not-found') throw ERRORS.noSuchTeam();
    if (result === 'has-links') throw ERRORS.teamHasLinks();
    reportAccessChange(log, request, { change: 'team_deleted', name });
    return reply.code(204).send();
  });
}
