import { compare, type Goals, type Subject } from '../support/compare.ts';
import { type DataSet, sharedDataSet } from '../support/data-set.ts';
import { single } from '../support/figures.ts';
import {
  type Effort,
  MEGABYTE,
  MIN_RATIO_AGAINST,
  type Row,
  type Scenario,
  scaled,
} from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { bareNode, GUARDED_FLAGS, postern, recordsOf } from '../support/subjects.ts';

/** The goals against bare `node:http`, against the least that a durable record costs, and against what first comes to mind. */
const HOT = { bare: { ratio: 0.36, processorRatio: 3, p99Ms: 15 }, floor: 1.8, obvious: 0.25 };
const SPREAD = { bare: { ratio: 0.3, processorRatio: 4, p99Ms: 15 }, floor: 2, obvious: 0.25 };

export const redirectHot: Scenario = {
  name: 'redirect-hot',
  about: 'one link, opened repeatedly, against bare node:http with a constant 302',
  run: async (effort) =>
    measureRedirects(effort, { links: await sharedDataSet(effort, { links: 1 }), goals: HOT }),
};

export const redirectFlushed: Scenario = {
  name: 'redirect-flushed',
  about: 'the same, against bare node:http that responds once a record of 150 bytes is flushed to disk',
  run: async (effort) =>
    measureRedirects(effort, { links: await sharedDataSet(effort, { links: 1 }), baseline: 'flushed' }),
};

export const redirectSpread: Scenario = {
  name: 'redirect-spread',
  about: '100,000 links, opened at random, against bare node:http with a constant 302',
  run: async (effort) =>
    measureRedirects(effort, {
      links: await sharedDataSet(effort, { links: scaled(100_000, effort) }),
      goals: SPREAD,
    }),
};

/** A secret of the form that webhooks need. */
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** The share of the rate that webhooks may take. */
const MIN_RATIO_WITH_WEBHOOKS = 0.95;

export const redirectWebhooks: Scenario = {
  name: 'redirect-webhooks',
  about: '100,000 links, opened at random, with a webhook of every event, against the service without',
  run: (effort) =>
    inScratch(async (scratch) => {
      const links = await sharedDataSet(effort, { links: scaled(100_000, effort) });
      const load = { paths: links.paths, status: 302 };
      const count = recordsOf('SUCCESS');
      const receiver = await scratch.startBaseline('body');
      const flags = [
        `--app.webhooks.secret=${WEBHOOK_SECRET}`,
        `--app.webhooks.url=${receiver.url}/`,
        '--app.webhooks.allowed-networks=127.0.0.0/8',
      ];
      const without = await scratch.startService({ dataSet: links });
      const service = await scratch.startService({ dataSet: links, flags });
      return compare({
        service: postern(service, load, { count }),
        baseline: postern(without, load, { name: 'without webhooks', count }),
        unit: 'req/s',
        effort,
        goals: { ratio: MIN_RATIO_WITH_WEBHOOKS },
      });
    }),
};

/** See `bench/audited-redirects.ts`. */
const BASELINES = { floor: 'the floor', obvious: 'one INSERT each' };

function measureRedirects(
  effort: Effort,
  options: { links: DataSet; baseline?: 'redirect' | 'flushed'; goals?: typeof HOT },
): Promise<Row[]> {
  const { links, goals } = options;
  const { against } = effort;
  return inScratch(async (scratch) => {
    const load = { paths: links.paths, status: 302 };
    const count = recordsOf('SUCCESS');
    const baseline = against
      ? postern(await scratch.startService({ dataSet: links, checkout: against }), load, {
          name: against,
          count,
        })
      : bareNode(await scratch.startBaseline(options.baseline ?? 'redirect'), load);
    const service = await scratch.startService({
      dataSet: links,
      ...(effort.isGuarded && { flags: GUARDED_FLAGS }),
    });
    const bare = async (name: 'floor' | 'obvious'): Promise<Goals & { baseline: Subject }> => ({
      baseline: bareNode(await scratch.startBaseline(name), load, BASELINES[name]),
      ...(goals && { processorRatio: goals[name] }),
    });
    const rows = await compare({
      service: postern(service, load, { count }),
      baseline,
      others: goals ? [await bare('floor'), await bare('obvious')] : [],
      unit: 'req/s',
      effort,
      goals: against ? { ratio: MIN_RATIO_AGAINST } : (goals?.bare ?? {}),
    });
    const peakMb = service.memory().peakBytes / MEGABYTE;
    return [...rows, { what: 'peak memory', figures: single(peakMb), unit: 'MB', goal: { atMost: 200 } }];
  });
}
