import { describeCode, type ReadFile, refuse } from '../../core/config/parsers.ts';
import { environmentName, type Property } from '../../core/config/property.ts';
import { accept, type Parsed } from '../../core/model/parsed.ts';

/** The sources of the configuration. */
export type Sources = Readonly<{
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  readFile: ReadFile;
  /** Returns whether every user of the machine can read a file. */
  isReadableByAll?: (path: string) => boolean;
  /** The settings of the configuration file. */
  fromFile?: ReadonlyMap<string, Setting>;
}>;

/** A text that sets a property, and the flag, variable or line that it comes from. */
export type Setting = { text: string; origin: string; isFromFile?: true };

/**
 * Returns the value of one property: flag, else environment (directly or by a file), else file, else default. An error
 * names the property, the origin, the value unless it may hold a secret, and what the value must be.
 */
export function readProperty<T>(
  property: Property<T>,
  flags: ReadonlyMap<string, string>,
  sources: Sources,
): Parsed<T, string> {
  const found = findSetting(property, flags, sources);
  if (!found.ok) return refuse(`${property.name}: ${found.error}`);
  const setting = found.value;
  if (setting === null || (setting.text === '' && property.optional)) return accept(property.fallback);
  const parsed = property.parse(setting.text, sources.readFile);
  if (parsed.ok) return parsed;
  const value = setting.text === '' ? 'an empty value' : showSetting(property, setting);
  return refuse(`${property.name}: ${value} from ${setting.origin} ${parsed.error}`);
}

/** Returns null where nothing sets the property. An empty variable counts as unset, as in a compose file. */
export function findSetting(
  property: Pick<Property<unknown>, 'name' | 'alias'>,
  flags: ReadonlyMap<string, string>,
  { env, readFile, fromFile }: Sources,
): Parsed<Setting | null, string> {
  const name = environmentName(property);
  const fileName = `${name}_FILE`;
  const [text, path] = [env[name], env[fileName]];
  if (text && path) return refuse(`environment variables ${name} and ${fileName} are both set; set only one`);
  const flag = flags.get(property.name);
  const { alias } = property;
  const aliased = alias && env[alias];
  const conflict = (variable: string) =>
    refuse(`environment variables ${variable} and ${alias} differ; set only one, or both to the same value`);
  if (text && aliased && text !== aliased) return conflict(name);
  if (flag !== undefined) return accept({ text: flag, origin: `flag --${property.name}` });
  if (text) return accept({ text, origin: `environment variable ${name}` });
  if (path) {
    const setting = readSettingFile(path, fileName, readFile);
    return setting.ok && aliased && setting.value.text !== aliased ? conflict(fileName) : setting;
  }
  if (aliased) return accept({ text: aliased, origin: `environment variable ${alias}` });
  return accept(fromFile?.get(property.name) ?? null);
}

/** Quotes the text of a setting, unless it may be a secret. */
export function showSetting(property: Property<unknown>, { text, isFromFile }: Setting): string {
  const isSecret = isFromFile || property.secret;
  return isSecret ? NOT_SHOWN : quote(text, property.confidential ? SECRET_MARKS : /@/);
}

/** Refuses other bytes: replacing them would make another secret. */
export const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Removes one newline at the end, which editors and `echo` add and which is not part of the secret. */
function readSettingFile(path: string, variable: string, readFile: ReadFile): Parsed<Setting, string> {
  try {
    const text = UTF8.decode(readFile(path)).replace(/\r?\n$/, '');
    return accept({ text, origin: `the file that environment variable ${variable} names`, isFromFile: true });
  } catch (error) {
    return refuse(
      `${quote(path)} from environment variable ${variable} cannot be read${describeCode(error)}; it must be the path of a readable text file in UTF-8`,
    );
  }
}

/** Stands in an error for a text that may hold a secret. */
const NOT_SHOWN = 'a value that may hold a secret (not shown)';
/** Characters of URLs with credentials and of connection strings, which words and paths do not have. */
const SECRET_MARKS = /:\/\/|[@?=]/;
const MAX_QUOTED_CHARACTERS = 200;

/** Quotes a text for an error message, escaped and truncated. Hides it where it matches `secretMarks`. */
export function quote(text: string, secretMarks: RegExp = SECRET_MARKS): string {
  if (secretMarks.test(text)) return NOT_SHOWN;
  const truncated = text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
  return JSON.stringify(truncated);
}
