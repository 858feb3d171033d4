/** The columns of a file, named like the members of a new link in the API. */
export const COLUMNS = [
  'targetUrl',
  'label',
  'recipient',
  'expiresAt',
  'maxViews',
  'confirm',
  'password',
  'tags',
  'note',
  'customCode',
  'startsAt',
  'forwardPath',
  'forwardQuery',
  'fallbackUrl',
  'host',
] as const;
/** The columns that are yes or no, besides `confirm`. */
export const FORWARDS = ['forwardPath', 'forwardQuery'] as const;
export type Column = (typeof COLUMNS)[number];

const FLAGS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

/**
 * Reads a column that is yes or no. Returns undefined for a text that is neither yes nor no.
 *
 * @param isDefault what holds without a value
 */
export function readFlag(text: string, isDefault: boolean): boolean | undefined {
  return text === '' ? isDefault : FLAGS.get(text.toLowerCase());
}
