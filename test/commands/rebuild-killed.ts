import { dirname } from 'node:path';
import { rebuildStore } from '../../src/tools/commands/verify-store.ts';
import { testConfig } from '../support/service.ts';

// Rebuilds the store at a path, and kills its own process in the middle of the step with a label.

const [path = '', killedIn] = process.argv.slice(2);
await rebuildStore(testConfig(dirname(path)), {
  begin: ({ label }) => ({
    update: () => void (label === killedIn && process.kill(process.pid, 'SIGKILL')),
    end: () => {},
  }),
});
