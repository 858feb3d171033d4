import type { PropertyParser, ReadFile } from '../../core/config/parsers.ts';
import { quote } from './read-property.ts';

/** An option of a command. One without a value is a switch. */
export type Option = {
  type: 'string' | 'boolean';
  /** Stands for its value in the help. */
  value?: string;
  short?: string;
  help: string;
  /** Without it, the value is the text. */
  parse?: PropertyParser<unknown>;
  /** The text to write, where the command needs the option. */
  missing?: string;
};
export type Options = Readonly<Record<string, Option>>;

/** The values of options: null for one that is not given. */
export type OptionValues<Known extends Options> = {
  readonly [Name in keyof Known]: Known[Name]['type'] extends 'boolean'
    ? boolean
    :
        | (Known[Name] extends { parse: PropertyParser<infer T> } ? T : string)
        | (Known[Name] extends { missing: string } ? never : null);
};

/** Reads the values of options, and reports those that are wrong or missing. */
export function readOptions<const Known extends Options>(
  known: Known,
  { flags, errors }: { flags: ReadonlyMap<string, string>; errors: readonly string[] },
  readFile: ReadFile,
  report: (error: string) => void,
): OptionValues<Known> {
  const read = (name: string, { type, parse, missing }: Option): unknown => {
    const text = flags.get(name);
    if (type === 'boolean') return text !== undefined;
    if (text === undefined) {
      if (missing !== undefined && errors.length === 0) report(`--${name} is missing; ${missing}`);
      return null;
    }
    const parsed = parse?.(text, readFile) ?? { ok: true, value: text };
    if (parsed.ok) return parsed.value;
    report(`--${name}: ${text === '' ? 'an empty value' : quote(text)} ${parsed.error}`);
    return null;
  };
  const values = Object.entries(known).map(([name, option]) => [name, read(name, option)]);
  return Object.fromEntries(values) as OptionValues<Known>; // no command runs after an error
}
