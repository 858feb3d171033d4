import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { BUILT_PAGES, DIGEST_FILE, digestOfSources, STAGING } from '../src/build-pages.ts';

// `npm run build`: the pages, as they are served. They are put in their place whole, by a rename: a service that
// starts meanwhile reads either the old ones or the new ones.

const PAGES = ['index.html', 'dashboard.html'];

/** What is smaller than a packet is not worth a choice. */
const WORTH_COMPRESSING_BYTES = 1024;

const root = fileURLToPath(new URL('.', import.meta.url));
const digest = digestOfSources();
const staging = mkdtempSync(join(dirname(BUILT_PAGES), STAGING));
try {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // The service may stand below any path of any host.
    base: './',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: staging,
      emptyOutDir: false,
      // A policy that allows nothing inline allows no `data:` either.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { input: PAGES.map((name) => join(root, name)) },
    },
  });
  compressBelow(staging);
  writeFileSync(join(staging, DIGEST_FILE), digest);
  chmodSync(staging, 0o755); // another user may run the service
  putInPlace();
} finally {
  rmSync(staging, { recursive: true, force: true });
}

/** Beside each file that is worth it, the same in brotli and gzip, as small as they make it. */
function compressBelow(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.length < WORTH_COMPRESSING_BYTES) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function putInPlace(): void {
  const former = `${staging}-former`;
  try {
    renameSync(BUILT_PAGES, former);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  renameSync(staging, BUILT_PAGES);
  rmSync(former, { recursive: true, force: true });
}
