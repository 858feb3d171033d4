import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { inOtherRoot } from './other-root.ts';
import { type Running, startCommand } from './process.ts';
import { temporaryDirectory } from './service.ts';

type Descriptor = { digest: string; size: number };
/** The configuration of an image, as the OCI specification names its parts. */
type Settings = {
  User: string;
  Env: string[];
  WorkingDir: string;
  Cmd: string[];
  Volumes: Record<string, object>;
  Healthcheck: { Test: string[] };
  Labels: Record<string, string>;
};

/** The unpacked image, and the directory in place of its volume. */
export type Image = { root: string; volume: string; settings: Settings; user: { uid: number; gid: number } };

/** Unpacks an image as a container engine does, with each digest checked. */
export function unpackImage(t: TestContext, path: string): Image {
  const directory = temporaryDirectory(t);
  const [layout, root, volume] = ['layout', 'root', 'volume'].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ]; // one for each
  for (const made of [layout, root, volume]) mkdirSync(made);
  execFileSync('tar', ['--extract', '--file', path, '--directory', layout]);
  const pathOf = ({ digest, size }: Descriptor): string => {
    const blob = join(layout, 'blobs', digest.replace(':', '/'));
    const bytes = readFileSync(blob);
    assert.equal(bytes.length, size);
    assert.equal(`sha256:${createHash('sha256').update(bytes).digest('hex')}`, digest);
    return blob;
  };
  const index: { manifests: [Descriptor] } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8'));
  const manifest: { config: Descriptor; layers: Descriptor[] } = JSON.parse(
    readFileSync(pathOf(index.manifests[0]), 'utf8'),
  );
  for (const layer of manifest.layers) {
    execFileSync('tar', [
      '--extract',
      '--gzip',
      '--file',
      pathOf(layer),
      '--directory',
      root,
      '--numeric-owner',
    ]);
  }
  const { config: settings }: { config: Settings } = JSON.parse(
    readFileSync(pathOf(manifest.config), 'utf8'),
  );
  const [uid = 0, gid = 0] = settings.User.split(':').map(Number);
  chownSync(volume, uid, gid); // a new volume inherits the owner of its place
  return { root, volume, settings, user: { uid, gid } };
}

/** Starts a command in the image, as its user and in its environment alone. */
export function runInImage(
  t: TestContext,
  { root, volume, settings, user }: Image,
  command: readonly string[],
  options: { env?: Record<string, string>; isReadOnly?: boolean } = {},
): Running {
  const { env, isReadOnly = false } = options;
  const [place = ''] = Object.keys(settings.Volumes);
  const entered = inOtherRoot(
    {
      ...{ path: root, user, workingDirectory: settings.WorkingDir },
      volume: { path: place, contents: volume, isAllElseReadOnly: isReadOnly },
    },
    command,
  );
  const own = settings.Env.map((text) => [text.split('=')[0] ?? '', text.split('=').slice(1).join('=')]);
  return startCommand(t, entered, { env: { ...Object.fromEntries(own), ...env } });
}
