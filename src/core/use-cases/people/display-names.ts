import type { PersonStore } from '../../ports/people.ts';

export type DisplayNames = Pick<PersonStore, 'listDisplayNames'>;

/** Returns the display name of a person; undefined for a user whom only a reverse proxy knows. */
export async function findDisplayName(people: DisplayNames, name: string): Promise<string | undefined> {
  const [person] = await people.listDisplayNames([name]);
  return person?.displayName;
}
