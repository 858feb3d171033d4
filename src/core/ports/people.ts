import type { EpochMs } from '../model/link.ts';
import type { LinkChange } from '../model/link-change.ts';
import type { ApiKey, FoundKey } from '../model/people/api-key.ts';
import type { PersonChange, PersonRefusal } from '../model/people/decide-person-change.ts';
import type { Identity, PasswordLink, Person, Profile } from '../model/people/person.ts';
import type { Session } from '../model/people/session.ts';
import type { HeldLinks, Team } from '../model/people/team.ts';

/**
 * People and their sessions. A promise resolves only once its change is durable. Every instance of a store sees the
 * same ones at once.
 */
export interface PersonStore {
  /**
   * Adds a person, to teams as well. Of any number of calls with one name, or with one identity, one adds it. A name that
   * owns links is taken, unless `ownsLinks` says that they are the person's.
   */
  addPerson(
    person: Person,
    more?: { teams?: readonly string[]; ownsLinks?: boolean },
  ): Promise<'added' | 'name-taken' | 'identity-taken' | 'unknown-team'>;
  /** Returns the display names of people, also of deactivated ones; nothing for a name of no person. */
  listDisplayNames(names: readonly string[]): Promise<Pick<Person, 'name' | 'displayName'>[]>;
  /** Returns a person by name, also a deactivated one. */
  findPerson(name: string): Promise<Person | undefined>;
  /** Returns the person with this identity, also a deactivated one. */
  findPersonByIdentity(identity: Identity): Promise<Person | undefined>;
  /** Lists all people, oldest first. */
  listPeople(): Promise<Person[]>;
  /**
   * Changes a person as `decidePersonChange` decides, in one transaction with all that follows: a deactivation ends the
   * sessions and the keys of the person, and passes the links on.
   */
  changePerson(name: string, wanted: PersonChange, change: LinkChange): Promise<'changed' | PersonRefusal>;
  /** Replaces the link with which a person sets a password. Returns false if no active person has the name. */
  setPasswordLink(name: string, link: PasswordLink): Promise<boolean>;
  /** Returns the active person who has this link, unexpired. */
  findByPasswordLink(
    linkHash: string,
    at: EpochMs,
  ): Promise<Pick<Person, 'name' | 'displayName' | 'email'> | undefined>;
  /**
   * Sets the password of the active person with an unexpired link, and ends all sessions of the person. Of any number of
   * calls with one link, one returns the person.
   */
  usePasswordLink(linkHash: string, passwordHash: string, at: EpochMs): Promise<Person | undefined>;
  /** Replaces a password unless it was replaced meanwhile, and ends all sessions of the person. */
  changePassword(personId: string, from: string, to: string): Promise<boolean>;
  /** Replaces what a provider says about a person, and adds the identity to a person without one. */
  updateProfile(personId: string, profile: Profile): Promise<void>;
  /** Adds a session of a person, records the sign-in, and deletes some expired sessions of anybody. */
  addSession(session: Session): Promise<void>;
  /** Returns the session with this hash of a person who is not deactivated, also an expired one, with what the person may do and the verified address. */
  findSession(
    hash: string,
  ): Promise<(Session & Pick<Person, 'name' | 'scopes' | 'email'> & { teams: string[] }) | undefined>;
  /** Lists the names of the teams of the active person with this name. Returns null for a deactivated person. */
  findTeamsOf(name: string): Promise<string[] | null>;
  /** Lists the sessions of a person, also expired ones, from the one used last. */
  listSessions(personId: string): Promise<Session[]>;
  /** Records a use of a session, and its new end, unless one was recorded after `before`. */
  recordSessionUse(hash: string, use: { at: EpochMs; expiresAt: EpochMs; before: EpochMs }): Promise<void>;
  /** Deletes a session of a person. Returns false if there is none. */
  endSession(personId: string, hash: string): Promise<boolean>;
}

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

/** API keys. A promise resolves only once its change is durable. Every instance of a store sees the same keys. */
export interface KeyStore {
  /** Adds a key, unless there is one of that name, revoked or not. */
  addKey(key: ApiKey): Promise<'added' | 'name-taken'>;
  /** Returns the key with this hash, also an expired or revoked one. */
  findKey(hash: string): Promise<FoundKey | undefined>;
  /** Lists all keys, oldest first. */
  listKeys(): Promise<FoundKey[]>;
  /** Revokes a key for good. Revoking it again changes nothing. */
  revokeKey(name: string, at: EpochMs): Promise<'revoked' | 'already-revoked' | 'not-found'>;
  /** Records the latest use of a key. */
  recordKeyUse(name: string, at: EpochMs): Promise<void>;
}
