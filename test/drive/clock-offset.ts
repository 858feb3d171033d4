import { readFileSync } from 'node:fs';

// Loaded into a service before it starts (`--import`), and by Node into each of its threads: moves `Date.now` by the
// milliseconds in a file. The URL of this module names it, because threads get no environment. The service reads the
// time in no other way.

const READ_EVERY_MS = 20;

const path = new URL(import.meta.url).searchParams.get('file');
if (path !== null) {
  const realNow = Date.now;
  let offsetMs = 0;
  const readOffset = (): void => {
    offsetMs = Number(readFileSync(path, 'utf8'));
  };
  readOffset();
  setInterval(readOffset, READ_EVERY_MS).unref();
  Date.now = () => realNow() + offsetMs;
}
