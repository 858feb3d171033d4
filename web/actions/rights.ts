import { useMemo } from 'preact/hooks';
import type { Caller, LinkDescription } from '../service/contract.ts';
import { loadLinkToken } from '../service/saved-links.ts';
import { useSession } from '../shell/session.tsx';

/** The parts of a link that say who may do what with it. A description has them for those who may change the link. */
type Held = Partial<Pick<LinkDescription, 'owner' | 'team'>>;

/** The rights of a user to a link beyond seeing it. */
export type Rights = { mayManage: boolean; mayHandOver: boolean; mayShare: boolean };

/**
 * Returns what a user may do with a link: the owner and the team need the scope `create` alone, and the team cannot give it
 * away.
 *
 * @param hasToken whether the browser has the token of the link
 */
export function rightsOf({ owner, team = null }: Held, caller: Caller | null, hasToken: boolean): Rights {
  const managesAll = caller?.scopes.includes('manage') ?? false;
  const usesOwn = caller?.scopes.includes('create') ?? false;
  const isOwner =
    usesOwn && caller !== null && owner?.kind === caller.owner.kind && owner.name === caller.owner.name;
  const isMember = usesOwn && team !== null && (caller?.teams.includes(team) ?? false);
  const hasTeams =
    team !== null || (caller?.teams.length ?? 0) > 0 || (caller?.scopes.includes('admin') ?? false);
  return {
    mayManage: managesAll || isOwner || isMember || hasToken,
    mayHandOver: managesAll || isOwner,
    mayShare: (managesAll || isOwner || isMember) && hasTeams,
  };
}

/** Returns a function that returns what the user may do with a link. */
export function useRights(links: LinkDescription[] = []): (link: LinkDescription) => Rights {
  const { caller } = useSession();
  const rights = useMemo(
    () =>
      new Map(
        links.map((link) => [
          link.shortCode,
          rightsOf(link, caller, loadLinkToken(link.shortCode) !== undefined),
        ]),
      ),
    [links, caller],
  );
  return (link) => rights.get(link.shortCode) ?? rightsOf(link, caller, false);
}
