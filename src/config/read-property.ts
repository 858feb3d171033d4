import { environmentName, type Property } from './properties.ts';

/** The outside world as the configuration sees it; `readFile` takes a path, gives its text, and may throw. */
export type Sources = Readonly<{
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  readFile: (path: string) => string;
}>;

/** A text that somebody set: which flag or variable it came from, and whether a fault may quote it. */
type Setting = { text: string; origin: string; quotable: boolean };

/** What looking for a setting came to; 'absent' leaves the property at its default. */
type Found = { kind: 'absent' } | { kind: 'set'; setting: Setting } | { kind: 'fault'; fault: string };

export type Read<T> = { ok: true; value: T } | { ok: false; fault: string };

/**
 * The value of one property: flag, else environment (directly or by a file), else default. A fault names the
 * property, the origin, the offending value unless it may hold a secret, and what would be right.
 */
export function readProperty<T>(
  property: Property<T>,
  flags: ReadonlyMap<string, string>,
  sources: Sources,
): Read<T> {
  const found = findSetting(property, flags, sources);
  if (found.kind === 'fault') return { ok: false, fault: `${property.name}: ${found.fault}` };
  if (found.kind === 'absent') return { ok: true, value: property.fallback };
  const { text, origin, quotable } = found.setting;
  if (text === '' && property.optional) return { ok: true, value: property.fallback };
  const parsed = property.parse(text);
  if (parsed.ok) return parsed;
  const secretMarks = property.confidential ? SECRET_MARKS : /@/;
  const quoted = quotable ? quote(text, secretMarks) : NOT_SHOWN;
  const offender = text === '' ? 'an empty value' : quoted;
  return { ok: false, fault: `${property.name}: ${offender} from ${origin} ${parsed.problem}` };
}

/** An empty variable counts as unset, so that a compose file may pass on variables which nobody set. */
function findSetting(
  property: Pick<Property<unknown>, 'name' | 'alias'>,
  flags: ReadonlyMap<string, string>,
  { env, readFile }: Sources,
): Found {
  const name = environmentName(property);
  const fileName = `${name}_FILE`;
  const direct = env[name] || undefined;
  const path = env[fileName] || undefined;
  if (direct !== undefined && path !== undefined) {
    return {
      kind: 'fault',
      fault: `environment variables ${name} and ${fileName} are both set; set only one`,
    };
  }
  const flag = flags.get(property.name);
  if (flag !== undefined) return quotableSetting(flag, `flag --${property.name}`);
  if (direct !== undefined) return quotableSetting(direct, `environment variable ${name}`);
  if (path !== undefined) return readSettingFile(path, fileName, readFile);
  const aliased = property.alias ? env[property.alias] : undefined;
  return aliased ? quotableSetting(aliased, `environment variable ${property.alias}`) : { kind: 'absent' };
}

function quotableSetting(text: string, origin: string): Found {
  return { kind: 'set', setting: { text, origin, quotable: true } };
}

/** Editors and `echo` end a file with a newline that is no part of the secret; one is taken off. */
function readSettingFile(path: string, variable: string, readFile: Sources['readFile']): Found {
  try {
    const text = readFile(path).replace(/\r?\n$/, '');
    const origin = `the file that environment variable ${variable} names`;
    return { kind: 'set', setting: { text, origin, quotable: false } };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return {
      kind: 'fault',
      fault: `${quote(path)} from environment variable ${variable} cannot be read${reason}; it must be the path of a readable text file`,
    };
  }
}

const NOT_SHOWN = 'a value that may hold a secret (not shown)';
/** What URLs with credentials, connection strings and their parameters have, and plain words and paths lack. */
const SECRET_MARKS = /:\/\/|[@?=]/;
const MAX_QUOTED_CHARACTERS = 200;

/** A text for a fault, escaped and cut; not shown where it has one of the marks of a secret. */
export function quote(text: string, secretMarks: RegExp = SECRET_MARKS): string {
  if (secretMarks.test(text)) return NOT_SHOWN;
  const cut = text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text;
  return JSON.stringify(cut);
}
