import { ACCESS_PROPERTIES } from './properties/access.ts';
import { BRAND_PROPERTIES } from './properties/brand.ts';
import { LIMIT_PROPERTIES } from './properties/limits.ts';
import { LINK_PROPERTIES } from './properties/links.ts';
import { NOTIFICATION_PROPERTIES } from './properties/notifications.ts';
import { SERVER_PROPERTIES } from './properties/server.ts';
import { STORE_PROPERTIES } from './properties/stores.ts';
import { environmentName, type Property } from './property.ts';

/** Every property, in the order of `--help` and the documents. Parsing and both tables are made from it. */
export const PROPERTIES = {
  ...SERVER_PROPERTIES,
  ...ACCESS_PROPERTIES,
  ...STORE_PROPERTIES,
  ...LINK_PROPERTIES,
  ...LIMIT_PROPERTIES,
  ...NOTIFICATION_PROPERTIES,
  ...BRAND_PROPERTIES,
};

const HEADINGS = ['property', 'environment', 'default', 'meaning'] as const;

const RULES = `\
Each property is set by a flag (--app.base-url=...), which wins, or in the environment (APP_BASE_URL=...). The
environment may also name a file that holds the value, with _FILE after the name (APP_DATABASE_URL_FILE=...).
--help prints this text, --version the version.
`;

/** Returns the text of `--help` after its usage: the rules, then an aligned line for every property. */
export function helpText(): string {
  const rows = [
    HEADINGS,
    ...Object.values(PROPERTIES).map((property) => {
      const { name, shown, meaning } = property;
      return [name, environmentNames(property).join(' or '), shown, meaning];
    }),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `${RULES}\n${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** Returns the names of the environment variables of a property. */
export function environmentNames(property: Pick<Property<unknown>, 'name' | 'alias'>): string[] {
  return [environmentName(property), ...(property.alias ? [property.alias] : [])];
}
