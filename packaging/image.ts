import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execForm, IMAGE_STAGE, textsOf } from './dockerfile.ts';
import { layOutImageRoot } from './image-root.ts';
import type { PackagedNode } from './node-executable.ts';
import { commitTimeSeconds, IMAGE, MANIFEST, PACKAGE_NAME, PACKAGES, REPOSITORY, run } from './places.ts';

// Makes the image as an OCI image layout in one tar file, without a container engine. What it runs is that of the last
// stage of the Dockerfile, which makes the same root with an engine.

const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

/** What changes with each version is in a layer of its own, below this path. */
const POSTERN = './usr/lib/postern';

type Descriptor = { mediaType: string; digest: string; size: number };
type Layer = Descriptor & { diffId: string };

/**
 * Makes the image. Returns its path.
 *
 * @throws without the rights of root, because the volume belongs to another user
 */
export function makeImage(node: PackagedNode): string {
  if (process.getuid?.() !== 0)
    throw new Error('An image has files of several users: run this as root or in fakeroot');
  const scratch = mkdtempSync(join(tmpdir(), 'postern-image-'));
  try {
    const root = join(scratch, 'root');
    layOutImageRoot(root, node);
    const layout = join(scratch, 'layout');
    mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
    writeLayout(layout, [
      addLayer(layout, root, [`--exclude=${POSTERN}/lib`, `--exclude=${POSTERN}/web`, '.']),
      addLayer(layout, root, [`${POSTERN}/lib`, `${POSTERN}/web`]),
    ]);
    const path = join(PACKAGES, `${PACKAGE_NAME}.oci.tar`);
    writeTar(path, layout, ['.']);
    return path;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Writes a tar file of files below a directory, the same for the same files. Owners are kept. */
function writeTar(target: string, directory: string, args: readonly string[]): void {
  const fixed = ['--sort=name', '--numeric-owner', `--mtime=@${commitTimeSeconds()}`, '--format=ustar'];
  run('tar', '--create', `--file=${target}`, `--directory=${directory}`, ...fixed, ...args);
}

function addLayer(layout: string, root: string, args: readonly string[]): Layer {
  const file = join(layout, 'layer.tar');
  writeTar(file, root, args);
  const bytes = readFileSync(file);
  rmSync(file);
  return { ...addBlob(layout, 'layer.v1.tar+gzip', gzipSync(bytes)), diffId: digestOf(bytes) };
}

const digestOf = (bytes: string | Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function addBlob(layout: string, type: string, bytes: string | Buffer): Descriptor {
  const digest = digestOf(bytes);
  writeFileSync(join(layout, 'blobs', digest.replace(':', '/')), bytes);
  return { mediaType: `application/vnd.oci.image.${type}`, digest, size: Buffer.byteLength(bytes) };
}

function writeLayout(layout: string, layers: readonly Layer[]): void {
  const platform = { architecture: ARCHITECTURES[process.arch] ?? process.arch, os: 'linux' };
  const labels = labelsOf();
  const config = addBlob(
    layout,
    'config.v1+json',
    JSON.stringify({
      created: labels['org.opencontainers.image.created'],
      ...platform,
      config: settings(labels),
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: layers.map(() => ({ created_by: 'npm run package -- image' })),
    }),
  );
  const manifest = addBlob(
    layout,
    'manifest.v1+json',
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config,
      layers: layers.map(({ diffId: _, ...descriptor }) => descriptor),
      annotations: labels,
    }),
  );
  const annotations = {
    'org.opencontainers.image.ref.name': MANIFEST.version,
    'io.containerd.image.name': `${IMAGE}:${MANIFEST.version}`, // for docker load
  };
  writeFileSync(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, platform, annotations }] }),
  );
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
}

/** Returns how the image is run: what the last stage of the Dockerfile says. */
function settings(labels: Record<string, string>): object {
  const [healthCheck = ''] = textsOf(IMAGE_STAGE, 'HEALTHCHECK');
  const options = new Map(
    [...` ${healthCheck}`.matchAll(/ --([a-z]+(?:-[a-z]+)?)=(\d+)/g)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  );
  const nanoseconds = (name: string) => (options.get(name) ?? 0) * 1e9;
  const [port = ''] = textsOf(IMAGE_STAGE, 'EXPOSE');
  const [volume = ''] = textsOf(IMAGE_STAGE, 'VOLUME');
  return {
    User: textsOf(IMAGE_STAGE, 'USER')[0],
    Env: textsOf(IMAGE_STAGE, 'ENV'),
    WorkingDir: textsOf(IMAGE_STAGE, 'WORKDIR')[0],
    Cmd: execForm(textsOf(IMAGE_STAGE, 'CMD')[0] ?? ''),
    ExposedPorts: { [`${port}/tcp`]: {} },
    Volumes: { [volume]: {} },
    Healthcheck: {
      Test: ['CMD', ...execForm(healthCheck)],
      Interval: nanoseconds('interval'),
      Timeout: nanoseconds('timeout'),
      StartPeriod: nanoseconds('start-period'),
      StartInterval: nanoseconds('start-interval'),
      Retries: options.get('retries'),
    },
    Labels: labels,
  };
}

function labelsOf(): Record<string, string> {
  const name = 'org.opencontainers.image';
  return {
    [`${name}.title`]: 'Postern',
    [`${name}.description`]: MANIFEST.description,
    [`${name}.licenses`]: MANIFEST.license,
    [`${name}.source`]: REPOSITORY,
    [`${name}.version`]: MANIFEST.version,
    [`${name}.revision`]: run('git', 'rev-parse', 'HEAD'),
    [`${name}.created`]: new Date(Number(commitTimeSeconds()) * 1000).toISOString(),
  };
}
