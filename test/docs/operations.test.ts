import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { HEALTH_GROUPS } from '../../src/observability/health.ts';
import { LOG_EVENTS } from '../../src/observability/log.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { codeIn, fencedBlocks, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { startService } from '../support/service.ts';

const DOCUMENT = readProjectFile('docs/operations.md');

describe('operations.md', () => {
  test('lists every event of the log, and no other', () => {
    const documented = tableRows(sectionOf(DOCUMENT, 'Log')).map(([event = '']) => codeIn(event)[0]);
    assert.deepEqual(documented.sort(), [...LOG_EVENTS].sort());
  });

  test('names every metric of the service, and no other', () => {
    const declared = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name);
    const own = declared.filter((name) => !/^(process|nodejs)_/.test(name)); // the rest is prom-client's
    const named = [...DOCUMENT.matchAll(/\b(?:secure_link_\w+?|http_server\w+?)(?:_total|_seconds)\b/g)];
    assert.deepEqual([...new Set(named.map(([name]) => name))].sort(), own.sort());
  });

  test('lists the paths of the health, each with the components that it looks at', async (t) => {
    const service = await startService(t);
    const rows = tableRows(sectionOf(DOCUMENT, 'Health').split(/\n\n(?=\| path)/)[1] ?? '');
    assert.equal(rows.length, Object.keys(HEALTH_GROUPS).length);
    for (const [path = '', components = ''] of rows) {
      const answer = await fetch(service.url + codeIn(path)[0]);
      const health = (await answer.json()) as { components: object };
      assert.deepEqual(Object.keys(health.components), codeIn(components), path);
    }
  });

  test('has queries of the audit that SQLite answers, on a store that may not be changed', async (t) => {
    const service = await startService(t, { flags: ['--app.base-url=http://links.example'] });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ targetUrl: 'https://example.com/', password: 'open sesame' });
    const created = await fetch(`${service.url}/api/links`, { method: 'POST', headers, body });
    const { shortCode } = (await created.json()) as { shortCode: string };
    await fetch(`${service.url}/l/${shortCode}`, { headers: { 'x-link-password': 'guess' } });
    // The last query is of the last hour by SQLite's own clock, and the service's stands elsewhere.
    const db = new DatabaseSync(service.databasePath, { readOnly: true });
    t.after(() => db.close());
    const queries = fencedBlocks(DOCUMENT, 'sql');
    assert.equal(queries.length, 5);
    for (const { line, text } of queries) {
      const sql = text.replaceAll('eSWNHQJv', shortCode).replace('unixepoch() - 3600', '0');
      assert.equal(db.prepare(sql).all().length, 1, `the query on line ${line}`);
    }
  });
});
