import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { MINOR_PROBLEMS, PROBLEMS } from '../../src/core/model/problem.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { ALERT_CASES } from '../support/alert-cases.ts';
import { readProjectFile } from '../support/documents.ts';
import { openSocket, send } from '../support/http-client.ts';
import { createLink, openLink, revokeLink, storedFileOf, uploadFile } from '../support/links.ts';
import { temporarySchema } from '../support/postgres-server.ts';
import { type Sample, scrape } from '../support/prometheus.ts';
import { matches, parseQuery, type Selector } from '../support/promql.ts';
import { startS3Server } from '../support/s3-server.ts';
import { startService } from '../support/service.ts';

type Rule = {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
};
const RULES: Rule[] = parse(readProjectFile('deploy/prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const { scrape_configs: SCRAPE_CONFIGS }: { scrape_configs: { job_name: string; metrics_path: string }[] } =
  parse(readProjectFile('deploy/prometheus/prometheus.yaml'));

type Variable = { name: string; query: string | { query: string } };
type Dashboard = {
  panels: { title: string; targets?: { expr: string }[] }[];
  templating: { list: Variable[] };
};
const DASHBOARD: Dashboard = JSON.parse(readProjectFile('deploy/grafana/postern.json'));
const PANEL_QUERIES = DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

/** Every series that a service can have, with the labels that Prometheus adds. */
let series: Sample[] = [];

/** Starts a service with the database and the storage that have metrics of their own. */
async function startElsewhere(t: TestContext) {
  const storage = await startS3Server();
  t.after(() => storage.stop());
  const schema = await temporarySchema(t);
  const service = await startService(t, {
    flags: [...storage.flags, `--app.database.url=${schema.url}`],
  });
  await openLink(service, await uploadFile(service));
  return service;
}

/**
 * Scrapes a service after each kind of attempt that an alert or panel selects, an error, and a broken
 * storage.
 */
async function seriesAfterTrouble(t: TestContext): Promise<Sample[]> {
  // A service does not report the free space of a storage that broke a second ago.
  const service = await startService(t, { freeBytes: async () => 1024 ** 3 });
  const revoked = await createLink(service);
  const locked = await createLink(service, { password: 'open sesame' });
  const missing = await uploadFile(service);
  await openLink(service, revoked);
  await revokeLink(service, revoked);
  await send(service, '/l/unknown1', { method: 'DELETE' });
  rmSync(storedFileOf(service, missing));
  for (const shortCode of [missing, 'unknown1', locked]) {
    for (const method of ['GET', 'HEAD']) {
      await send(service, `/l/${shortCode}`, { method, headers: { 'x-link-password': 'guess' } });
    }
  }
  const flood = await openSocket(service);
  const closing = new Promise((resolve) => flood.on('error', () => undefined).once('close', resolve));
  flood.resume().write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
  await closing;
  const db = new DatabaseSync(service.databasePath, { timeout: 5_000 });
  db.exec('INSERT INTO last_backup (only_row, at) VALUES (1, 0)');
  db.exec("CREATE TRIGGER broken BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'broken'); END");
  db.close();
  assert.equal((await openLink(service, 'unknown1')).status, 500);
  await service.startJobs();
  rmSync(service.storagePath, { recursive: true });
  assert.equal((await send(service, '/actuator/health/readiness')).status, 503);
  const [{ job_name: job = '' } = {}] = SCRAPE_CONFIGS;
  const scraped = [
    { name: 'up', labels: {}, value: 1 },
    ...(await scrape(service)),
    ...(await scrape(await startElsewhere(t))),
  ];
  return scraped.map(({ name, labels, value }) => {
    return { name, labels: { ...labels, job, instance: '10.0.0.1:8080' }, value };
  });
}

// A test and not a hook: the service of a test ends with it.
test('a service shows its errors in its series', async (t) => {
  series = await seriesAfterTrouble(t);
  assert.ok(series.length > 100);
});

/** Asserts that each selector finds a series, and that each label to group by is one of all these metrics. */
function assertFindsSeries(expression: string): void {
  const { selectors, groupedBy } = parseQuery(expression);
  assert.ok(selectors.length > 0, expression);
  for (const { metric, matchers } of selectors) {
    const named = series.filter(({ name }) => name === metric);
    assert.ok(named.length > 0, `there is no metric ${metric}`);
    for (const label of [...matchers.map((matcher) => matcher.label), ...groupedBy]) {
      assert.ok(
        named.some(({ labels }) => label in labels),
        `${metric} has no label ${label}`,
      );
    }
    const found = named.some(({ labels }) => matchers.every((matcher) => matches(matcher, labels)));
    assert.ok(found, `no series matches ${metric}${JSON.stringify(matchers)}`);
  }
}

describe('alerts', () => {
  for (const { alert, expr } of RULES) {
    test(`${alert} selects series that the service has`, () => assertFindsSeries(expr));
  }

  test('each alert has cases in which it fires and is quiet', () => {
    assert.deepEqual(
      Object.keys(ALERT_CASES),
      RULES.map(({ alert }) => alert),
    );
  });

  test('alerts select the job of prometheus.yaml, which scrapes the path of the metrics', () => {
    const [{ job_name: job, metrics_path: path } = {}] = SCRAPE_CONFIGS;
    for (const { metric, matchers } of RULES.flatMap(({ expr }) => parseQuery(expr).selectors)) {
      const selected = matchers.find(({ label }) => label === 'job');
      assert.deepEqual(selected, { label: 'job', operator: '=', value: job }, metric);
    }
    assert.ok(series.some(({ labels }) => labels['uri'] === '/actuator/health/readiness'));
    assert.equal(path, '/actuator/prometheus');
  });

  test('each alert links to its section, which says what to do', () => {
    const document = readProjectFile('docs/operations/monitoring.md');
    const documented = [...document.matchAll(/^### (Postern\w+)\n\n(\S.{20,})/gm)].map(([, alert]) => alert);
    assert.deepEqual(
      documented,
      RULES.map(({ alert }) => alert),
    );
    for (const { alert, annotations } of RULES) {
      assert.equal(annotations['runbook_url'], `docs/operations/monitoring.md#${alert.toLowerCase()}`);
    }
  });

  test('PosternFaults leaves overload and a full disk to their own alerts', () => {
    const { expr = '' } = RULES.find(({ alert }) => alert === 'PosternFaults') ?? {};
    const [failed] = parseQuery(expr).selectors;
    const selects = (status: string) =>
      failed?.matchers.every((matcher) => matcher.label !== 'status' || matches(matcher, { status }));
    assert.deepEqual(['500', '503', '507', '404'].map(selects), [true, false, false, false]);
  });

  test('each problem with which links open is a warning', () => {
    const problemsOf = (alert: string) => {
      const { expr = '' } = RULES.find((rule) => rule.alert === alert) ?? {};
      const matchers = parseQuery(expr).selectors[0]?.matchers.filter(({ label }) => label === 'problem');
      return Object.keys(PROBLEMS).filter((problem) => matchers?.every((each) => matches(each, { problem })));
    };
    const minor = MINOR_PROBLEMS.filter((problem) => problem !== 'mail_failing'); // links with recipients do not open
    const others = ['database_unavailable', 'storage_unavailable', ...problemsOf('PosternProblem')];
    assert.deepEqual(problemsOf('PosternMinorProblem').sort(), minor.sort());
    assert.deepEqual([...others, ...minor].sort(), Object.keys(PROBLEMS).sort());
  });

  test('PosternMemory fires below the memory limit of Kubernetes', () => {
    const { expr = '' } = RULES.find(({ alert }) => alert === 'PosternMemory') ?? {};
    const [, mebibytes] = /> (\d+) \* 1024 \* 1024$/.exec(expr) ?? [];
    const manifest = readProjectFile('deploy/kubernetes/base/deployment.yaml');
    const [, limit] = /limits:\n\s+memory: (\d+)Mi\n/.exec(manifest) ?? [];
    assert.ok(Number(mebibytes) < Number(limit), `${mebibytes} of ${limit} MiB`);
  });
});

/** Replaces each variable by a value, as Grafana does. */
function withVariables(expression: string): string {
  return expression.replaceAll('$__rate_interval', '1m').replaceAll(/\$(\w+)/g, (_, name) => {
    assert.ok(
      DASHBOARD.templating.list.some((variable) => variable.name === name),
      `no variable ${name}`,
    );
    return '.+';
  });
}

describe('the dashboard', () => {
  for (const { title, expr } of PANEL_QUERIES) {
    test(`"${title}" selects series that the service has: ${expr.slice(0, 60)}`, () =>
      assertFindsSeries(withVariables(expr)));
  }

  test('the dashboard shows every metric of the service', () => {
    const shown: Selector[] = PANEL_QUERIES.flatMap(({ expr }) => parseQuery(withVariables(expr)).selectors);
    const names = new Set(shown.map(({ metric }) => metric.replace(/_(bucket|count|sum)$/, '')));
    const missing = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => !/^(process|nodejs)_/.test(name) && !names.has(name));
    assert.deepEqual(missing, []);
  });

  test('the dashboard takes the values of its variables from metrics of the service', () => {
    for (const { name, query } of DASHBOARD.templating.list) {
      if (typeof query === 'string') assert.equal(query, 'prometheus', name);
      else assertFindsSeries(withVariables(query.query).replace(/^label_values\((.*), *\w+\)$/, '$1'));
    }
  });
});
