import type { LinkChange } from '../../core/model/link-change.ts';
import { formatOwner } from '../../core/model/owner.ts';
import { decidePersonChange, type PersonChange } from '../../core/model/people/decide-person-change.ts';
import { type Person, scopesOf } from '../../core/model/people/person.ts';
import { toPersonName } from '../../core/model/people/person-name.ts';
import type { Session } from '../../core/model/people/session.ts';
import type { PersonStore } from '../../core/ports/people.ts';
import type { LinkTransaction } from './link-transaction.ts';
import { lockHolders } from './lock-holders.ts';
import { type Commit, canBeStored, type Dialect, type Query } from './query.ts';
import { scopesToText, toGivenScopes, withTeams } from './scopes.ts';
import { SELECT_OWNED, transferLinks } from './transfer-links.ts';

/** Bounds the transaction of a sign-in. */
const MAX_DELETED = 100;

const PERSON = `id, name, display_name AS "displayName", email, is_email_verified AS "isEmailVerified", scopes, groups_json AS "groupsJson", is_emergency AS "isEmergency",
         password_hash AS "passwordHash", issuer, subject, link_hash AS "linkHash", link_expires_at AS "linkExpiresAt",
         created_at AS "createdAt", last_sign_in_at AS "lastSignInAt", deactivated_at AS "deactivatedAt"`;
const SELECT = `SELECT ${PERSON} FROM person`;
const FIND = `${SELECT} WHERE name = $1`;
const FIND_IDENTITY = `${SELECT} WHERE issuer = $1 AND subject = $2`;
const displayNames = ({ texts }: Dialect) =>
  `SELECT name, display_name AS "displayName" FROM person WHERE name IN (SELECT value FROM ${texts('$1')})`;
/** The person who has a name, or one like it as a display name. */
const FIND_NAMED = 'SELECT name FROM person WHERE name = $1 OR display_key = $1';
const LIST = `${SELECT} ORDER BY created_at, name`;
const ADD = `INSERT INTO person (id, name, email, is_email_verified, scopes, groups_json, is_emergency, password_hash,
           issuer, subject, link_hash, link_expires_at, created_at, last_sign_in_at, deactivated_at, display_name, display_key)
         VALUES ($1, $2, $3, CAST($4 AS BOOLEAN), $5, $6, CAST($7 AS BOOLEAN), $8, $9, $10, $11, $12, $13, $14, $15,
           $16, $17)
         ON CONFLICT DO NOTHING RETURNING id`;
const lockPeople = ({ forUpdate }: Dialect) =>
  `${SELECT} WHERE deactivated_at IS NULL OR name = $1 ORDER BY name${forUpdate}`;
const CHANGE = `UPDATE person SET scopes = $2, email = $3, is_email_verified = CAST($4 AS BOOLEAN),
           is_emergency = CAST($5 AS BOOLEAN), deactivated_at = $6, link_hash = $7, link_expires_at = $8,
           display_name = $9, display_key = $10 WHERE id = $1`;
const REVOKE_KEYS = 'UPDATE api_key SET revoked_at = $2 WHERE owner = $1 AND revoked_at IS NULL';
const LEAVE_TEAMS = 'DELETE FROM team_member WHERE person_id = $1';
const joinTeams = ({ texts }: Dialect) =>
  `INSERT INTO team_member (person_id, team)
         SELECT CAST($1 AS TEXT), value FROM ${texts('$2')} WHERE value IS NOT NULL ON CONFLICT DO NOTHING`;
const SET_LINK = `UPDATE person SET link_hash = $2, link_expires_at = $3
         WHERE name = $1 AND deactivated_at IS NULL RETURNING id`;
const HAS_LINK = 'link_hash = $1 AND link_expires_at > $2 AND deactivated_at IS NULL';
const FIND_LINK = `SELECT name, display_name AS "displayName", email FROM person WHERE ${HAS_LINK}`;
const USE_LINK = `UPDATE person SET password_hash = $3, link_hash = NULL, link_expires_at = NULL
         WHERE ${HAS_LINK} RETURNING ${PERSON}`;
const CHANGE_PASSWORD = `UPDATE person SET password_hash = $3
         WHERE id = $1 AND password_hash = $2 AND deactivated_at IS NULL RETURNING id`;
const UPDATE_PROFILE = `UPDATE person SET email = $2, is_email_verified = CAST($3 AS BOOLEAN), groups_json = $4,
           issuer = $5, subject = $6 WHERE id = $1 AND (issuer IS NULL OR (issuer = $5 AND subject = $6)) RETURNING id`;

const SESSION = `hash, session.person_id AS "personId", stays_signed_in AS "staysSignedIn",
         is_from_provider AS "isFromProvider", user_agent AS "userAgent",
         session.created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt"`;
const ADD_SESSION = `INSERT INTO session (hash, person_id, stays_signed_in, is_from_provider, user_agent, created_at,
           last_used_at, expires_at)
         VALUES ($1, $2, CAST($3 AS BOOLEAN), CAST($4 AS BOOLEAN), $5, $6, $7, $8) RETURNING hash`;
const RECORD_SIGN_IN = `UPDATE person SET last_sign_in_at = $2
         WHERE id = $1 AND (last_sign_in_at IS NULL OR last_sign_in_at < $2) RETURNING id`;
const DELETE_EXPIRED = `DELETE FROM session WHERE hash IN (
           SELECT hash FROM session WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${MAX_DELETED}) RETURNING hash`;
/** One row for each team of the person. */
const FIND_SESSION = `SELECT ${SESSION}, name, scopes, groups_json AS "groupsJson", team,
           CASE WHEN is_email_verified THEN email END AS email
         FROM session JOIN person ON person.id = session.person_id
         LEFT JOIN team_member ON team_member.person_id = person.id
         WHERE hash = $1 AND deactivated_at IS NULL ORDER BY team`;
const TEAMS_OF = `SELECT team, deactivated_at AS "deactivatedAt" FROM person
         LEFT JOIN team_member ON team_member.person_id = person.id WHERE name = $1 ORDER BY team`;
const LIST_SESSIONS = `SELECT ${SESSION} FROM session WHERE person_id = $1 ORDER BY last_used_at DESC, hash`;
/** A time after `at` is of a clock that was ahead. */
const RECORD_USE = `UPDATE session SET last_used_at = $2, expires_at = $3
         WHERE hash = $1 AND (last_used_at <= $4 OR last_used_at > $2) RETURNING hash`;
const END_SESSION = 'DELETE FROM session WHERE person_id = $1 AND hash = $2 RETURNING hash';
const END_SESSIONS = 'DELETE FROM session WHERE person_id = $1 RETURNING hash';

type PersonRow = Omit<Person, 'scopes' | 'groups' | 'identity' | 'link'> & {
  scopes: string;
  groupsJson: string;
  issuer: string | null;
  subject: string | null;
  linkHash: string | null;
  linkExpiresAt: number | null;
};
type PersonReads =
  | 'findPerson'
  | 'findPersonByIdentity'
  | 'listDisplayNames'
  | 'listPeople'
  | 'findByPasswordLink'
  | 'findSession'
  | 'findTeamsOf'
  | 'listSessions';

/** Returns the operations of people and sessions that only read. */
export function createPersonReads(query: Query, dialect: Dialect): Pick<PersonStore, PersonReads> {
  return {
    async listDisplayNames(names) {
      const known = names.filter(canBeStored);
      return known.length === 0 ? [] : query(displayNames(dialect), [JSON.stringify(known)]);
    },
    async findPerson(name) {
      const [row] = canBeStored(name) ? await query<PersonRow>(FIND, [name]) : [];
      return row && toPerson(row);
    },
    async findPersonByIdentity({ issuer, subject }) {
      const [row] = canBeStored(subject) ? await query<PersonRow>(FIND_IDENTITY, [issuer, subject]) : [];
      return row && toPerson(row);
    },
    async findByPasswordLink(linkHash, at) {
      const [person] = await query<Pick<Person, 'name' | 'displayName' | 'email'>>(FIND_LINK, [linkHash, at]);
      return person && { name: person.name, displayName: person.displayName, email: person.email };
    },
    listPeople: async () => (await query<PersonRow>(LIST)).map(toPerson),
    async findSession(hash) {
      type Row = Session & { name: string; scopes: string; groupsJson: string } & {
        team: string | null;
        email: string | null;
      };
      const row = withTeams(await query<Row>(FIND_SESSION, [hash]));
      if (!row) return undefined;
      const { groupsJson, ...session } = row;
      return { ...toSession(session), scopes: scopesOf(toGivenScopes(row.scopes, groupsJson)) };
    },
    async findTeamsOf(name) {
      type Row = { team: string | null; deactivatedAt: number | null };
      const rows = canBeStored(name) ? await query<Row>(TEAMS_OF, [name]) : [];
      return rows.some(({ deactivatedAt }) => deactivatedAt !== null)
        ? null
        : rows.flatMap(({ team }) => team ?? []);
    },
    listSessions: async (personId) => (await query<Session>(LIST_SESSIONS, [personId])).map(toSession),
  };
}

/** Returns the operations of people and sessions that write. */
export function createPersonWrites(
  commit: Commit,
  dialect: Dialect,
): Omit<PersonStore, PersonReads | 'changePerson'> {
  return {
    addPerson: (person, { teams = [], ownsLinks = false } = {}) =>
      commit(async (query) => {
        if (!(await areTeams({ query, dialect }, teams))) return 'unknown-team';
        const owner = formatOwner({ kind: 'USER', name: person.name });
        if (!ownsLinks && (await query(SELECT_OWNED, [owner, ''])).length > 0) return 'name-taken';
        if ((await query(ADD, toValues(person))).length === 0)
          return (await query(FIND_NAMED, [person.name])).length > 0 ? 'name-taken' : 'identity-taken';
        await query(joinTeams(dialect), [person.id, JSON.stringify(teams)]);
        return 'added';
      }),
    setPasswordLink: async (name, { hash, expiresAt }) =>
      canBeStored(name) &&
      commit(async (query) => (await query(SET_LINK, [name, hash, expiresAt])).length > 0),
    usePasswordLink: (linkHash, passwordHash, at) =>
      commit(async (query) => {
        const [row] = await query<PersonRow>(USE_LINK, [linkHash, at, passwordHash]);
        if (row) await query(END_SESSIONS, [row.id]);
        return row && toPerson(row);
      }),
    changePassword: (personId, from, to) =>
      commit(async (query) => {
        const isChanged = (await query(CHANGE_PASSWORD, [personId, from, to])).length > 0;
        if (isChanged) await query(END_SESSIONS, [personId]);
        return isChanged;
      }),
    updateProfile: (personId, { email, isEmailVerified, groups, identity }) =>
      commit(async (query) => {
        const { issuer, subject } = identity;
        const values = [personId, email, Number(isEmailVerified), JSON.stringify(groups), issuer, subject];
        await query(UPDATE_PROFILE, values);
      }),
    addSession: ({ hash, personId, staysSignedIn, isFromProvider, userAgent, createdAt, ...times }) =>
      commit(async (query) => {
        const values = [hash, personId, Number(staysSignedIn), Number(isFromProvider), userAgent];
        await query(ADD_SESSION, [...values, createdAt, times.lastUsedAt, times.expiresAt]);
        await query(RECORD_SIGN_IN, [personId, createdAt]);
        await query(DELETE_EXPIRED, [createdAt]);
      }),
    recordSessionUse: (hash, { at, expiresAt, before }) =>
      commit(async (query) => void (await query(RECORD_USE, [hash, at, expiresAt, before]))),
    endSession: (personId, hash) =>
      commit(async (query) => (await query(END_SESSION, [personId, hash])).length > 0),
  };
}

/** Changes a person, with all that follows. See `PersonStore`. */
export async function changePerson(
  transaction: LinkTransaction,
  name: string,
  wanted: PersonChange,
  change: LinkChange,
): ReturnType<PersonStore['changePerson']> {
  if (!canBeStored(name)) return 'not-found';
  const { query, dialect } = transaction;
  const { teams } = wanted;
  const people = (await query<PersonRow>(lockPeople(dialect), [name])).map(toPerson);
  const known = await lockHolders(
    transaction,
    (teams ?? []).map((team) => ({ team })),
  );
  const from = formatOwner({ kind: 'USER', name });
  const ownsLinks = wanted.isActive === false && (await query(SELECT_OWNED, [from, ''])).length > 0;
  const isNameTaken = wanted.displayName !== undefined && (await isTaken(query, wanted.displayName, name));
  const facts = { people, ownsLinks, teams: known.teams, isNameTaken };
  const decision = decidePersonChange(name, wanted, facts, change.at);
  if (typeof decision === 'string') return decision;
  const { person, newOwner } = decision;
  await query(CHANGE, [
    ...[person.id, scopesToText(person.scopes), person.email, Number(person.isEmailVerified)],
    ...[Number(person.isEmergency), person.deactivatedAt, person.link?.hash ?? null],
    ...[person.link?.expiresAt ?? null, person.displayName, toPersonName(person.displayName)],
  ]);
  if (teams) {
    await query(LEAVE_TEAMS, [person.id]);
    await query(joinTeams(dialect), [person.id, JSON.stringify(teams)]);
  }
  if (person.deactivatedAt !== null) {
    await query(END_SESSIONS, [person.id]);
    await query(REVOKE_KEYS, [name, change.at]);
  }
  if (newOwner !== null)
    await transferLinks(transaction, { from, to: formatOwner({ kind: 'USER', name: newOwner }) }, change);
  return 'changed';
}

/** Returns whether a display name is like a name of someone else than the person, or of another owner of links. */
async function isTaken(query: Query, displayName: string, ownName: string): Promise<boolean> {
  const name = toPersonName(displayName);
  if (name === ownName) return false;
  const named = await query<{ name: string }>(FIND_NAMED, [name]);
  const owner = formatOwner({ kind: 'USER', name });
  return named.some((each) => each.name !== ownName) || (await query(SELECT_OWNED, [owner, ''])).length > 0;
}

async function areTeams(parts: Pick<LinkTransaction, 'query' | 'dialect'>, names: readonly string[]) {
  const known = await lockHolders(
    parts,
    names.map((team) => ({ team })),
  );
  return names.every((name) => known.teams.has(name));
}

function toValues(person: Person) {
  const { id, name, email, scopes, groups, isEmergency, passwordHash, identity, link } = person;
  return [
    ...[id, name, email, Number(person.isEmailVerified), scopesToText(scopes), JSON.stringify(groups)],
    ...[Number(isEmergency), passwordHash],
    ...[identity?.issuer ?? null, identity?.subject ?? null, link?.hash ?? null, link?.expiresAt ?? null],
    ...[person.createdAt, person.lastSignInAt, person.deactivatedAt],
    ...[person.displayName, toPersonName(person.displayName)],
  ];
}

function toPerson({ issuer, subject, linkHash, linkExpiresAt, groupsJson, ...row }: PersonRow): Person {
  return {
    ...row,
    isEmailVerified: Boolean(row.isEmailVerified), // SQLite has integers
    isEmergency: Boolean(row.isEmergency),
    ...toGivenScopes(row.scopes, groupsJson),
    identity: issuer === null || subject === null ? null : { issuer, subject },
    link: linkHash === null || linkExpiresAt === null ? null : { hash: linkHash, expiresAt: linkExpiresAt },
  };
}

const toSession = <Row extends Session>(row: Row): Row => ({
  ...row,
  staysSignedIn: Boolean(row.staysSignedIn),
  isFromProvider: Boolean(row.isFromProvider),
});
