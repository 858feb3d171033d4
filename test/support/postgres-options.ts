import type { PostgresLocation } from '../../src/common/locations.ts';
import { testConfig } from './service.ts';

export type PostgresOptions = PostgresLocation & { poolSize: number };

/** The options that the configuration derives from a URL. */
export function postgresOptions(url: string, ...flags: string[]): PostgresOptions {
  const { database } = testConfig('unused', `--app.database.url=${url}`, ...flags);
  if (database.kind !== 'postgres') throw new TypeError(`${url} is no URL of PostgreSQL`);
  return database;
}
