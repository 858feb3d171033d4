import '../src/check-node.js';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Starts main.ts with the cache of compiled code that the service uses too.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/postern', import.meta.url)));

await import('./main.ts');
