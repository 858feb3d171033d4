import type { useSession } from './session.tsx';

/** The pages in the order of the navigation. `scope`: what a key needs for all that the page has. */
export const PAGES = [
  { name: 'create', path: '', label: 'create.title', scope: 'create' },
  { name: 'links', path: 'links', label: 'links.title', scope: undefined },
  { name: 'dashboard', path: 'dashboard', label: 'board.title', scope: 'read' },
  { name: 'people', path: 'people', label: 'people.title', scope: 'admin' },
] as const;

type Page = (typeof PAGES)[number];

/** Returns whether the user can use a page. Who may create links sees the own ones on each page of links. */
export function canUse({ name, scope }: Page, { may, caller }: ReturnType<typeof useSession>): boolean {
  // About people, a key is needed even where anyone may create links.
  if (name === 'people') return caller?.scopes.includes('admin') ?? false;
  return may('create') || may(scope ?? 'read');
}

/** Returns whether the page is in the navigation: its port serves it, and the user can use it. */
export function isOffered(page: Page, session: ReturnType<typeof useSession>): boolean {
  return canUse(page, session) && (page.name === 'people' || session.serves(page.name));
}
