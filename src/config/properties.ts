import { ACCESS_PROPERTIES } from './properties/access.ts';
import { LIMIT_PROPERTIES } from './properties/limits.ts';
import { LINK_PROPERTIES } from './properties/links.ts';
import { SERVER_PROPERTIES } from './properties/server.ts';
import { STORE_PROPERTIES } from './properties/stores.ts';

/** Every property, in the order of `--help` and the README. Parsing and both tables are made from it. */
export const PROPERTIES = {
  ...SERVER_PROPERTIES,
  ...ACCESS_PROPERTIES,
  ...STORE_PROPERTIES,
  ...LINK_PROPERTIES,
  ...LIMIT_PROPERTIES,
};
