import { arePagesFresh } from './sources.ts';

// `npm start` runs this first: it builds the pages where they are missing or their sources have changed. The service
// works without its pages, so no failure here stops the start.

if (!arePagesFresh()) {
  if (isInstalled('vite')) {
    process.stderr.write('Building the pages…\n');
    await import('./build.ts').catch((error) => {
      process.stderr.write(`The pages are not up to date, building them failed: ${error.stack ?? error}\n`);
    });
  } else {
    process.stderr.write(
      'The pages are not up to date: building them needs the development packages. Run `npm ci && npm run build`.\n',
    );
  }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
