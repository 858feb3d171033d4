import { type ParseArgsConfig, parseArgs } from 'node:util';

type Given = string | boolean | (string | boolean)[] | undefined;

/** An option of a driver. `read` returns its value, and throws an error that says what is allowed. */
export type Option<Value> = { type: 'string' | 'boolean'; multiple?: true; read(given: Given): Value };
export type Options = Record<string, Option<unknown>>;
export type ValuesOf<Of extends Options> = {
  [Name in keyof Of]: Of[Name] extends Option<infer Value> ? Value : never;
};

export function number(byDefault: number, { atLeast = Number.MIN_VALUE } = {}): Option<number> {
  return {
    type: 'string',
    read(given) {
      const value = given === undefined ? byDefault : Number(given);
      if (value >= atLeast) return value;
      throw new RangeError(`must be a number ${atLeast === 0 ? 'from 0' : 'above 0'}, not ${given}`);
    },
  };
}

/** The seed of all choices, by default another one for each run. */
export const seed = (): Option<number> => number(Date.now() % 1_000_000, { atLeast: 0 });

export const flag = (): Option<boolean> => ({ type: 'boolean', read: (given) => given === true });

export function text(): Option<string | undefined> {
  return { type: 'string', read: (given) => (given === undefined ? undefined : String(given)) };
}

/** One of these, by default the first. */
export function one<Name extends string>(names: readonly [Name, ...Name[]]): Option<Name> {
  return {
    type: 'string',
    read: (given) => (given === undefined ? names[0] : known(names, given)),
  };
}

/** Some of these, each in an option of its own; by default all. */
export function some<Name extends string>(names: readonly Name[]): Option<readonly Name[]> {
  return {
    type: 'string',
    multiple: true,
    read: (given) => (Array.isArray(given) ? given.map((each) => known(names, each)) : names),
  };
}

function known<Name extends string>(names: readonly Name[], given: Given): Name {
  const found = names.find((name) => name === given);
  if (found === undefined) throw new RangeError(`${given} is unknown; there are ${names.join(', ')}`);
  return found;
}

/** Returns the values of options, and the names that follow them. Throws an error for each that is wrong. */
export function readOptions<Of extends Options, Name extends string>(
  options: Of,
  names: readonly Name[],
  args?: string[],
): { values: ValuesOf<Of>; chosen: readonly Name[]; asksForHelp: boolean } {
  const descriptors: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean' } };
  for (const [name, { type, multiple = false }] of Object.entries(options))
    descriptors[name] = { type, multiple };
  const { values: given, positionals } = parseArgs({
    options: descriptors,
    allowPositionals: names.length > 0,
    ...(args && { args }),
  });
  const read = Object.entries(options).map(([name, option]) => {
    try {
      return [name, option.read(given[name])];
    } catch (error) {
      throw new RangeError(`--${name}: ${error instanceof Error ? error.message : error}`);
    }
  });
  return {
    values: Object.fromEntries(read) as ValuesOf<Of>, // each was read by the option of its name
    chosen: positionals.length === 0 ? names : positionals.map((name) => known(names, name)),
    asksForHelp: given['help'] === true,
  };
}
