import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { createMetrics } from '../../src/observability/metrics.ts';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const anyLabels = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  uri: fc.constantFrom('/l/*', '/a"b'),
  status: fc.constantFrom(200, 302),
});
const anySeconds = fc.oneof(fc.constantFrom(0, ...BUCKETS, 11), fc.double({ min: 0, max: 20, noNaN: true }));

/** Returns the lines of a histogram in a registry. */
async function linesOf(registry: Registry, name: string): Promise<string[]> {
  return (await registry.getSingleMetricAsString(name)).split('\n');
}

test('a histogram has the text of that of prom-client for all values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyLabels, anySeconds)), async (durations) => {
      const name = 'http_server_requests_seconds';
      const { registry, requests } = createMetrics();
      const other = new Registry();
      const library = new Histogram({
        name,
        help: 'Time from a request to the end of its response',
        labelNames: ['method', 'uri', 'status'],
        buckets: BUCKETS,
        registers: [other],
      });
      for (const [labels, seconds] of durations) {
        requests.bind(labels)(seconds);
        library.observe(labels, seconds);
      }
      assert.deepEqual(await linesOf(registry, name), await linesOf(other, name));
    }),
    { numRuns: 25 },
  );
});

test('a bound series of a histogram begins at zero', async () => {
  const { registry, resolveDuration } = createMetrics();
  const name = 'secure_link_resolve_duration_seconds';
  const observe = resolveDuration.bind({});
  assert.ok((await linesOf(registry, name)).includes(`${name}_count 0`));
  observe(0.0025);
  const lines = await linesOf(registry, name);
  assert.ok(
    lines.includes(`${name}_bucket{le="0.001"} 0`) && lines.includes(`${name}_bucket{le="0.0025"} 1`),
  );
});
