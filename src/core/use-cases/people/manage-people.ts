import type { EpochMs } from '../../model/link.ts';
import type { NewLinkChange } from '../../model/link-change.ts';
import { accept, refuse } from '../../model/parsed.ts';
import type { Actor, Caller } from '../../model/people/caller.ts';
import type { PersonChange, PersonRefusal } from '../../model/people/decide-person-change.ts';
import { LINK_SCOPES, mayGrant, withLinks } from '../../model/people/may-grant.ts';
import {
  newPasswordLink,
  newPerson,
  type PasswordLink,
  type Person,
  scopesOf,
} from '../../model/people/person.ts';
import { toPersonName } from '../../model/people/person-name.ts';
import { type Outcome, refused } from '../../model/refusal.ts';
import type { PersonStore, TeamStore } from '../../ports/people.ts';

/** A person as administrators see it, with the names of the teams, and how many links the person owns. */
export type ShownPerson = Person & { teams: string[]; linkCount: number };
/** The address of a page that sets a password once. `name`: whose. */
export type PasswordPage = Pick<PasswordLink, 'expiresAt'> & { url: string; name: string };
type Given = Pick<Person, 'name' | 'displayName' | 'scopes' | 'email' | 'isEmergency'> & {
  teams: string[];
  ownsLinks: boolean;
};

type Parts = {
  people: PersonStore;
  teams: TeamStore;
  baseUrl: string;
  clock: () => EpochMs;
  newChange: NewLinkChange;
};

/** Prepares what administrators do with people. A caller neither gives more than it may do, nor gets into an account that may do more. */
export function prepareManagePeople({ people, teams, baseUrl, clock, newChange }: Parts) {
  const { show, showOne } = prepareShow({ people, teams });
  return {
    listPeople: async (): Promise<ShownPerson[]> => show(await people.listPeople()),
    /** Returns the names of active people. */
    async listNames(): Promise<Pick<Person, 'name' | 'displayName'>[]> {
      const active = (await people.listPeople()).filter(({ deactivatedAt }) => deactivatedAt === null);
      const names = active.map(({ name, displayName }) => ({ name, displayName }));
      return names.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    /** Changes the name by which the person who sends a request is shown. */
    async changeDisplayName(
      name: string,
      displayName: string,
      { author }: Actor,
    ): Promise<Outcome<{ name: string }>> {
      const result = await people.changePerson(name, { displayName }, newChange(author));
      return result === 'changed' ? accept({ name }) : REFUSALS[result];
    },
    async addPerson(
      { teams: joined, ownsLinks, ...given }: Given,
      { caller }: Actor,
    ): Promise<Outcome<{ person: ShownPerson; link: PasswordPage }>> {
      const givesLinks = joined.length > 0 || ownsLinks;
      if (!mayGrant(caller, givesLinks ? [...given.scopes, ...LINK_SCOPES] : given.scopes))
        return refused('cannot-grant');
      const { url, ...link } = newPasswordLink(baseUrl, clock());
      const person = newPerson({ ...given, createdAt: clock(), isEmailVerified: given.email !== null, link });
      const result = await people.addPerson(person, { teams: joined, ownsLinks });
      if (result === 'unknown-team') return UNKNOWN_TEAM;
      if (result !== 'added') return refused('name-taken');
      const shown = await showOne(person.name);
      return shown.ok
        ? accept({ person: shown.value, link: { url, expiresAt: link.expiresAt, name: person.name } })
        : shown;
    },
    async changePerson(
      sent: string,
      wanted: PersonChange,
      { caller, author }: Actor,
    ): Promise<Outcome<ShownPerson>> {
      const name = toPersonName(sent);
      const before = await people.findPerson(name);
      if (!before) return refused('person-not-found');
      const opensAccount = wanted.email !== undefined || wanted.isActive === true;
      const given = wanted.scopes?.filter((scope) => !before.scopes.includes(scope)) ?? [];
      const joined = new Set(wanted.teams).difference(new Set(await people.findTeamsOf(name)));
      const granted = withLinks(opensAccount ? [...given, ...scopesOf(before)] : given);
      const givesLinks = wanted.linksTo !== undefined || joined.size > 0;
      if (!mayGrant(caller, givesLinks ? [...granted, ...LINK_SCOPES] : granted))
        return refused('cannot-grant');
      const result = await people.changePerson(name, wanted, newChange(author));
      return result === 'changed' ? showOne(name) : REFUSALS[result];
    },
    /** Makes a link with which a person sets a password. It replaces the one before. */
    async makePasswordLink(sent: string, caller: Caller): Promise<Outcome<PasswordPage>> {
      const person = await people.findPerson(toPersonName(sent));
      if (!person) return refused('person-not-found');
      if (!mayGrant(caller, withLinks(scopesOf(person)))) return refused('cannot-grant');
      const { url, ...link } = newPasswordLink(baseUrl, clock());
      return (await people.setPasswordLink(person.name, link))
        ? accept({ url, expiresAt: link.expiresAt, name: person.name })
        : refused('person-not-found');
    },
  };
}

/** Prepares reading what is shown of people. */
function prepareShow({ people, teams }: Pick<Parts, 'people' | 'teams'>) {
  async function show(shown: readonly Person[]): Promise<ShownPerson[]> {
    const [all, held] = [await teams.listTeams(), await teams.countHeldLinks()];
    const linkCounts = new Map(held.people);
    return shown.map((person) => ({
      ...person,
      teams: all.filter(({ members }) => members.includes(person.name)).map(({ name }) => name),
      linkCount: linkCounts.get(person.name) ?? 0,
    }));
  }

  async function showOne(name: string): Promise<Outcome<ShownPerson>> {
    const person = await people.findPerson(name);
    const [shown] = person ? await show([person]) : [];
    return shown ? accept(shown) : refused('person-not-found');
  }
  return { show, showOne };
}

const UNKNOWN_TEAM = refuse('teams', 'UNKNOWN_TEAM', 'must have the names of teams');
const REFUSALS = {
  'not-found': refused('person-not-found'),
  'display-name-taken': refused('name-taken'),
  'last-administrator': refused('last-administrator'),
  'links-need-owner': refuse(
    'linksTo',
    'LINKS_NEED_OWNER',
    'the person owns links; send the name of an active person who gets them',
  ),
  'unknown-new-owner': refuse('linksTo', 'UNKNOWN_PERSON', 'must be the name of an active person'),
  'unknown-team': UNKNOWN_TEAM,
} satisfies Record<PersonRefusal, Outcome<never>>;
