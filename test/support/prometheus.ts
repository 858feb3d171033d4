import assert from 'node:assert/strict';
import { type Server, send } from './http-client.ts';

/** One line of the text exposition format. */
export type Sample = { name: string; labels: Record<string, string>; value: number };

/** Scrapes the metrics of a service. */
export async function scrape(server: Server): Promise<Sample[]> {
  const { status, text } = await send(server, '/actuator/prometheus');
  assert.equal(status, 200);
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseSample);
}

function parseSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  assert.notEqual(name, '', `no sample: ${line}`);
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [
    key,
    text,
  ]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}

/**
 * Returns the samples of a metric by the values of their labels, joined with a space; without labels, by ''.
 */
export function valuesOf(samples: Sample[], name: string): Record<string, number> {
  return Object.fromEntries(
    samples
      .filter((sample) => sample.name === name)
      .map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );
}
