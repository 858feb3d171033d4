import { ACCESS_PROPERTIES } from './properties/access.ts';
import { BRAND_PROPERTIES } from './properties/brand.ts';
import { HOST_PROPERTIES } from './properties/hosts.ts';
import { LIMIT_PROPERTIES } from './properties/limits.ts';
import { LINK_PROPERTIES } from './properties/links.ts';
import { NOTIFICATION_PROPERTIES } from './properties/notifications.ts';
import { SERVER_PROPERTIES } from './properties/server.ts';
import { STORE_PROPERTIES } from './properties/stores.ts';
import { environmentName, type Property } from './property.ts';

/** Every property. Parsing, `--help` and the documents are made from it. */
export const PROPERTIES = {
  ...SERVER_PROPERTIES,
  ...HOST_PROPERTIES,
  ...ACCESS_PROPERTIES,
  ...STORE_PROPERTIES,
  ...LINK_PROPERTIES,
  ...LIMIT_PROPERTIES,
  ...NOTIFICATION_PROPERTIES,
  ...BRAND_PROPERTIES,
};

/** The properties that every installation should set. */
const ESSENTIAL: readonly Property<unknown>[] = [
  PROPERTIES.baseUrl,
  PROPERTIES.access,
  PROPERTIES.database,
  PROPERTIES.storagePath,
  PROPERTIES.trustedProxies,
];

const GROUPS: [title: string, properties: Record<string, Property<unknown>>][] = [
  ['Network and log', SERVER_PROPERTIES],
  ['Addresses of links', HOST_PROPERTIES],
  ['Who may do what', ACCESS_PROPERTIES],
  ['Database and storage', STORE_PROPERTIES],
  ['New links and uploads', LINK_PROPERTIES],
  ['Limits of clients', LIMIT_PROPERTIES],
  ['Webhooks and mails', NOTIFICATION_PROPERTIES],
  ['Brand of the pages', BRAND_PROPERTIES],
];

/** Every property once, by task, in the order of `--help` and the documents. */
export const PROPERTIES_BY_TASK = [
  { title: 'The five to set first', properties: ESSENTIAL },
  ...GROUPS.map(([title, group]) => ({
    title,
    properties: Object.values(group).filter((property) => !ESSENTIAL.includes(property)),
  })),
];

const RULES = `\
Each property is set by a flag (--app.base-url=...), which wins, in the environment (APP_BASE_URL=...), or in the
configuration file, whose lines are app.base-url=... and comments after #. That file is --config=FILE, POSTERN_CONFIG, or
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

/** Returns the names of the environment variables of a property. */
export function environmentNames(property: Pick<Property<unknown>, 'name' | 'alias'>): string[] {
  return [environmentName(property), ...(property.alias ? [property.alias] : [])];
}
