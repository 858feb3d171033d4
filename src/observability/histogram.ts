import type { Histogram as LibraryHistogram, Registry } from 'prom-client';

/** From a cached redirect to a download over a slow connection. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Labels<Label extends string> = Record<Label, string | number>;

/** Counts a duration in one series of a histogram. */
export type Observe = (seconds: number) => void;

/** A histogram of durations. Each series is looked up once: that of prom-client is, by its labels, at each observation. */
export type Histogram<Label extends string> = {
  /** Returns the function that counts durations with these labels. */
  bind(labels: Labels<Label>): Observe;
};

/** Creates a histogram in a registry. One without labels begins at zero. */
export function createHistogram<Label extends string>(
  registry: Registry,
  { name, help, labelNames }: { name: string; help: string; labelNames: Label[] },
): Histogram<Label> {
  const series = new Map<string, Series>();

  function bind(labels: Labels<Label>): Observe {
    const key = JSON.stringify(labelNames.map((label) => String(labels[label])));
    const found = series.get(key) ?? createSeries(name, labels);
    series.set(key, found);
    return found.observe;
  }

  const metric = {
    ...{ name, help, type: 'histogram', labelNames },
    get: async () => ({ name, help, type: 'histogram', values: [...series.values()].flatMap(readValues) }),
  };
  // The registry only reads the name and calls `get`, but its type names the classes of the library.
  registry.registerMetric(metric as unknown as LibraryHistogram);
  if (labelNames.length === 0) bind({} as Labels<Label>); // there are no labels
  return { bind };
}

type Series = ReturnType<typeof createSeries>;

function createSeries(name: string, labels: Labels<string>) {
  const counts = BUCKETS_SECONDS.map(() => 0);
  const series = { name, labels, counts, sum: 0, count: 0, observe };

  function observe(seconds: number): void {
    const bucket = BUCKETS_SECONDS.findIndex((bound) => seconds <= bound);
    if (bucket !== -1) counts[bucket] = (counts[bucket] ?? 0) + 1;
    series.sum += seconds;
    series.count += 1;
  }

  return series;
}

/** Returns the values of a series as the text form has them: each bucket counts those below it too. */
function readValues({ name, labels, counts, sum, count }: Series) {
  let total = 0;
  const buckets = BUCKETS_SECONDS.map((le, bucket) => {
    total += counts[bucket] ?? 0;
    return { labels: { le, ...labels }, value: total, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels: { le: '+Inf', ...labels }, value: count, metricName: `${name}_bucket` },
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ];
}
