import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// How `npm start` starts main.ts: from the second start on nothing is stripped of its types or compiled again,
// in no thread. In JavaScript, because what strips types is what should not be loaded. Not in the system's
// temporary directory, where other users of the machine could leave code for us.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/postern', import.meta.url)));

await import('./main.ts');
