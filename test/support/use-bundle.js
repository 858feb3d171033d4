import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

// `npm test` loads this into each process and thread: it leads imports of sources to what `bundle-sources.ts` has built.
// A test file that is run alone, without it, imports the sources. A test may start another version of Node, without hooks.

const PROJECT = new URL('../../', import.meta.url);
const BUNDLE = new URL('node_modules/.cache/postern-tests-bundle/', PROJECT);
const places = new URL('places.json', BUNDLE);

if (existsSync(places)) {
  const bundled = new Map(
    Object.entries(JSON.parse(readFileSync(places, 'utf8'))).map(([path, place]) => [
      new URL(path, PROJECT).href,
      new URL(place, BUNDLE).href,
    ]),
  );
  module.registerHooks?.({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const url = bundled.get(resolved.url);
      return url === undefined ? resolved : { ...resolved, url, format: 'module' };
    },
  });
}
