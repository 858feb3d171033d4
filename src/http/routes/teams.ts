import { Type } from 'typebox';
import { accept } from '../../core/model/parsed.ts';
import { TEAM_RULES } from '../../core/rules/people-bodies.ts';
import { readFields, readSentFields } from '../../core/rules/read-fields.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { ADMIN } from '../route-access.ts';
import { Count, titled } from '../schemas.ts';
import { Names } from './people.ts';

const TEAMS = { ...ADMIN, tag: 'Teams' } as const;
const TeamRecord = titled('Team', { name: Type.String(), members: Names, linkCount: Count });
const NewTeam = titled('NewTeam', { name: Type.String(), members: Type.Optional(Names) });
const TeamPatch = titled('TeamPatch', { name: Type.Optional(Type.String()), members: Type.Optional(Names) });

/** The endpoints of teams. */
export const teamEndpoints = ({ useCases: { manage } }: HttpDependencies): Endpoint[] => [
  endpoint('GET /api/teams', 'Your teams; all teams with the scope admin', {
    ...{ ...TEAMS, needs: 'sign-in' },
    sends: titled('TeamList', { items: Type.Array(TeamRecord) }),
    run: async ({ request }) => accept({ items: await manage.teams.listTeams(request.caller) }),
  }),
  endpoint('POST /api/teams', 'Add a team', {
    ...TEAMS,
    takes: { schema: NewTeam, read: (sent) => readFields(TEAM_RULES, sent, undefined) },
    ...{ sends: TeamRecord, status: 201, refuses: ['name-taken'] },
    run: ({ body }) => manage.teams.addTeam(body),
    logs: (_, { name }) => ({ change: 'team_added', name }),
  }),
  endpoint('PATCH /api/teams/:name', 'Rename a team, or replace its members', {
    ...TEAMS,
    description: 'A new name is an entry in the history of each link that is shared with the team.',
    takes: { schema: TeamPatch, read: (sent) => readSentFields(TEAM_RULES, sent, undefined) },
    ...{ sends: TeamRecord, refuses: ['team-not-found', 'name-taken', 'cannot-grant'] },
    run: ({ path, body, request }) => manage.teams.changeTeam(path.name, body, request),
    logs: ({ path, body }) => ({ change: 'team_changed', name: path.name, members: Object.keys(body) }),
  }),
  endpoint('DELETE /api/teams/:name', 'Delete a team with which no link is shared', {
    ...{ ...TEAMS, refuses: ['team-not-found', 'team-has-links'] },
    run: ({ path }) => manage.teams.deleteTeam(path.name),
    logs: ({ path }) => ({ change: 'team_deleted', name: path.name }),
  }),
];
