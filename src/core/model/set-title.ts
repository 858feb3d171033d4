const ZIP_NAME = /^(?<first>.+) \+ (?<others>[1-9]\d{0,5})\.zip$/s;

/** Returns the title of a set of files: its first file or folder, and the number of files besides. */
export const titleOfSet = (first: string, others: number): string => `${first} + ${others}`;

/** Returns what the title of a set, as the name of a ZIP, consists of; undefined for a ZIP with another name. */
export function readSetTitle(zipName: string): { first: string; others: number } | undefined {
  const { first, others } = ZIP_NAME.exec(zipName)?.groups ?? {};
  return first === undefined ? undefined : { first, others: Number(others) };
}
