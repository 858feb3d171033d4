import type { Buffer } from 'node:buffer';
import type { Parsed } from '../links/rules/parsed.ts';

/**
 * Returns the bytes at a path. With `maxBytes`, it must be a regular file, and of a longer one so many bytes and one more
 * are returned. May throw.
 */
export type ReadFile = (path: string, maxBytes?: number) => Buffer;

/** Returns the value of a text, or what the text must be. Where it is a path, the file is read. */
export type PropertyParser<T> = (text: string, readFile: ReadFile) => Parsed<T, string>;

/**
 * One property: how it is read, and how it is documented.
 *
 * `fallback` is the default; `shown` is its text in documents, in parentheses where it is no value to write.
 * `alias` is a second environment name. `optional` lets an empty flag mean "unset". A `confidential` property
 * may hold credentials, and a `secret` is one: no error shows it.
 */
export type Property<T> = Readonly<{
  name: string;
  fallback: T;
  shown: string;
  parse: PropertyParser<T>;
  meaning: string;
  alias?: string;
  optional?: true;
  confidential?: true;
  secret?: true;
}>;

/** Returns the name of a property's environment variable: upper case, `.` and `-` become `_`. */
export function environmentName(property: Pick<Property<unknown>, 'name'>): string {
  return property.name.toUpperCase().replaceAll(/[.-]/g, '_');
}

/** Shows the default itself unless `shown` is set. Keeps the type of each property's value. */
export const define = <T>(property: Omit<Property<T>, 'shown'> & { shown?: string }): Property<T> => ({
  shown: String(property.fallback),
  ...property,
});
