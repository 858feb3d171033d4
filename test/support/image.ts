import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { execForm, IMAGE_STAGE, textsOf } from './dockerfile.ts';
import { ROOT, readProjectFile } from './documents.ts';
import { type Running, startCommand } from './process.ts';
import { temporaryDirectory } from './service.ts';

/** The files of the image and how it is run. Every path is below a directory of the test. */
export type Image = {
  workingDirectory: string;
  env: Record<string, string>;
  /** The user of the image; empty where the test does not run as root and cannot change its user. */
  user: { uid: number; gid: number } | Record<string, never>;
  volume: string;
  command: string[];
  healthCheck: string[];
};

/**
 * Lays out the files that the Dockerfile's last stage copies, without a container engine. The packages are
 * those that `npm ci --omit=dev` would install. Only the volume can be written to.
 */
export function layOutImage(t: TestContext): Image {
  // Hooks run in their order: before the directory is removed, which takes rights to write.
  t.after(() => void execFileSync('chmod', ['-R', 'u+rwX', root]));
  const root = temporaryDirectory(t);
  const [home = ''] = textsOf(IMAGE_STAGE, 'WORKDIR');
  const inside = (path: string) => join(root, resolve(home, path));
  mkdirSync(inside('.'), { recursive: true });
  for (const text of textsOf(IMAGE_STAGE, 'COPY')) copy(text, home, inside);

  const [userText = ''] = textsOf(IMAGE_STAGE, 'USER');
  const [uid = 0, gid = 0] = userText.split(':').map(Number);
  const isRoot = process.getuid?.() === 0;
  const [volumeText = ''] = textsOf(IMAGE_STAGE, 'VOLUME');
  const volume = inside(volumeText);
  mkdirSync(volume);
  execFileSync('chmod', ['-R', 'a+rX,a-w', root]);
  chmodSync(volume, 0o700);
  if (isRoot) chownSync(volume, uid, gid);

  return {
    workingDirectory: inside('.'),
    env: Object.fromEntries(
      textsOf(IMAGE_STAGE, 'ENV').map((text) => {
        const [name = '', ...value] = text.split('=');
        return [name, value.join('=').replaceAll(home, inside('.'))];
      }),
    ),
    user: isRoot ? { uid, gid } : {},
    volume,
    command: execForm(textsOf(IMAGE_STAGE, 'CMD')[0] ?? ''),
    healthCheck: execForm(textsOf(IMAGE_STAGE, 'HEALTHCHECK')[0] ?? ''),
  };
}

/** Starts a command in the image, as its user and in its environment alone. */
export function runInImage(
  t: TestContext,
  image: Image,
  command: string[],
  env: Record<string, string> = {},
): Running {
  return startCommand(t, command, {
    cwd: image.workingDirectory,
    env: { ...image.env, ...env },
    ...image.user,
  });
}

/** Does what a COPY instruction does, from the project or from an earlier stage. */
function copy(text: string, home: string, inside: (path: string) => string): void {
  const paths = text.split(/\s+/).filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  for (const source of paths) {
    const path = relative(home, resolve(home, source));
    const place = inside(target.endsWith('/') ? join(target, basename(source)) : target);
    const found = path === 'node_modules' ? [...installedPackages(), 'node_modules/.bin'] : [path];
    for (const each of found) {
      cpSync(join(ROOT, each), join(place, relative(path, each)), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (file) => !LEFT_OUT.test(file),
      });
    }
  }
}

/** Returns the installed packages that are not for development, without those inside others. */
function installedPackages(): string[] {
  const { packages }: { packages: Record<string, { dev?: boolean; devOptional?: boolean }> } = JSON.parse(
    readProjectFile('package-lock.json'),
  );
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional && existsSync(ROOT + path))
    .map(([path]) => path)
    .filter((path) => path.lastIndexOf('node_modules/') === 0);
}

/** The headers that the image leaves out, and files that no program reads: more than half of all files. */
const LEFT_OUT = /\/node-linux-\w+\/include$|\.d\.[cm]?ts$|\.map$/;
