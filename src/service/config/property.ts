import type { Parser, PropertyParser } from './parsers.ts';

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

type Definition<T> = Omit<Property<T>, 'fallback' | 'shown' | 'parse'> & { shown?: string };

/** Returns a property with a default, which is the text that sets it. */
export function define<T>({
  byDefault,
  ...property
}: Definition<T> & { byDefault: string; parse: Parser<T> }): Property<T> {
  const parsed = property.parse(byDefault);
  if (!parsed.ok) throw new Error(`the default of ${property.name} ${parsed.error}`);
  return { fallback: parsed.value, shown: byDefault, ...property };
}

/** Returns a property without a default, which an empty flag unsets. */
export function unset<T>(property: Definition<T> & { parse: PropertyParser<T> }): Property<T | null> {
  return { fallback: null, shown: '(unset)', optional: true, ...property };
}
