import { buildPagesWhereNeeded } from '../../src/build-pages.ts';

// What `npm test` runs first, so that no two test files build at once.
const pages = await buildPagesWhereNeeded();
if (pages.kind === 'UNAVAILABLE') throw new Error(`The pages are not up to date: ${pages.reason}`);
