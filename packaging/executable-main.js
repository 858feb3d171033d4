import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';

// Begins the single executable: unpacks the files of dist/ once for each version, and starts the program from there.
// Threads and pages need files.

/** The asset that names the directory: the version and the digest of all files. */
const NAME = 'name';

/** Returns the directory of the unpacked files, which only this user can write to. */
function unpack() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'postern');
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(cache);
  // On Windows, files have neither, and the profile of a user is closed to others.
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) {
    throw new Error(
      `other users can write to ${cache}; make it your own with mode 700, or name another parent`,
    );
  }
  const directory = join(cache, getAsset(NAME, 'utf8'));
  if (existsSync(directory)) return directory;
  const incoming = mkdtempSync(join(cache, 'incoming-'));
  for (const path of getAssetKeys().filter((key) => key !== NAME)) {
    mkdirSync(dirname(join(incoming, path)), { recursive: true });
    writeFileSync(join(incoming, path), new Uint8Array(getRawAsset(path)));
  }
  try {
    renameSync(incoming, directory);
  } catch (error) {
    rmSync(incoming, { recursive: true });
    if (!existsSync(directory)) throw error; // else another process was faster
  }
  return directory;
}

/** Returns the file to run: that of the first argument if the program starts one of its own files as a process. */
function findScript() {
  const [, , script = ''] = process.argv;
  if (isAbsolute(script) && script.endsWith('.js')) {
    process.argv.splice(1, 1);
    return script;
  }
  try {
    return join(unpack(), 'lib/postern.js');
  } catch (error) {
    process.stderr.write(
      `Postern cannot unpack its files: ${error.message}. The environment variable XDG_CACHE_HOME names the parent.\n`,
    );
    return process.exit(1);
  }
}

// The embedded program itself can import nothing but what Node contains.
process.argv[1] = findScript();
createRequire(import.meta.url)('node:module').runMain();
