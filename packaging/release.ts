import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { PROJECT } from '../web/sources.ts';
import { newKey, publicKeyText, readKey, type SigningKey, signatureText } from './minisign.ts';
import { MANIFEST, PACKAGES, run, runIn } from './places.ts';

// `npm run release -- --dry-run` or `--key=FILE`: releases the version that the changelog begins with. Everything is made
// from a commit in a scratch clone, so that a dry run makes the same files and changes nothing but packages/.

const VERSION_COMMAND = ['version', '--no-git-tag-version', '--allow-same-version', '--loglevel=error'];
const USAGE = 'Usage: npm run release -- --dry-run | --key=FILE';

/** Release `version`, whose section of the changelog is `notes`. */
type Release = { version: string; tag: string; notes: string };

/** @throws when the changelog begins with no unreleased version, or the version has a tag */
function nextRelease(): Release {
  const changelog = readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8');
  const [section = ''] = changelog.split(/^(?=## )/m).slice(1);
  const [heading = '', ...lines] = section.split('\n');
  const [, version] = /^## (\d+\.\d+\.\d+(?:-[\w.]+)?) \(unreleased\)$/.exec(heading) ?? [];
  if (version === undefined) {
    throw new Error(`CHANGELOG.md begins with "${heading}". Begin it with "## VERSION (unreleased)"`);
  }
  const tag = `v${version}`;
  if (run('git', 'tag', '--list', tag) !== '')
    throw new Error(`the tag ${tag} exists. Raise the version in CHANGELOG.md`);
  return { version, tag, notes: `${lines.join('\n').trim()}\n` };
}

/** Commits the checkout as it is, with version (also of the images in deploy/) and date, in a clone that has its packages. */
function commitInClone(clone: string, { version, tag }: Release, isDryRun: boolean): void {
  run('git', 'clone', '--quiet', '--shared', '--no-checkout', PROJECT, clone);
  const files = run(
    'git',
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
  ).split('\0');
  const deleted = run('git', 'ls-files', '-z', '--deleted').split('\0');
  for (const path of files.filter((each) => each !== '' && !deleted.includes(each))) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(PROJECT, path), join(clone, path), { verbatimSymlinks: true });
  }
  const { version: former } = MANIFEST;
  const deployed = runIn(clone, 'git', 'grep', '--no-index', '-lFw', former, '--', 'deploy').split('\n');
  for (const path of deployed.map((each) => join(clone, each))) {
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(former, version));
  }
  for (const directory of [clone, join(clone, 'client')])
    runIn(directory, 'npm', ...VERSION_COMMAND, version);
  const changelog = join(clone, 'CHANGELOG.md');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    changelog,
    readFileSync(changelog, 'utf8').replace(`## ${version} (unreleased)`, `## ${version} (${date})`),
  );
  const author = isDryRun ? ['-c', 'user.name=Postern', '-c', 'user.email=postern@localhost'] : [];
  runIn(clone, 'git', 'add', '--all');
  runIn(clone, 'git', ...author, 'commit', '--quiet', `--message=Release ${version}`);
  runIn(clone, 'git', ...author, 'tag', '--annotate', `--message=Postern ${version}`, tag);
  symlinkSync(join(PROJECT, 'node_modules'), join(clone, 'node_modules'));
}

/** Makes the packages, the release notes, the bill of materials, and signed checksums of all of them. */
function makeFiles(clone: string, { version, notes }: Release, key: SigningKey): void {
  const run = (script: string) =>
    execFileSync(process.execPath, [script], { cwd: clone, maxBuffer: 1 << 28 });
  run('packaging/package.ts');
  const made = join(clone, 'packages');
  writeFileSync(join(made, `postern-${version}.cdx.json`), run('docs/make-sbom.ts'));
  writeFileSync(join(made, 'release-notes.md'), notes);
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(made, name)))
      .digest('hex');
  const sums = readdirSync(made)
    .sort()
    .map((name) => `${digest(name)}  ${name}\n`)
    .join('');
  writeFileSync(join(made, 'SHA256SUMS'), sums);
  writeFileSync(join(made, 'SHA256SUMS.minisig'), signatureText(key, sums, `Postern ${version}`));
  writeFileSync(join(made, 'minisign.pub'), publicKeyText(key));
  rmSync(PACKAGES, { recursive: true, force: true });
  cpSync(made, PACKAGES, { recursive: true });
}

/** Makes a release, and without a dry run takes its commit and its tag over. */
function release(isDryRun: boolean, key: SigningKey): void {
  const next = nextRelease();
  if (!isDryRun && run('git', 'status', '--porcelain') !== '') {
    throw new Error('the checkout has changes. Commit or remove them');
  }
  const scratch = mkdtempSync(join(tmpdir(), 'postern-release-'));
  try {
    const clone = join(scratch, 'postern');
    commitInClone(clone, next, isDryRun);
    makeFiles(clone, next, key);
    if (!isDryRun) run('git', 'pull', '--quiet', '--ff-only', '--tags', clone, 'HEAD');
  } finally {
    rmSync(scratch, { recursive: true });
  }
  const outcome = isDryRun
    ? 'dry run, signed with a key of its own; nothing is tagged'
    : `tagged as ${next.tag}`;
  process.stdout.write(`Postern ${next.version} (${outcome}): ${readdirSync(PACKAGES).join(', ')}\n`);
}

try {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean' }, key: { type: 'string' } } });
  const { 'dry-run': isDryRun = false, key } = values;
  if (isDryRun === (key !== undefined)) throw new Error(USAGE);
  release(isDryRun, key === undefined ? newKey() : readKey(readFileSync(key, 'utf8')));
} catch (error) {
  process.stderr.write(`No release: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
