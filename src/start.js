import './check-node.js';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Starts main.ts with a cache of compiled code, so that later starts neither strip types nor compile, in any thread.
// The cache is not in the system's temporary directory, where other users of the machine could place code.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/postern', import.meta.url)));

await import('./main.ts');
