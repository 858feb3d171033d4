import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../web/sources.ts';
import type { PackagedNode } from './node-executable.ts';
import { commitTimeSeconds, filesBelow, MANIFEST, PACKAGES, REPOSITORY, run } from './places.ts';
import { layOutSystem, makeReadable } from './system-tree.ts';

const SOURCES = join(PROJECT, 'packaging/debian');
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

/** Where the service keeps compiled code. */
const CACHE = `Environment=NODE_ENV=production
Environment=NODE_COMPILE_CACHE=/var/cache/postern
CacheDirectory=postern
CacheDirectoryMode=0700
`;

/** What the documents of operations tell administrators to copy, and these documents. */
const EXAMPLES = ['deploy/reverse-proxy', 'deploy/prometheus', 'deploy/grafana', 'docs/operations'];

/** Makes the Debian package, with dpkg-deb. Returns its path. */
export function makeDebianPackage(node: PackagedNode): string {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`There is no Debian package for ${process.arch}`);
  const scratch = mkdtempSync(join(tmpdir(), 'postern-debian-'));
  try {
    const root = join(scratch, 'root');
    layOutSystem(root, node);
    addSystemFiles(root);
    makeReadable(root);
    addControlFiles(root, architecture);
    const path = join(PACKAGES, `${MANIFEST.name}_${debianVersion()}_${architecture}.deb`);
    process.env['SOURCE_DATE_EPOCH'] = commitTimeSeconds();
    run('dpkg-deb', '--root-owner-group', '-Zzstd', '--build', root, path);
    return path;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Returns the version in Debian's words, in which `~` sorts a pre-release before its release. */
function debianVersion(): string {
  return MANIFEST.version.replace('-', '~');
}

function addSystemFiles(root: string): void {
  const documents = join(root, 'usr/share/doc/postern');
  const files = {
    'postern.conf': join(root, 'usr/share/postern/postern.conf'),
    'README.Debian': join(documents, 'README.Debian'),
    '../../LICENSE': join(documents, 'copyright'),
    '../../CHANGELOG.md': join(documents, 'CHANGELOG.md'),
  };
  for (const [source, target] of Object.entries(files)) cpSync(join(SOURCES, source), target);
  for (const name of EXAMPLES) {
    cpSync(join(PROJECT, name), join(documents, 'examples', name), { recursive: true });
  }
  const units = join(root, 'usr/lib/systemd/system');
  mkdirSync(units, { recursive: true });
  writeFileSync(join(units, 'postern.service'), debianUnit());
}

/** Returns the unit for a checkout with the places of the package. Settings are in the configuration file instead. */
export function debianUnit(): string {
  return readFileSync(join(PROJECT, 'deploy/systemd/postern.service'), 'utf8')
    .replaceAll(/^Environment=.*\n/gm, '')
    .replace('ExecStart=/opt/postern/bin/', 'ExecStart=/usr/bin/')
    .replace('WorkingDirectory=/opt/postern', 'WorkingDirectory=/var/lib/postern')
    .replace('StateDirectory=', `${CACHE}StateDirectory=`);
}

function addControlFiles(root: string, architecture: string): void {
  const installed = filesBelow(root).reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
  const control = join(root, 'DEBIAN');
  mkdirSync(control);
  writeFileSync(
    join(control, 'control'),
    [
      `Package: ${MANIFEST.name}`,
      `Version: ${debianVersion()}`,
      `Architecture: ${architecture}`,
      'Maintainer: Postern <root@localhost>',
      `Homepage: ${REPOSITORY}`,
      'Section: web',
      'Priority: optional',
      // What the Node in the package is linked with.
      'Depends: libc6 (>= 2.28), libstdc++6 (>= 5.1), libatomic1, adduser',
      `Installed-Size: ${Math.ceil(installed / 1024)}`,
      `Description: ${MANIFEST.description}`,
      '',
    ].join('\n'),
  );
  for (const script of ['postinst', 'prerm', 'postrm']) {
    cpSync(join(SOURCES, script), join(control, script));
    chmodSync(join(control, script), 0o755);
  }
}
