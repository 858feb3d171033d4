import { formatOwner, HOLDER_TEXTS } from '../model/owner.ts';
import { accept, type Parsed, refuse } from '../model/parsed.ts';
import { toPersonName } from '../model/people/person-name.ts';

// Who a link belongs to. Whether a person or a team exists, the store checks in its transaction.

/** The teams with which a client may share links; ANY for one that may manage all links. */
export type TeamPolicy = { teams?: readonly string[] | 'ANY' };

/** No name of a person or a team is another text. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u;

/** Reads the team with which a link is shared; null for none. */
export function parseTeam(
  value: unknown,
  { policy: { teams = [] } }: { policy: TeamPolicy },
): Parsed<string | null> {
  const name = readName('team', value, 'UNKNOWN_TEAM');
  if (!name.ok || name.value === null || teams === 'ANY' || teams.includes(name.value)) return name;
  return refuse('team', 'UNKNOWN_TEAM', 'must be one of your teams');
}

/** Reads the name of the person who gets a link. The value is as links name their owner. */
export function parseNewOwner(value: unknown): Parsed<string> {
  const name = readName('owner', value, 'UNKNOWN_PERSON');
  if (!name.ok) return name;
  if (name.value === null) return refuse('owner', 'UNKNOWN_PERSON', HOLDER_TEXTS.UNKNOWN_PERSON);
  return accept(formatOwner({ kind: 'USER', name: toPersonName(name.value) }));
}

function readName(field: string, value: unknown, code: keyof typeof HOLDER_TEXTS): Parsed<string | null> {
  if (value === undefined || value === null) return accept(null);
  if (typeof value !== 'string') return refuse(field, 'NOT_A_TEXT', 'must be a text');
  const name = value.trim();
  if (name === '') return accept(null);
  return NAME.test(name) ? accept(name) : refuse(field, code, HOLDER_TEXTS[code]);
}
