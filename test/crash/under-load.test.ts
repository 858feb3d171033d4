import { describe } from 'node:test';
import { whenKilled } from './killed.ts';
import { whenStopped } from './stopped.ts';

// Side by side, because one of them waits nine seconds for the service and does nothing meanwhile.
describe('a service under load', { concurrency: true }, () => {
  whenKilled();
  whenStopped();
});
