/** The columns of a file, named like the members of a new link in the API. */
export const COLUMNS = [
  'targetUrl',
  'label',
  'recipient',
  'expiresAt',
  'maxViews',
  'password',
  'tags',
  'note',
  'customCode',
  'startsAt',
] as const;
export type Column = (typeof COLUMNS)[number];
