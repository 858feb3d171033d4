import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALERT_CASES, type InputSeries } from '../support/alert-cases.ts';
import { ROOT } from '../support/documents.ts';
import { temporaryDirectory } from '../support/service.ts';

const EVALUATED_AT = '60m';
/** The labels that Prometheus adds. */
const TARGET = 'job="postern", instance="a"';

/** Returns a test of promtool: with these series, an alert fires or does not. */
function toPromtoolTest(alert: string, series: InputSeries, fires: boolean) {
  return {
    name: `${alert} ${fires ? 'fires' : 'is quiet'}`,
    interval: '1m',
    input_series: Object.entries(series).map(([selector, values]) => ({
      series: selector.includes('{') ? selector.replace('}', `, ${TARGET}}`) : `${selector}{${TARGET}}`,
      values,
    })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}", alertstate="firing"})`,
        eval_time: EVALUATED_AT,
        exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
      },
    ],
  };
}

test('each alert fires for what it is about and is quiet otherwise, in Prometheus itself', (t) => {
  if (spawnSync('promtool', ['--version']).error) return t.skip('needs promtool');
  const tests = Object.entries(ALERT_CASES).flatMap(([alert, { quiet, firing }]) => [
    toPromtoolTest(alert, quiet, false),
    toPromtoolTest(alert, firing, true),
  ]);
  const file = join(temporaryDirectory(t), 'alerts.test.json');
  const rules = [join(ROOT, 'deploy/prometheus/alerts.yaml')];
  writeFileSync(file, JSON.stringify({ rule_files: rules, evaluation_interval: '1m', tests }));
  execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
});
