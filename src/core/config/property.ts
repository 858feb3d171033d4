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

/** Returns the names of the environment variables of a property. */
export function environmentNames(property: Pick<Property<unknown>, 'name' | 'alias'>): string[] {
  return [environmentName(property), ...(property.alias ? [property.alias] : [])];
}

type Definition<T> = Omit<Property<T>, 'fallback' | 'shown' | 'parse'> & { shown?: string };
type Optional<T> = Definition<T> & { parse: PropertyParser<T> };

/** Returns a property with a default, which is the text that sets it. */
export function define<T>({
  byDefault,
  ...property
}: Definition<T> & { byDefault: string; parse: Parser<T> }): Property<T> {
  const parsed = property.parse(byDefault);
  if (!parsed.ok) throw new Error(`the default of ${property.name} ${parsed.error}`);
  return { fallback: parsed.value, shown: byDefault, ...property };
}

/**
 * Returns a property without a default, which an empty flag unsets.
 *
 * @param fallback the value where nothing sets it, instead of null
 */
export function unset<T>(property: Optional<T>): Property<T | null>;
export function unset<T>(property: Optional<T>, fallback: T): Property<T>;
export function unset<T>(property: Optional<T>, fallback: T | null = null): Property<T | null> {
  return { fallback, shown: '(unset)', optional: true, ...property };
}

/** Properties, nested as their values are used. */
export type PropertyTable = { readonly [key: string]: Property<unknown> | PropertyTable };

/** The values of a table of properties. */
export type ValuesOf<Table> = {
  readonly [K in keyof Table]: Table[K] extends Property<infer T> ? T : ValuesOf<Table[K]>;
};

/** Returns all properties of a table, in its order. */
export function propertiesIn(table: PropertyTable): Property<unknown>[] {
  return Object.values(table).flatMap((each) => (isProperty(each) ? [each] : propertiesIn(each)));
}

/** Reads the values of a table. */
export function readTable<Table extends PropertyTable>(
  table: Table,
  read: (property: Property<unknown>) => unknown,
): ValuesOf<Table> {
  const values = Object.entries(table).map(([key, each]) => [
    key,
    isProperty(each) ? read(each) : readTable(each, read),
  ]);
  return Object.fromEntries(values) as ValuesOf<Table>; // `read` returns what each property parses
}

const isProperty = (each: Property<unknown> | PropertyTable): each is Property<unknown> =>
  typeof each['parse'] === 'function';
