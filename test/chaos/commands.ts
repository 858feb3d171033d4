import type { Config } from '../../src/core/config/config.ts';
import { serviceFlags } from '../support/process.ts';
import { testConfig } from '../support/service.ts';
import type { Arena } from './arena.ts';

type Settings = Pick<Arena, 'directory' | 'databaseUrl' | 'flags'>;

/** Returns the flags of a command on the data of a service. */
export function commandFlags({ directory, databaseUrl, flags }: Settings): string[] {
  return [...serviceFlags(directory, 8080, databaseUrl), ...flags];
}

/** Returns the configuration of a service, to open its stores in this process. */
export function configOf({ directory, databaseUrl, flags }: Settings): Config {
  return testConfig(directory, ...(databaseUrl ? [`--app.database.url=${databaseUrl}`] : []), ...flags);
}
