import type { EpochMs } from '../../model/link.ts';
import type { NewLinkChange } from '../../model/link-change.ts';
import { accept, refuse } from '../../model/parsed.ts';
import type { Actor, Caller } from '../../model/people/caller.ts';
import { hasScope } from '../../model/people/decide-access.ts';
import { LINK_SCOPES, mayGrant } from '../../model/people/may-grant.ts';
import type { Team } from '../../model/people/team.ts';
import { type Outcome, refused } from '../../model/refusal.ts';
import type { TeamStore } from '../../ports/people.ts';

/** A team as it is shown, with how many links are shared with it. */
export type ShownTeam = Team & { linkCount: number };

type Parts = { teams: TeamStore; clock: () => EpochMs; newChange: NewLinkChange };

/** Prepares what administrators do with teams. */
export function prepareManageTeams({ teams, clock, newChange }: Parts) {
  async function list(): Promise<ShownTeam[]> {
    const [all, held] = [await teams.listTeams(), await teams.countHeldLinks()];
    const linkCounts = new Map(held.teams);
    return all.map((team) => ({ ...team, linkCount: linkCounts.get(team.name) ?? 0 }));
  }

  async function find(name: string): Promise<Outcome<ShownTeam>> {
    const team = (await list()).find((each) => each.name === name);
    return team ? accept(team) : refused('team-not-found');
  }

  return {
    /** Returns the teams of a caller; all with the scope admin. */
    async listTeams(caller: Caller): Promise<ShownTeam[]> {
      const own = caller.kind === 'ANONYMOUS' ? [] : caller.teams;
      return (await list()).filter(({ name }) => hasScope(caller, 'admin') || own.includes(name));
    },
    async addTeam(team: Team): Promise<Outcome<ShownTeam>> {
      const result = await teams.addTeam(team, clock());
      if (result === 'unknown-person') return UNKNOWN_MEMBERS;
      return result === 'name-taken' ? refused(result) : find(team.name);
    },
    /** Renames a team, or replaces its members. Whom a caller adds gets the links of the team, which the caller must have. */
    async changeTeam(
      name: string,
      wanted: Partial<Team>,
      { caller, author }: Actor,
    ): Promise<Outcome<ShownTeam>> {
      const team = (await teams.listTeams()).find((each) => each.name === name);
      const joined = new Set(wanted.members).difference(new Set(team?.members));
      const isMember = caller.kind !== 'ANONYMOUS' && caller.teams.includes(name);
      if (joined.size > 0 && !isMember && !mayGrant(caller, LINK_SCOPES)) return refused('cannot-grant');
      const result = await teams.changeTeam(name, wanted, newChange(author));
      if (result === 'unknown-person') return UNKNOWN_MEMBERS;
      if (result === 'not-found') return refused('team-not-found');
      return result === 'name-taken' ? refused(result) : find(wanted.name ?? name);
    },
    async deleteTeam(name: string): Promise<Outcome<null>> {
      const result = await teams.deleteTeam(name);
      if (result === 'not-found') return refused('team-not-found');
      return result === 'has-links' ? refused('team-has-links') : accept(null);
    },
  };
}

const UNKNOWN_MEMBERS = refuse('members', 'UNKNOWN_PERSON', 'must be the name of an active person');
