/** The port that serves a route where `app.management.port` is set. */
export type ServingPort = 'public' | 'management' | 'both';

export const PAGE_NAMES = ['create', 'links', 'link', 'dashboard', 'docs'] as const;
export type PageName = (typeof PAGE_NAMES)[number];

/** The port of each page that only one of both ports serves. */
export const PAGE_PORTS = {
  create: 'public',
  links: 'public',
  link: 'public',
  dashboard: 'management',
  docs: 'management',
} as const satisfies Record<PageName, ServingPort>;
