import { ACCESS_PROPERTIES } from './properties/access.ts';
import { BRAND_PROPERTIES } from './properties/brand.ts';
import { EVIDENCE_PROPERTIES } from './properties/evidence.ts';
import { HOST_PROPERTIES } from './properties/hosts.ts';
import { LIMIT_PROPERTIES } from './properties/limits.ts';
import { LINK_PROPERTIES } from './properties/links.ts';
import { NOTIFICATION_PROPERTIES } from './properties/notifications.ts';
import { SERVER_PROPERTIES } from './properties/server.ts';
import { STORE_PROPERTIES } from './properties/stores.ts';
import { type Property, type PropertyTable, propertiesIn } from './property.ts';

/** Every property, nested as its value is used. `Config`, parsing, `--help` and the documents are made from it. */
export const PROPERTIES = {
  ...SERVER_PROPERTIES,
  ...HOST_PROPERTIES,
  ...ACCESS_PROPERTIES,
  ...STORE_PROPERTIES,
  ...LINK_PROPERTIES,
  ...LIMIT_PROPERTIES,
  ...NOTIFICATION_PROPERTIES,
  ...EVIDENCE_PROPERTIES,
  ...BRAND_PROPERTIES,
};

/** Every property, in the order of their groups. */
export const ALL_PROPERTIES = propertiesIn(PROPERTIES);

/** The properties that every installation should set. */
const ESSENTIAL: readonly Property<unknown>[] = [
  PROPERTIES.baseUrl,
  PROPERTIES.access.mode,
  PROPERTIES.database.url,
  PROPERTIES.storage.path,
  PROPERTIES.server.trustedProxies,
];

const GROUPS: [title: string, properties: PropertyTable][] = [
  ['Network and log', SERVER_PROPERTIES],
  ['Addresses of links', HOST_PROPERTIES],
  ['Who may do what', ACCESS_PROPERTIES],
  ['Database and storage', STORE_PROPERTIES],
  ['New links and uploads', LINK_PROPERTIES],
  ['Limits of clients', LIMIT_PROPERTIES],
  ['Webhooks and mails', NOTIFICATION_PROPERTIES],
  ['Checkpoints of the log', EVIDENCE_PROPERTIES],
  ['Brand of the pages', BRAND_PROPERTIES],
];

/** Every property once, by task, in the order of `--help` and the documents. */
export const PROPERTIES_BY_TASK = [
  { title: 'The five to set first', properties: ESSENTIAL },
  ...GROUPS.map(([title, group]) => ({
    title,
    properties: propertiesIn(group).filter((property) => !ESSENTIAL.includes(property)),
  })),
];
