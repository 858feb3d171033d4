import type { EpochMs } from '../link.ts';
import { type Person, scopesOf } from './person.ts';

/** A change of a person by an administrator. A member that is absent stays. `teams` replaces all of them. */
export type PersonChange = Partial<Pick<Person, 'displayName' | 'scopes' | 'email' | 'isEmergency'>> & {
  teams?: string[];
  /** False ends all sessions and keys of the person. */
  isActive?: boolean;
  /** The name of the active person who gets the links of one who is deactivated. */
  linksTo?: string;
};

/** The reasons why a person cannot be changed. */
export type PersonRefusal =
  | 'not-found'
  | 'display-name-taken'
  | 'last-administrator'
  | 'links-need-owner'
  | 'unknown-new-owner'
  | 'unknown-team';

/**
 * The state on which a change depends besides the person. `people`: the person, and all active ones. `isNameTaken`: another
 * person, or an owner of links, has a name like the wanted display name.
 */
export type PersonFacts = {
  people: readonly Person[];
  ownsLinks: boolean;
  teams: ReadonlySet<string>;
  isNameTaken: boolean;
};

/**
 * Decides a change of a person. At least one active person keeps the scope `admin`, and a person who owns links is
 * deactivated only with a new owner for them.
 */
export function decidePersonChange(
  name: string,
  wanted: PersonChange,
  { people, ownsLinks, teams, isNameTaken }: PersonFacts,
  at: EpochMs,
): PersonRefusal | { person: Person; newOwner: string | null } {
  const before = people.find((each) => each.name === name);
  if (!before) return 'not-found';
  if (isNameTaken) return 'display-name-taken';
  const { isActive = before.deactivatedAt === null, linksTo, teams: newTeams = [], ...values } = wanted;
  const person: Person = {
    ...{ ...before, ...values },
    isEmailVerified: values.email === undefined ? before.isEmailVerified : values.email !== null,
    deactivatedAt: isActive ? null : (before.deactivatedAt ?? at),
    link: isActive ? before.link : null,
  };
  if (!newTeams.every((team) => teams.has(team))) return 'unknown-team';
  const after = people.map((each) => (each === before ? person : each));
  if (losesAdministrators(people, after)) return 'last-administrator';
  if (isActive || before.deactivatedAt !== null) return { person, newOwner: null };
  if (linksTo === undefined) return ownsLinks ? 'links-need-owner' : { person, newOwner: null };
  const isKnown = after.some((each) => each.name === linksTo && each.deactivatedAt === null);
  return isKnown ? { person, newOwner: ownsLinks ? linksTo : null } : 'unknown-new-owner';
}

/** Returns whether no administrator is left, or none who has signed in before or set a password. */
function losesAdministrators(before: readonly Person[], after: readonly Person[]): boolean {
  const isAdministrator = (person: Person) =>
    person.deactivatedAt === null && scopesOf(person).includes('admin');
  const canSignIn = (person: Person) => isAdministrator(person) && personStateOf(person) === 'ACTIVE';
  return [isAdministrator, canSignIn].some((has) => before.some(has) && !after.some(has));
}

export const PERSON_STATES = ['INVITED', 'ACTIVE', 'DEACTIVATED'] as const;

/** Returns the state of a person. One who is INVITED has neither set a password nor signed in elsewhere. */
export function personStateOf(person: Person): (typeof PERSON_STATES)[number] {
  if (person.deactivatedAt !== null) return 'DEACTIVATED';
  return person.passwordHash === null && person.identity === null ? 'INVITED' : 'ACTIVE';
}
