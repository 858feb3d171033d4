import type { EpochMs } from '../links/link.ts';
import type { LinkChange } from '../links/link-change.ts';

/** People with whom links are shared. */
export type Team = {
  /** Unique among all teams. Links name the team by it. */
  name: string;
  /** The names of its active people, in their order. */
  members: string[];
};

/** Teams. A promise resolves only once its change is durable. */
export interface TeamStore {
  /** Lists all teams by name. */
  listTeams(): Promise<Team[]>;
  addTeam(team: Team, at: EpochMs): Promise<'added' | 'name-taken' | 'unknown-person'>;
  /** Replaces the name or the members of a team in one transaction. A new name is an entry in the history of its links. */
  changeTeam(
    name: string,
    wanted: Partial<Team>,
    change: LinkChange,
  ): Promise<'changed' | 'not-found' | 'name-taken' | 'unknown-person'>;
  /** Deletes a team with which no link is shared. */
  deleteTeam(name: string): Promise<'deleted' | 'not-found' | 'has-links'>;
  /** Counts the links of each person, and of each team. */
  countHeldLinks(): Promise<HeldLinks>;
}

/** How many links people own, and teams share: the entries of a map by name. */
export type HeldLinks = Record<'people' | 'teams', [name: string, count: number][]>;
