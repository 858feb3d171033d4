import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readProjectFile } from './documents.ts';

/** A browser that can be started: its binary, and the variables that its environment needs. */
export type ChromiumBinary = { path: string; env: Record<string, string> };

/**
 * Returns the Chromium that `npm ci` installs packed. It is unpacked once into the temporary directory (220 MB),
 * where later runs find it. jsdom has neither layout nor policy nor focus, and Playwright downloads its browsers outside of
 * npm. `TEST_BROWSER` names another Chromium, as on machines that are not Linux on x64.
 */
export function findChromium(): ChromiumBinary {
  const own = process.env['TEST_BROWSER'];
  if (own) return { path: own, env: {} };
  const { version } = JSON.parse(readProjectFile('node_modules/@sparticuz/chromium/package.json'));
  const directory = join(tmpdir(), `postern-chromium-${version}-${process.getuid?.() ?? 'user'}`);
  if (!existsSync(directory)) unpackInto(directory);
  // Another user could have placed a program there.
  const { uid } = lstatSync(directory);
  if (uid !== (process.getuid?.() ?? uid)) throw new Error(`${directory} belongs to another user`);
  return withLibraries(directory);
}

/** Unpacks into a neighbouring directory and renames it, so that parallel runs never see half a browser. */
function unpackInto(directory: string): void {
  const staging = mkdtempSync(`${directory}-`);
  execFileSync(process.execPath, [fileURLToPath(new URL('unpack-chromium.ts', import.meta.url))], {
    // The second variable unpacks the libraries too, which a small Linux may lack.
    env: { ...process.env, TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
  });
  // The same fonts on every machine, so that screenshots can be compared.
  writeFileSync(
    join(staging, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${directory}/fonts/fonts</dir><cachedir>${directory}/fonts-cache</cachedir></fontconfig>`,
  );
  try {
    renameSync(staging, directory);
  } catch (error) {
    rmSync(staging, { recursive: true });
    if (!existsSync(directory)) throw error; // another run was first
  }
}

function withLibraries(directory: string): ChromiumBinary {
  const path = join(directory, 'chromium');
  const env = { FONTCONFIG_FILE: join(directory, 'fonts.conf') };
  const withTheirs = { ...env, LD_LIBRARY_PATH: join(directory, 'al2023', 'lib') };
  return { path, env: starts(path) ? env : withTheirs };
}

/** True when the system has the libraries that the browser needs. Takes 10 ms. */
function starts(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
