import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackagedNode } from './node-executable.ts';
import { DIST, run } from './places.ts';

/** Where a system has Postern. */
const HOME = 'usr/lib/postern';

/** Begins the program without a shell. The flag bounds the memory of short-lived objects, as in bin/postern. */
const LAUNCHER = `#!/${HOME}/bin/node --max-semi-space-size=8
import '../lib/postern.js';
`;

/** Lays dist/ and Node out below the root of a system: for the Debian package and for the image. */
export function layOutSystem(root: string, node: PackagedNode): void {
  const home = join(root, HOME);
  rmSync(root, { recursive: true, force: true });
  cpSync(DIST, home, { recursive: true, filter: (path) => path !== join(DIST, 'bin') });
  mkdirSync(join(home, 'bin'));
  cpSync(node.executable, join(home, 'bin/node'));
  cpSync(node.license, join(home, 'NODE-LICENSE'));
  writeFileSync(join(home, 'bin/postern'), LAUNCHER);
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  symlinkSync(`/${HOME}/bin/postern`, join(root, 'usr/bin/postern'));
  makeReadable(root);
}

/** Makes all files readable, independent of the umask of the checkout. */
export function makeReadable(root: string): void {
  run('chmod', '-R', 'u=rwX,go=rX', root);
  chmodSync(join(root, HOME, 'bin/postern'), 0o755);
}
