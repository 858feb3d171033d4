import '../src/check-node.js';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// Else V8, once many objects of a kind have survived a collection, allocates all of that kind among the old objects, for
// the life of the process. Garbage there keeps young objects alive: 345 instead of 250 MB, and a tenth fewer requests.
v8.setFlagsFromString('--no-allocation-site-pretenuring');
// Else the heap of each thread may grow to four times its live objects before V8 collects garbage.
v8.setFlagsFromString('--heap-growing-percent=40');

// Starts main.ts with a cache of compiled code, so that later starts neither strip types nor compile, in any thread.
// The cache is not in the system's temporary directory, where other users of the machine could place code.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/postern', import.meta.url)));

await import('./main.ts');
