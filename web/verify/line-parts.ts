import * as checkLine from 'virtual:line-checks';
import * as parts from 'virtual:sha256';
import type { LineCheck, LineChecks } from '../../src/core/use-cases/history/exported/exported-items.ts';
import { createFingerprintChain, prepareSha256 } from './sha256.ts';

// The parts of the check of a line that are compiled with the page: its policy forbids to compile them there.

/** So many entries of a history are shown. */
export const MAX_SHOWN = 500;

export const sha256 = prepareSha256(parts);
export const createChain = () => createFingerprintChain(parts);

/** `isLine`: the check that `web/build.ts` compiled. */
function prepareCheck<Line>(isLine: (line: unknown) => boolean): LineCheck<Line> {
  return {
    Check: (line): line is Line => isLine(line),
    Errors: () => [false, []], // the page says which line is wrong, not why in English
  };
}

export const CHECKS: LineChecks = {
  head: prepareCheck(checkLine.head),
  attempt: prepareCheck(checkLine.attempt),
  change: prepareCheck(checkLine.change),
};
