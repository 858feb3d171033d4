import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { ACCESS_RESULTS, PREVIEW_RESULTS } from '../../src/core/model/verdict.ts';
import { DENIALS } from '../../src/http/errors.ts';
import { HEALTH_GROUPS } from '../../src/observability/health.ts';
import { LOG_EVENTS } from '../../src/observability/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { PROJECTION_TABLES } from '../../src/stores/sql/rebuild.ts';
import { codeIn, fencedBlocks, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { addKey } from '../support/keys.ts';
import { startService } from '../support/service.ts';

test('audit.md names every table that is rebuilt', () => {
  const section = sectionOf(readProjectFile('docs/operations/audit.md'), 'Rebuild');
  assert.deepEqual(
    PROJECTION_TABLES.filter((table) => !section.includes(`\`${table}\``)),
    [],
  );
});

describe('monitoring.md', () => {
  const document = readProjectFile('docs/operations/monitoring.md');

  test('monitoring.md lists exactly the events of the log', () => {
    const documented = tableRows(sectionOf(document, 'Log')).map(([event = '']) => codeIn(event)[0]);
    assert.deepEqual(documented.sort(), [...LOG_EVENTS].sort());
  });

  test('monitoring.md names exactly the metrics of the service', () => {
    const declared = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
    const own = declared.filter((name) => !/^(process|nodejs)_/.test(name)); // the rest belongs to prom-client
    const named = [
      ...document.matchAll(
        /\b(?:secure_link_notifications|secure_link_health|secure_link_projection_waiting_entries|(?:secure_link_\w+?|http_server\w+?)(?:_total|_seconds|_bytes|_work|_problem|_streams|_info|_size|_connections))\b/g,
      ),
    ];
    assert.deepEqual([...new Set(named.map(([name]) => name))].sort(), own.sort());
  });

  test('monitoring.md lists exactly the reasons of a denial', () => {
    const [, listed = ''] =
      /`reason` of a denial is its result in lower case: ([^.]+)\./.exec(document) ?? [];
    const reasons = Object.keys(DENIALS).map((denial) => denial.toLowerCase());
    assert.deepEqual(codeIn(listed).sort(), reasons.sort());
  });

  test('monitoring.md lists the health paths with their components', async (t) => {
    const service = await startService(t);
    const rows = tableRows(sectionOf(document, 'Health'));
    assert.equal(rows.length, Object.keys(HEALTH_GROUPS).length);
    for (const [path = '', components = ''] of rows) {
      const response = await fetch(service.url + codeIn(path)[0]);
      const health = (await response.json()) as { components: object };
      assert.deepEqual(Object.keys(health.components), codeIn(components), path);
    }
  });
});

test('audit.md lists exactly the results of a record', () => {
  const document = readProjectFile('docs/operations/audit.md');
  const [listed = ''] = /^The results are .*?\.$/ms.exec(document) ?? [];
  assert.deepEqual(codeIn(listed), [...ACCESS_RESULTS, ...PREVIEW_RESULTS]);
});

test('every query of audit.md returns a row on a read-only SQLite store', async (t) => {
  const service = await startService(t, { flags: ['--app.base-url=http://links.example'] });
  const authorization = `Bearer ${await addKey(service, 'ci', ['create'])}`;
  const headers = { 'content-type': 'application/json', authorization };
  const body = JSON.stringify({ targetUrl: 'https://example.com/', password: 'open sesame' });
  const created = await fetch(`${service.url}/api/links`, { method: 'POST', headers, body });
  const { shortCode } = (await created.json()) as { shortCode: string };
  await fetch(`${service.url}/l/${shortCode}`, { headers: { 'x-link-password': 'guess' } });
  // One query reads the last hour by SQLite's own clock, which differs from the service's test clock.
  const db = new DatabaseSync(service.databasePath, { readOnly: true });
  t.after(() => db.close());
  const queries = fencedBlocks(readProjectFile('docs/operations/audit.md'), 'sql');
  assert.equal(queries.length, 3);
  for (const { line, text } of queries) {
    const sql = text.replaceAll('eSWNHQJv', shortCode).replace('unixepoch() - 3600', '0');
    assert.equal(db.prepare(sql).all().length, 1, `the query on line ${line}`);
  }
});
