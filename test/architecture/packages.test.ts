import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { codeIn, ROOT, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import {
  type Kind,
  LOCKED,
  packageAt,
  placesFor,
  runtimePlaces,
  type Versions,
} from '../support/lock-file.ts';
import { sourcesOf } from '../support/sources.ts';

type Manifest = { version: string; scripts: Versions } & Partial<Record<Kind, Versions>>;
const KINDS: Kind[] = ['dependencies', 'devDependencies', 'optionalDependencies'];

const manifest: Manifest = JSON.parse(readProjectFile('package.json'));
const versionsOf = (kind: Kind): Versions => manifest[kind] ?? {};

/** Programs and types, which no source imports by name. */
const NOT_IMPORTED = /^(@biomejs\/biome|@types\/.*)$/;

describe('packages', () => {
  test('each package has one exact version', () => {
    for (const [name, version] of KINDS.flatMap((kind) => Object.entries(versionsOf(kind)))) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
    }
  });

  test('the packages of the runtime share one version, and no others are optional', () => {
    const runtimes = Object.entries(versionsOf('optionalDependencies'));
    assert.ok(runtimes.length >= 4);
    for (const [name] of runtimes) assert.match(name, /^node-(bin-)?(linux|darwin|win)-(x64|arm64)$/);
    assert.equal(new Set(runtimes.map(([, version]) => version)).size, 1);
    const [[, version = ''] = []] = runtimes;
    const types = versionsOf('devDependencies')['@types/node'] ?? '';
    assert.equal(types.split('.')[0], version.split('.')[0], 'the types belong to the same Node');
  });

  test('the lock file names no server that packages come from, and has a hash of each', () => {
    const { '': root, ...installed } = LOCKED;
    assert.equal(root?.version, manifest.version);
    for (const [place, { resolved, integrity }] of Object.entries(installed)) {
      assert.equal(resolved, undefined, place);
      assert.match(integrity ?? '', /^sha512-/, place);
    }
  });

  test('the lock file has each package that another one needs, for every platform: else npm ci refuses it', () => {
    for (const [place, { dependencies, devDependencies, optionalDependencies }] of Object.entries(LOCKED)) {
      for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
        assert.ok(
          placesFor(name, place).some((candidate) => candidate in LOCKED),
          `${place || 'the project'} needs ${name}`,
        );
      }
    }
  });

  test('the service and the command line import exactly the dependencies, and tests and tools the rest', () => {
    const inUse = importedBy('src', 'client', 'cli');
    assert.deepEqual(inUse, Object.keys(versionsOf('dependencies')).sort());
    const elsewhere = importedBy('test', 'bench', 'docs', 'packaging', 'tools', 'web').filter(
      (name) => !inUse.includes(name),
    );
    const declared = Object.keys(versionsOf('devDependencies')).filter((name) => !NOT_IMPORTED.test(name));
    assert.deepEqual(elsewhere, declared.sort());
  });

  test('every script runs on the Node of node_modules/.bin, and its file is there', () => {
    const files = sourcesOf('src', 'bench', 'docs', 'packaging', 'tools').map(({ path }) => path);
    for (const [name, script] of Object.entries(manifest.scripts)) {
      assert.doesNotMatch(script, /(^|[\s;&|])(\/|npx\b|\.\/node_modules)/, name);
      for (const [file] of script.matchAll(/\b(?:src|bench|docs|packaging)\/[\w/-]+\.[jt]s\b/g)) {
        assert.ok(files.includes(file), `${name}: ${file}`);
      }
    }
  });
});

/** The packages that sources below these directories import. */
function importedBy(...directories: string[]): string[] {
  const targets = sourcesOf(...directories).flatMap(({ imports }) => imports);
  const packages = targets
    .filter(({ target, isOwn }) => !isOwn && !/^(node|virtual):/.test(target)) // the build makes virtual modules
    .map(({ target }) => target.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? target);
  return [...new Set(packages)].sort();
}

const MAX_DIRECT_DEPENDENCIES = 26;
/** Licences that only ask for their notice: the service may be used and passed on without further terms. */
const LICENCES = 'MIT Apache-2.0 ISC BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 0BSD MIT-0'.split(' ');

const direct = Object.keys(JSON.parse(readProjectFile('package.json')).dependencies).sort();
const places = runtimePlaces();

describe('the packages that the service needs', () => {
  test('the packages have licences that only ask for their notice', () => {
    assert.ok(places.length > direct.length);
    const others = places.filter((place) => !LICENCES.includes(LOCKED[place]?.license ?? ''));
    assert.deepEqual(others, []);
  });

  test('the packages are at most 26 direct ones, each with its reason in DEVELOPING.md', () => {
    assert.ok(direct.length <= MAX_DIRECT_DEPENDENCIES, `${direct.length} direct dependencies`);
    const rows = tableRows(sectionOf(readProjectFile('DEVELOPING.md'), 'Dependencies'));
    assert.deepEqual(rows.flatMap(([names = '']) => codeIn(names)).sort(), direct);
    for (const [names = '', reason = ''] of rows) assert.match(reason, /\w+ \w+/, names);
  });

  test('the packages are all in the bill of materials, and nothing else is', () => {
    // Without a registry: the lock file is enough.
    const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };
    const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: ROOT, env, encoding: 'utf8' });
    const bill: {
      metadata: { component: { name: string } };
      components: { name: string; version: string; hashes: unknown[]; licenses: unknown[] }[];
    } = JSON.parse(printed);
    assert.equal(bill.metadata.component.name, 'postern');
    const needed = places.map((place) => `${packageAt(place)}@${LOCKED[place]?.version}`);
    const listed = bill.components.map(({ name, version }) => `${name}@${version}`);
    assert.deepEqual([...new Set(listed)].sort(), [...new Set(needed)].sort());
    for (const { name, hashes, licenses } of bill.components) assert.ok(hashes[0] && licenses[0], name);
  });
});
