import { after } from 'node:test';
import { HOUR_MS } from '../../src/core/model/time-units.ts';
import { startService, type TestService } from './service.ts';

// A start takes 200 ms of processor time, so the tests of a file share the services that they leave as they were.

const services = new Map<string, Promise<TestService>>();
const cleanup = new AsyncDisposableStack();
after(() => cleanup.disposeAsync());

/**
 * Returns the service of the test file with these flags, and starts it for the first test that asks for it. For each
 * test its log is empty, and its clock an hour later, when every limit of a minute or of 15 minutes begins anew.
 */
export async function sharedService(...flags: string[]): Promise<TestService> {
  const name = flags.join(' ');
  const starting =
    services.get(name) ?? startService({ after: (hook) => cleanup.defer(async () => hook()) }, { flags });
  services.set(name, starting);
  const service = await starting;
  const linesBefore = service.logged().length;
  const eventsBefore = service.events().length;
  service.clock.now += HOUR_MS;
  return {
    ...service,
    logged: () => service.logged().slice(linesBefore),
    events: () => service.events().slice(eventsBefore),
  };
}
