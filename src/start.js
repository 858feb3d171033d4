import module from 'node:module';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 26;
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(
    `Postern needs Node ${OLDEST_NODE}, this is ${process.versions.node}. ` +
      'Start it with `npm start` after `npm ci`, which brings its own, or with a newer Node.\n',
  );
  process.exit(1);
}

// How `npm start` starts main.ts: from the second start on nothing is stripped of its types or compiled again,
// in no thread. In JavaScript, because what strips types is what should not be loaded. Not in the system's
// temporary directory, where other users of the machine could leave code for us.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/postern', import.meta.url)));

const { buildPagesWhereNeeded } = await import('./build-pages.ts');
const pages = await buildPagesWhereNeeded();
if (pages.kind === 'UNAVAILABLE') process.stderr.write(`The pages are not up to date: ${pages.reason}\n`);

await import('./main.ts');
