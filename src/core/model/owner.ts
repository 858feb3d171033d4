import type { Author } from './author.ts';
import type { FieldErrorCode } from './parsed.ts';

// Who a link belongs to. Its owner may be a key or a user, and changes; the author of its creation stays in its history.
// Links have names, not ids: the history proves names, and verify compares them with the row.

/** The kinds of owners. A link of ANONYMOUS or of a COMMAND belongs to no client. */
export const OWNER_KINDS = ['KEY', 'USER', 'ANONYMOUS', 'COMMAND'] as const satisfies Author['kind'][];
export type OwnerKind = (typeof OWNER_KINDS)[number];

/** An owner as clients see it. `name`: of the key, the user or the command; null where it has none, or was erased. */
export type Owner = { kind: OwnerKind; name: string | null };

/** The owner of a link, see `formatOwner`, and the name of the team that it is shared with. */
export type Holders = { owner: string; team: string | null };

/** A client as links know it: the owner of its own links, and its teams. Null for an anonymous client. */
export type Holder = { owner: string | null; teams: readonly string[] };

/** Returns the text by which a link names its owner, such as `USER ada`. */
export function formatOwner({ kind, name }: Pick<Author, 'kind' | 'name'>): string {
  return name === null ? kind : `${kind} ${name}`;
}

/** Returns the owner that a link names. */
export function parseOwner(text: string): Owner {
  const [kind, ...words] = text.split(' ');
  const known = OWNER_KINDS.find((each) => each === kind) ?? 'ANONYMOUS';
  return { kind: known, name: words.length > 0 ? words.join(' ') : null };
}

/** The relation of a client to a link. A MEMBER of its team has the access of its owner. */
export type Relation = 'OWNER' | 'MEMBER' | 'NONE';

export function relationOf({ owner, teams }: Holder, link: Holders): Relation {
  if (link.owner === owner) return 'OWNER';
  return link.team !== null && teams.includes(link.team) ? 'MEMBER' : 'NONE';
}

/** Returns whether a client has the access of a link's owner. */
export function isHolder(holder: Holder, link: Holders): boolean {
  return relationOf(holder, link) !== 'NONE';
}

export const HOLDER_TEXTS = {
  UNKNOWN_TEAM: 'must be the name of a team',
  UNKNOWN_PERSON: 'must be the name of an active person',
} as const satisfies { [Code in FieldErrorCode]?: string };
