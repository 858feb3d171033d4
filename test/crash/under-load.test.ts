import { describe } from 'node:test';
import { whenKilled } from './killed.ts';
import { whenStopped } from './stopped.ts';

// In parallel, because one of them waits several seconds for the service.
describe('a service under load', { concurrency: true }, () => {
  whenKilled();
  whenStopped();
});
