import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { createMetrics } from '../../src/observability/metrics.ts';
import { codeIn, readProjectFile, sectionOf, tableRows } from '../support/documents.ts';
import { send } from '../support/http-client.ts';
import { createLink, openLink, revokeLink, storedFileOf, uploadFile } from '../support/links.ts';
import { type Sample, scrape } from '../support/prometheus.ts';
import { matches, readQuery, type Selector } from '../support/promql.ts';
import { startService } from '../support/service.ts';

type Rule = {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
};
const RULES: Rule[] = parse(readProjectFile('deploy/prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const SCRAPING: { rule_files: string[]; scrape_configs: { job_name: string; metrics_path: string }[] } =
  parse(readProjectFile('deploy/prometheus/prometheus.yaml'));

type Place = { x: number; y: number; w: number; h: number };
type Panel = { id: number; type: string; title: string; gridPos: Place; targets?: { expr: string }[] };
type Variable = { name: string; query: string | { query: string } };
const DASHBOARD: { panels: Panel[]; templating: { list: Variable[] } } = JSON.parse(
  readProjectFile('deploy/grafana/postern.json'),
);
const PANEL_QUERIES = DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

/** Every series that there can be of a service, with the labels that Prometheus adds. */
let series: Sample[] = [];

/** The series of a service that met each kind of attempt which somebody watches, a fault, and a broken storage. */
async function seriesAfterTrouble(t: TestContext): Promise<Sample[]> {
  const service = await startService(t);
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
  const db = new DatabaseSync(service.databasePath);
  db.exec("CREATE TRIGGER broken BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'broken'); END");
  db.close();
  assert.equal((await openLink(service, 'unknown1')).status, 500);
  rmSync(service.storagePath, { recursive: true });
  assert.equal((await send(service, '/actuator/health/readiness')).status, 503);
  const [{ job_name: job = '' } = {}] = SCRAPING.scrape_configs;
  const scraped = [{ name: 'up', labels: {}, value: 1 }, ...(await scrape(service))];
  return scraped.map(({ name, labels, value }) => {
    return { name, labels: { ...labels, job, instance: '10.0.0.1:8080' }, value };
  });
}

// A test and not a hook: the service of a test ends with it.
test('a service that was in trouble tells of it in its series', async (t) => {
  series = await seriesAfterTrouble(t);
  assert.ok(series.length > 100);
});

/** Grafana puts a value in the place of each variable before it asks. */
function withVariables(expression: string): string {
  return expression.replaceAll('$__rate_interval', '1m').replaceAll(/\$(\w+)/g, (_, name) => {
    assert.ok(
      DASHBOARD.templating.list.some((variable) => variable.name === name),
      `no variable ${name}`,
    );
    return '.+';
  });
}

function assertFound({ metric, matchers }: Selector): void {
  const named = series.filter(({ name }) => name === metric);
  assert.ok(named.length > 0, `there is no metric ${metric}`);
  for (const { label } of matchers) {
    assert.ok(
      named.some(({ labels }) => label in labels),
      `${metric} has no label ${label}`,
    );
  }
  const found = named.filter(({ labels }) => matchers.every((matcher) => matches(matcher, labels)));
  assert.ok(found.length > 0, `nothing is found by ${metric}${JSON.stringify(matchers)}`);
}

/** Each selector finds a series, and each label that is grouped by is one of all of them. */
function assertAnswerable(expression: string): void {
  const { selectors, groupedBy } = readQuery(expression);
  assert.ok(selectors.length > 0, expression);
  for (const selector of selectors) assertFound(selector);
  for (const label of groupedBy) {
    const lacking = selectors.filter(
      ({ metric }) => !series.some(({ name, labels }) => name === metric && label in labels),
    );
    assert.deepEqual(lacking, [], `nothing to group by ${label} in ${expression}`);
  }
}

describe('alerts', () => {
  for (const { alert, expr } of RULES) {
    test(`${alert} asks for what the service tells`, () => assertAnswerable(expr));
  }

  test('each has a name of its own, a severity, and a summary', () => {
    assert.equal(new Set(RULES.map(({ alert }) => alert)).size, RULES.length);
    for (const { alert, labels, annotations } of RULES) {
      assert.match(alert, /^Postern[A-Z]\w+$/);
      assert.match(labels['severity'] ?? '', /^(critical|warning)$/, alert);
      assert.ok(annotations['summary'], alert);
    }
  });

  test('each has a line in monitoring.md that says what to do, with its severity, and there is no other', () => {
    const lines = tableRows(sectionOf(readProjectFile('docs/operations/monitoring.md'), 'Alerts'));
    const documented = lines.map(([alert = '', severity = '', meaning, whatToDo]) => {
      assert.ok(meaning && whatToDo, alert);
      return [codeIn(alert)[0], severity];
    });
    assert.deepEqual(
      documented,
      RULES.map(({ alert, labels }) => [alert, labels['severity']]),
    );
  });

  test('all ask for the job that prometheus.yaml names, and for the path that the service has', () => {
    const [{ job_name: job, metrics_path: path } = {}] = SCRAPING.scrape_configs;
    for (const { selectors } of RULES.map(({ expr }) => readQuery(expr))) {
      for (const { metric, matchers } of selectors) {
        const asked = matchers.find(({ label }) => label === 'job');
        assert.deepEqual(asked, { label: 'job', operator: '=', value: job }, metric);
      }
    }
    assert.deepEqual(SCRAPING.rule_files, ['alerts.yaml']);
    assert.ok(series.some(({ labels }) => labels['uri'] === '/actuator/health/readiness'));
    assert.equal(path, '/actuator/prometheus');
  });

  test('that of the memory rings below what Kubernetes allows', () => {
    const { expr = '' } = RULES.find(({ alert }) => alert === 'PosternMemory') ?? {};
    const [, mebibytes] = /> (\d+) \* 1024 \* 1024$/.exec(expr) ?? [];
    const manifest = readProjectFile('deploy/kubernetes/deployment.yaml');
    const [, limit] = /limits:\n\s+memory: (\d+)Mi\n/.exec(manifest) ?? [];
    assert.ok(Number(mebibytes) < Number(limit), `${mebibytes} of ${limit} MiB`);
  });
});

describe('the dashboard', () => {
  for (const { title, expr } of PANEL_QUERIES) {
    test(`"${title}" asks for what the service tells: ${expr.slice(0, 60)}`, () =>
      assertAnswerable(withVariables(expr)));
  }

  test('shows every metric of the service', () => {
    const shown = PANEL_QUERIES.flatMap(({ expr }) => readQuery(withVariables(expr)).selectors);
    const names = new Set(shown.map(({ metric }) => metric.replace(/_(bucket|count|sum)$/, '')));
    const own = createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name)
      .filter((name) => !/^(process|nodejs)_/.test(name));
    assert.deepEqual(
      own.filter((name) => !names.has(name)),
      [],
    );
  });

  test('has no two panels of one id or in one place', () => {
    const { panels } = DASHBOARD;
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    assert.equal(new Set(cells).size, cells.length);
    for (const { gridPos, title } of panels) assert.ok(gridPos.x + gridPos.w <= 24, title);
  });

  test('finds the values of its variables in metrics that exist', () => {
    for (const { name, query } of DASHBOARD.templating.list) {
      if (typeof query === 'string') assert.equal(query, 'prometheus', name);
      else assertAnswerable(withVariables(query.query).replace(/, *(\w+)\)$/, ')'));
    }
  });
});
