import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type PackagedNode, withNode } from './node-executable.ts';
import { run } from './places.ts';
import { layOutSystem } from './system-tree.ts';

/** The user of the image, a number, so that Kubernetes can check that it is not root. */
export const USER_ID = 65532;

/** What the user may write to: the volume, and the cache of compiled code. */
const WRITABLE = ['opt/postern/data', 'var/cache/postern'];

/**
 * Lays the root of the image out: Postern, Node, and the libraries of this Debian that Node is linked with. There is no
 * shell and no other program.
 */
export function layOutImageRoot(root: string, node: PackagedNode): void {
  layOutSystem(root, node);
  symlinkSync('../lib/postern/bin/node', join(root, 'usr/bin/node'));
  for (const name of ['bin', 'lib', 'lib64']) {
    mkdirSync(join(root, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const library of librariesOf(node.executable)) copyLibrary(root, library);
  writeIn(root, 'etc/passwd', `root:x:0:0::/:/none\npostern:x:${USER_ID}:${USER_ID}::/opt/postern:/none\n`);
  writeIn(root, 'etc/group', `root:x:0:\npostern:x:${USER_ID}:\n`);
  for (const name of ['dev', 'proc', 'sys', 'tmp', ...WRITABLE])
    mkdirSync(join(root, name), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const path of WRITABLE) {
    chmodSync(join(root, path), 0o700);
    if (process.getuid?.() === 0) chownSync(join(root, path), USER_ID, USER_ID);
  }
}

/** Returns the paths of the libraries that a program is linked with, with that of the loader. */
function librariesOf(program: string): string[] {
  const listed = run('ldd', program).matchAll(/(?:^[ \t]*|=> )(\/\S+) \(0x/gm);
  return [...listed].map(([, path = '']) => path);
}

/** Copies a library, the licence of its package, and what scanners for vulnerabilities read about that. */
function copyLibrary(root: string, library: string): void {
  const file = realpathSync(library);
  writeIn(root, library, undefined);
  cpSync(file, join(root, library));
  // Packages of Debian 12 name some files by the former place.
  const place = [file, file.replace(/^\/usr/, '')].join('\n');
  const owner = run('sh', '-c', 'dpkg-query --search $0 2>/dev/null || true', place).split(':')[0] ?? '';
  const copyright = `/usr/share/doc/${owner}/copyright`;
  if (owner === '' || !existsSync(copyright))
    throw new Error(`No Debian package with a licence has ${library}`);
  writeIn(root, copyright, undefined);
  cpSync(realpathSync(copyright), join(root, copyright));
  writeIn(root, `var/lib/dpkg/status.d/${owner}`, `${run('dpkg-query', '--status', owner)}\n`);
}

/** Writes a text below the root, or only makes the directory for a file. */
function writeIn(root: string, path: string, text: string | undefined): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  if (text !== undefined) writeFileSync(join(root, path), text);
}

// The Dockerfile runs this file.
const [, , target] = process.argv;
if (import.meta.main && target !== undefined) await withNode((node) => layOutImageRoot(target, node));
