import { closestName } from '../../common/closest-name.ts';
import { codeOf } from '../../common/error-details.ts';
import { describeCode } from '../../core/config/parsers.ts';
import { environmentName, type Property } from '../../core/config/property.ts';
import { quote, type Setting, type Sources, UTF8 } from './read-property.ts';

/** The configuration file that is read where none is named, if it exists. */
export const DEFAULT_CONFIG_FILE = '/etc/postern/postern.conf';

/** The settings of a configuration file by the names of their properties. */
export type ConfigFile = { settings: ReadonlyMap<string, Setting>; errors: string[]; warnings: string[] };

/**
 * Reads lines `name=value`, and skips those that begin with `#`. Reports every line that is wrong, with its number.
 *
 * @param named the path of the flag `--config` or of the variable POSTERN_CONFIG
 */
export function readConfigFile(
  named: string | undefined,
  { readFile, isReadableByAll }: Pick<Sources, 'readFile' | 'isReadableByAll'>,
  properties: readonly Property<unknown>[],
): ConfigFile {
  const path = named ?? DEFAULT_CONFIG_FILE;
  let text: string;
  try {
    text = UTF8.decode(readFile(path));
  } catch (error) {
    const isAbsent = named === undefined && ['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)));
    const problem = `configuration file ${quote(path)} cannot be read${describeCode(error)}; name a readable file in UTF-8`;
    return { settings: new Map(), errors: isAbsent ? [] : [problem], warnings: [] };
  }
  const { settings, errors } = parseLines(path, text, properties);
  const secrets = properties.filter((property) => {
    const setting = settings.get(property.name);
    return setting && (property.secret || (property.confidential && /:\/\/.*@/.test(setting.text)));
  });
  const names = secrets.map(({ name }) => name).join(', ');
  const isExposed = names !== '' && isReadableByAll?.(path) === true;
  const warning = `${path} has ${names}, and every user of this machine can read it. Run: chmod o-rwx ${path}`;
  return { settings, errors, warnings: isExposed ? [warning] : [] };
}

function parseLines(path: string, text: string, properties: readonly Property<unknown>[]) {
  const settings = new Map<string, Setting>();
  const errors: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    const origin = `line ${index + 1} of ${path}`;
    const equalsAt = content.indexOf('=');
    const name = content.slice(0, Math.max(equalsAt, 0)).trim();
    if (name === '') errors.push(`${origin}: must be name=value, or a comment after #`);
    else if (!properties.some((property) => property.name === name)) {
      const suggestion = suggest(name, properties);
      errors.push(
        `${origin}: unknown property ${quote(name)}${suggestion && `, did you mean ${suggestion}?`}`,
      );
    } else if (settings.has(name)) errors.push(`${origin}: ${name} is set more than once; set it once`);
    else settings.set(name, { text: content.slice(equalsAt + 1).trim(), origin });
  }
  return { settings, errors };
}

/** Suggests a property by its own name, or by that of its environment variable. */
function suggest(name: string, properties: readonly Property<unknown>[]): string {
  const byVariable = properties.find((property) => environmentName(property) === name)?.name;
  const names = properties.map((property) => property.name);
  return byVariable ?? closestName(name, names) ?? '';
}
