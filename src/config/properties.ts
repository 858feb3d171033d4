import { ACCESS_PROPERTIES } from './properties/access.ts';
import { BRAND_PROPERTIES } from './properties/brand.ts';
import { LIMIT_PROPERTIES } from './properties/limits.ts';
import { LINK_PROPERTIES } from './properties/links.ts';
import { NOTIFICATION_PROPERTIES } from './properties/notifications.ts';
import { SERVER_PROPERTIES } from './properties/server.ts';
import { STORE_PROPERTIES } from './properties/stores.ts';
import type { Property } from './property.ts';

/** Every property, in the order of `--help` and the README. Parsing and both tables are made from it. */
export const PROPERTIES = {
  ...SERVER_PROPERTIES,
  ...ACCESS_PROPERTIES,
  ...STORE_PROPERTIES,
  ...LINK_PROPERTIES,
  ...LIMIT_PROPERTIES,
  ...NOTIFICATION_PROPERTIES,
  ...BRAND_PROPERTIES,
};

/** The names of all properties, and of those whose values no error shows. */
export const PROPERTY_NAMES = {
  all: Object.values(PROPERTIES).map(({ name }) => name),
  confidential: Object.values<Property<unknown>>(PROPERTIES)
    .filter(({ confidential, secret }) => confidential || secret)
    .map(({ name }) => name),
};
