import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareStopSignals } from '../../src/tools/commands/stop-signals.ts';

type Sent = [atMs: number, signal: NodeJS.Signals];

/** Returns what signals cause, in order. */
function effectsOf(...sent: Sent[]): string[] {
  const effects: string[] = [];
  let now = 0;
  const listen = prepareStopSignals({
    stop: (signal) => effects.push(`stop ${signal}`),
    endAtOnce: (signal) => effects.push(`end ${signal}`),
    nowMs: () => now,
  });
  for (const [atMs, signal] of sent) {
    now = atMs;
    listen(signal);
  }
  return effects;
}

const CASES: [name: string, sent: Sent[], effects: string[]][] = [
  [
    'a signal that comes twice stops once',
    [
      [0, 'SIGINT'],
      [1_999, 'SIGINT'],
    ],
    ['stop SIGINT'],
  ],
  [
    'a second Ctrl-C after two seconds ends at once',
    [
      [0, 'SIGINT'],
      [2_000, 'SIGINT'],
    ],
    ['stop SIGINT', 'end SIGINT'],
  ],
  [
    'a Ctrl-C ends at once while SIGTERM stops',
    [
      [0, 'SIGTERM'],
      [2_000, 'SIGINT'],
    ],
    ['stop SIGTERM', 'end SIGINT'],
  ],
  [
    'a later SIGTERM is ignored',
    [
      [0, 'SIGTERM'],
      [1, 'SIGTERM'],
      [5_000, 'SIGTERM'],
    ],
    ['stop SIGTERM'],
  ],
  [
    'another signal does not stop again',
    [
      [0, 'SIGINT'],
      [1, 'SIGTERM'],
    ],
    ['stop SIGINT'],
  ],
];

for (const [name, sent, effects] of CASES) {
  test(name, () => assert.deepEqual(effectsOf(...sent), effects));
}
