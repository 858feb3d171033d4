import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the path of the Node that packages contain: the one that runs this program. */
export function nodeExecutable(): string {
  return realpathSync(process.execPath);
}

/** Returns the path of its licence, which covers the libraries in it. */
export function nodeLicense(): string {
  return join(dirname(dirname(nodeExecutable())), 'LICENSE');
}
