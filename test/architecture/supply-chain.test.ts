import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { codeIn, ROOT, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { LOCKED, packageAt, runtimePlaces } from '../support/lock-file.ts';

const MAX_DIRECT_DEPENDENCIES = 20;
/** Licences that only ask for their notice: the service may be used and passed on without further terms. */
const LICENCES = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'MIT-0',
];

const direct = Object.keys(JSON.parse(readProjectFile('package.json')).dependencies).sort();
const places = runtimePlaces();

describe('the packages that the service needs', () => {
  test('the packages have licences that only ask for their notice', () => {
    assert.ok(places.length > direct.length);
    const others = places.filter((place) => !LICENCES.includes(LOCKED[place]?.license ?? ''));
    assert.deepEqual(others, []);
  });

  test('the packages are at most 20 direct ones, each with its reason in DEVELOPING.md', () => {
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
