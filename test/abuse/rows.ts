import { bulkItems, formParts, jsonBodies, tinyChunks } from './bodies.ts';
import { hashing, passwords, passwordsHeld, passwordsSpread, pipelining, statistics } from './floods.ts';
import { bearer, headers } from './headers.ts';
import { fileNames, forms, logLines, metrics, readers } from './memory.ts';
import { refusals } from './refusals.ts';
import { diskReserve, dotSegments, earlyEnd, encodedPrefix, guesses, unknownCodes } from './requests.ts';
import { largeSets } from './sets.ts';
import { slowBodies } from './slow.ts';
import { forwardedWarning, proxyRanges, storageDirectory } from './starts.ts';
import type { Figure, Row } from './victim.ts';

/** The attacks, each on a service of its own. */
export const ROWS: Row[] = [
  pipelining,
  passwords,
  passwordsSpread,
  passwordsHeld,
  hashing,
  forms,
  tinyChunks,
  jsonBodies,
  formParts,
  bulkItems,
  readers,
  slowBodies,
  diskReserve,
  statistics,
  logLines,
  earlyEnd,
  dotSegments,
  encodedPrefix,
  proxyRanges,
  storageDirectory,
  metrics,
  fileNames,
  bearer,
  headers,
  forwardedWarning,
  guesses,
  unknownCodes,
  refusals,
  largeSets,
];

/** Returns what a figure must be and is not, or undefined. Times count only if `judgesTimes`. */
export function missedBound(figure: Figure, { judgesTimes }: { judgesTimes: boolean }): string | undefined {
  const { what, value, unit, atMost, atLeast, equals } = figure;
  if (unit === 'ms' && !judgesTimes) return undefined;
  const isMet =
    (atMost === undefined || value <= atMost) &&
    (atLeast === undefined || value >= atLeast) &&
    (equals === undefined || value === equals);
  if (isMet) return undefined;
  return `${what}: ${format(figure)}, but must be ${boundText(figure)}`;
}

export function boundText({ atMost, atLeast, equals }: Figure): string {
  if (equals !== undefined) return String(equals);
  if (atMost !== undefined) return `at most ${Math.round(atMost).toLocaleString('en')}`;
  return atLeast === undefined ? '' : `at least ${atLeast.toLocaleString('en')}`;
}

export function format({ value, unit }: Figure): string {
  if (unit === 'status') return String(value);
  const text = value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
  return unit === 'count' ? text : `${text} ${unit}`;
}
