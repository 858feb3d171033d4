import { arePagesFresh } from './sources.ts';

// `npm start` runs this first: it builds the pages where they are missing or their sources have changed. The service
// works without its pages, so no failure here stops the start.

if (!arePagesFresh()) {
  process.stderr.write('Building the pages…\n');
  await import('./build.ts').catch((error) => {
    const cause =
      error.code === 'ERR_MODULE_NOT_FOUND'
        ? 'building them needs the development packages. Run `npm ci && npm run build`.'
        : `building them failed: ${error.stack ?? error}`;
    process.stderr.write(`The pages are not up to date: ${cause}\n`);
  });
}
