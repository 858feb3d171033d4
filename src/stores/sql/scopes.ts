import { SCOPES, type Scope } from '../../core/model/people/caller.ts';
import type { Person } from '../../core/model/people/person.ts';

const SEPARATOR = ',';

/** Returns scopes as a column has them. */
export const scopesToText = (scopes: readonly Scope[]): string => scopes.join(SEPARATOR);

/** Reads scopes from a column. Those of another version are left out. */
export function textToScopes(text: string): Scope[] {
  const names = text.split(SEPARATOR);
  return SCOPES.filter((scope) => names.includes(scope));
}

/** Reads what the columns `scopes` and `groups_json` of a person have. */
export function toGivenScopes(scopes: string, groups: string): Pick<Person, 'scopes' | 'groups'> {
  return {
    scopes: textToScopes(scopes),
    groups: JSON.parse(groups) as Person['groups'], // as written
  };
}

/** Returns the first of some rows with the teams of all: a join with `team_member` has a row for each. */
export function withTeams<Row extends { team: string | null }>(
  rows: readonly Row[],
): (Omit<Row, 'team'> & { teams: string[] }) | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const { team: _, ...row } = first;
  return { ...row, teams: rows.flatMap(({ team }) => (team === null ? [] : [team])) };
}
