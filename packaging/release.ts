import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
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
import { namingFiles } from './names.ts';
import { MANIFEST, PACKAGES, REPOSITORY, run, runIn } from './places.ts';

// Releases the version in package.json. `--dry-run` checks everything that a release needs, prepares commit and tag in a
// scratch clone, and makes every file from it: it changes nothing but packages/. `--tag` takes commit and tag over.
// `--key=FILE` completes packages/ at the tag, where the workflow `release` has the packages of every platform.

const USAGE = 'Usage: npm run release -- --dry-run | --tag | --key=FILE';

/** What checksums cannot cover. */
const SIGNATURES = ['SHA256SUMS', 'SHA256SUMS.minisig', 'minisign.pub'] as const;

/** What package.json has until the repository is published. */
const PLACEHOLDER = 'OWNER';

const PLATFORMS = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

/** `notes`: the section of the changelog. `isPrepared`: the section has a date, so the version has its commit. */
type Release = { version: string; tag: string; notes: string; isPrepared: boolean };

/** @throws unless changelog and files name the version of package.json */
function findRelease(): Release {
  const { version } = MANIFEST;
  const [section = ''] = readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8')
    .split(/^(?=## )/m)
    .slice(1);
  const [heading = '', ...lines] = section.split('\n');
  const [, named, state] = /^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$/.exec(heading) ?? [];
  const notes = lines.join('\n').trim();
  if (named !== version || notes === '') {
    throw new Error(
      `package.json has the version ${version}, and CHANGELOG.md begins with "${heading}". Begin it with "## ${version} (unreleased)" and what is new`,
    );
  }
  const stale = namingFiles().filter(({ text, expected }) => text !== expected);
  if (stale.length > 0) {
    throw new Error(
      `${stale.map(({ file }) => file).join(', ')}: another version or repository than package.json. Run npm run docs`,
    );
  }
  return { version, tag: `v${version}`, notes: `${notes}\n`, isPrepared: state !== 'unreleased' };
}

/** Copies the checkout as it is, with its packages, into a clone. An unreleased version gets its date, commit and tag there. */
function prepareInClone(clone: string, { version, tag, isPrepared }: Release, author: string[]): void {
  run('git', 'clone', '--quiet', '--shared', '--no-checkout', PROJECT, clone);
  const listFiles = (...flags: string[]) => run('git', 'ls-files', '-z', ...flags).split('\0');
  const deleted = listFiles('--deleted');
  const files = listFiles('--cached', '--others', '--exclude-standard', '--deduplicate');
  for (const path of files.filter((each) => each !== '' && !deleted.includes(each))) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    cpSync(join(PROJECT, path), join(clone, path), { verbatimSymlinks: true });
  }
  if (!isPrepared) {
    const changelog = join(clone, 'CHANGELOG.md');
    const date = new Date().toISOString().slice(0, 10);
    const text = readFileSync(changelog, 'utf8').replace(`${version} (unreleased)`, `${version} (${date})`);
    writeFileSync(changelog, text);
    runIn(clone, 'git', 'add', '--all');
    runIn(clone, 'git', ...author, 'commit', '--quiet', `--message=Release ${version}`);
    runIn(clone, 'git', ...author, 'tag', '--annotate', `--message=Postern ${version}`, tag);
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(clone, 'node_modules'));
}

/** Adds release notes and bill of materials to the packages of a checkout, and signed checksums of all of them. */
function completeFiles(checkout: string, { version, notes }: Release, key: SigningKey): void {
  const made = join(checkout, 'packages');
  const bill = execFileSync(process.execPath, ['docs/make-sbom.ts'], { cwd: checkout, maxBuffer: 1 << 28 });
  writeFileSync(join(made, `postern-${version}.cdx.json`), bill);
  writeFileSync(join(made, 'release-notes.md'), notes);
  const [sumsName, signatureName, keyName] = SIGNATURES;
  for (const name of SIGNATURES) rmSync(join(made, name), { force: true });
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(made, name)))
      .digest('hex');
  const sums = readdirSync(made)
    .sort()
    .map((name) => `${digest(name)}  ${name}\n`)
    .join('');
  writeFileSync(join(made, sumsName), sums);
  writeFileSync(join(made, signatureName), signatureText(key, sums, `Postern ${version}`));
  writeFileSync(join(made, keyName), publicKeyText(key));
}

/** Prepares the release in a clone, and gives the clone to `use`. */
function inClone(release: Release, author: string[], use: (clone: string) => void): void {
  const scratch = mkdtempSync(join(tmpdir(), 'postern-release-'));
  try {
    const clone = join(scratch, 'postern');
    prepareInClone(clone, release, author);
    use(clone);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Makes every file of the release from a clone. Returns what was done. */
function tryRelease(release: Release): string {
  if (!release.isPrepared) assertNoTag(release);
  inClone(release, ['-c', 'user.name=Postern', '-c', 'user.email=postern@localhost'], (clone) => {
    execFileSync(process.execPath, ['packaging/package.ts'], { cwd: clone });
    completeFiles(clone, release, newKey());
    rmSync(PACKAGES, { recursive: true, force: true });
    cpSync(join(clone, 'packages'), PACKAGES, { recursive: true });
  });
  const missing = REPOSITORY.includes(PLACEHOLDER) ? `; package.json names the repository ${REPOSITORY}` : '';
  const files = readdirSync(PACKAGES).join(', ');
  return `${files} (dry run, signed with a key of its own; nothing is tagged${missing})`;
}

/** Commits the date of the release and tags it. Returns what was done. */
function tagRelease(release: Release): string {
  assertNoTag(release);
  if (release.isPrepared)
    throw new Error(`CHANGELOG.md has a date for ${release.version}. Raise the version in package.json`);
  if (REPOSITORY.includes(PLACEHOLDER))
    throw new Error(`package.json names the repository ${REPOSITORY}. Set its address, and run npm run docs`);
  if (run('git', 'status', '--porcelain') !== '')
    throw new Error('the checkout has changes. Commit or remove them');
  inClone(release, [], (clone) => run('git', 'pull', '--quiet', '--ff-only', '--tags', clone, 'HEAD'));
  return `tagged as ${release.tag}. Push the commit and the tag`;
}

function assertNoTag({ tag }: Release): void {
  if (run('git', 'tag', '--list', tag) !== '')
    throw new Error(`the tag ${tag} exists. Raise the version in package.json`);
}

/** Completes the packages of every platform. Returns what was done. */
function signRelease(release: Release, key: SigningKey): string {
  const { version, tag } = release;
  if (run('git', 'tag', '--points-at', 'HEAD', '--list', tag) === '')
    throw new Error(`the checkout has another commit than the tag ${tag}. Check the tag out`);
  const packages = Object.entries(PLATFORMS).flatMap(([platform, architecture]) => [
    ...['', '.oci.tar'].map((ending) => `postern-${version}-${platform}${ending}`),
    `postern_${version.replace('-', '~')}_${architecture}.deb`,
  ]);
  const missing = [`postern-${version}.tgz`, `postern-client-${version}.tgz`, ...packages].filter(
    (name) => !existsSync(join(PACKAGES, name)),
  );
  if (missing.length > 0)
    throw new Error(`packages/ lacks ${missing.join(', ')}. Make them with npm run package`);
  completeFiles(PROJECT, release, key);
  return `signed for ${tag}`;
}

try {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, tag: { type: 'boolean' }, key: { type: 'string' } },
  });
  if (Object.keys(values).length !== 1) throw new Error(USAGE);
  const release = findRelease();
  let outcome = '';
  if (values.tag) outcome = tagRelease(release);
  else if (values.key === undefined) outcome = tryRelease(release);
  else outcome = signRelease(release, readKey(readFileSync(values.key, 'utf8')));
  process.stdout.write(`Postern ${release.version}: ${outcome}\n`);
} catch (error) {
  process.stderr.write(`No release: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
