export const LINK_TYPES = ['REDIRECT', 'DOWNLOAD', 'REQUEST'] as const;
/** To what a link leads: a URL, a file, or a form that asks for files. */
export type LinkType = (typeof LINK_TYPES)[number];
