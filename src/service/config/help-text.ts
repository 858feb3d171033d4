import { PROPERTIES_BY_TASK } from '../../core/config/properties.ts';
import { environmentNames } from '../../core/config/property.ts';

const RULES = `\
Each property is set by a flag (--app.base-url=...), which wins, in the environment (APP_BASE_URL=...), or in the
configuration file, whose lines are app.base-url=... or # and a comment. That file is --config=FILE, POSTERN_CONFIG, or
/etc/postern/postern.conf if it exists. The environment may also name a file that holds the value, with _FILE after
the name (APP_DATABASE_URL_FILE=...).
--help prints this text, --version the version.
`;

/** Returns the text of `--help` after its usage: the rules, then every property with its meaning and its default. */
export function helpText(): string {
  const properties = PROPERTIES_BY_TASK.flatMap((task) => task.properties).map((property) => {
    const { name, shown, meaning } = property;
    return `  ${name}  ${environmentNames(property).join(' or ')}\n    ${meaning}\n    default: ${shown}\n`;
  });
  return `${RULES}\n${properties.join('')}`;
}
