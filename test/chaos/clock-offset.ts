import { readFileSync } from 'node:fs';
import process from 'node:process';

// Loaded into a service before it starts (`--import`), and by Node into each of its threads: moves `Date.now` by the
// milliseconds in the file that POSTERN_TEST_CLOCK names. The service reads the time in no other way.

const READ_EVERY_MS = 20;

const path = process.env['POSTERN_TEST_CLOCK'];
if (path !== undefined) {
  const realNow = Date.now;
  let offsetMs = 0;
  const readOffset = (): void => {
    offsetMs = Number(readFileSync(path, 'utf8'));
  };
  readOffset();
  setInterval(readOffset, READ_EVERY_MS).unref();
  Date.now = () => realNow() + offsetMs;
}
