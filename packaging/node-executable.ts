import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { MANIFEST, run } from './places.ts';

/** The paths of a Node for packages and of its licence, which covers the libraries in it. */
export type PackagedNode = { executable: string; license: string };

/** Where Node is published. `archive`: the path of an archive that was downloaded before, beside its checksums. */
export type NodeSource = { version: string; mirror: string; archive?: string | undefined };

const CHECKSUMS = 'SHASUMS256.txt';
const CONNECT_TIMEOUT_MS = 15_000;
const DOWNLOAD_TIMEOUT_MS = 600_000;

/** Calls `use` with the Node of its publisher, or with the pinned one where the publisher cannot be reached. */
export async function withNode<T>(use: (node: PackagedNode) => T | Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'postern-node-'));
  const { POSTERN_NODE_MIRROR: mirror = 'https://nodejs.org/dist', POSTERN_NODE_ARCHIVE: archive } =
    process.env;
  const platform = `-${process.platform}-${process.arch}`;
  const [, version] =
    Object.entries(MANIFEST.optionalDependencies).find(([name]) => name.endsWith(platform)) ?? [];
  try {
    const { node, origin } =
      version === undefined
        ? pinnedNode(`there is no archive for ${process.platform}`)
        : await findNode(directory, { version, mirror, archive });
    process.stderr.write(`The packages contain ${origin}.\n`);
    return await use(node);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

type Found = { node: PackagedNode; origin: string };

/**
 * Unpacks the Node of its publisher into a directory. Where the publisher cannot be reached, returns the pinned Node.
 *
 * @throws when the archive does not have its published checksum, or the publisher does not have it
 */
export async function findNode(directory: string, { version, mirror, archive }: NodeSource): Promise<Found> {
  const name = `node-v${version}-${process.platform}-${process.arch}`;
  const file = archive === undefined ? `${name}.tar.gz` : basename(archive);
  const place = archive === undefined ? `${mirror}/v${version}` : dirname(archive);
  const read = async (path: string, timeoutMs: number): Promise<Buffer> =>
    archive === undefined ? download(path, timeoutMs) : readFileSync(path);
  if (archive !== undefined && !existsSync(join(place, CHECKSUMS))) {
    throw new Error(`${place} has no ${CHECKSUMS}: download it too, from where the archive came from`);
  }

  const checksums = await read(`${place}/${CHECKSUMS}`, CONNECT_TIMEOUT_MS).catch((error: unknown) => {
    if (!(error instanceof Unreachable)) throw error;
    return error;
  });
  if (checksums instanceof Unreachable) return pinnedNode(checksums.message);
  const bytes = await read(`${place}/${file}`, DOWNLOAD_TIMEOUT_MS);
  assertChecksum(bytes, { file, place, checksums: checksums.toString() });
  const path = join(directory, file);
  writeFileSync(path, bytes);
  const members = ['bin/node', 'LICENSE'].map((member) => `${name}/${member}`);
  run('tar', '--extract', `--file=${path}`, `--directory=${directory}`, '--no-same-owner', ...members);
  const root = join(directory, name);
  const node = { executable: join(root, 'bin/node'), license: join(root, 'LICENSE') };
  return { node, origin: `Node ${version} of ${place}, with its published checksum` };
}

/** Without a connection, packages can still be made. */
class Unreachable extends Error {}

async function download(url: string, timeoutMs: number): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new Unreachable(`${new URL(url).host} cannot be reached (${message})`);
  });
  if (!response.ok) {
    throw new Error(
      `${url}: HTTP ${response.status}. Name another place in POSTERN_NODE_MIRROR, or an archive in POSTERN_NODE_ARCHIVE`,
    );
  }
  return Buffer.from(await response.arrayBuffer());
}

function assertChecksum(
  bytes: Buffer,
  { file, place, checksums }: { file: string; place: string; checksums: string },
): void {
  const lines = checksums.split('\n').map((line) => line.trim().split(/ +/));
  const [expected] = lines.find(([, name]) => name === file) ?? [];
  if (expected === undefined) throw new Error(`${place}/${CHECKSUMS} does not list ${file}`);
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual === expected) return;
  throw new Error(
    `${place}/${file} has the SHA-256 ${actual}, but ${CHECKSUMS} says ${expected}: it is damaged or was replaced. ` +
      'Download it again; nothing was made of it',
  );
}

/** Returns the Node that runs this program: that of the npm package, if npm runs it. */
function pinnedNode(reason: string): Found {
  const executable = realpathSync(process.execPath);
  return {
    node: { executable, license: join(dirname(dirname(executable)), 'LICENSE') },
    origin: `Node ${process.versions.node} of the npm package, because ${reason}`,
  };
}
