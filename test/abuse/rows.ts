import { bulkItems, formParts, jsonBodies, tinyChunks } from './bodies.ts';
import { hashing, passwords, passwordsHeld, passwordsSpread, pipelining, statistics } from './floods.ts';
import { bearer, headers } from './headers.ts';
import { fileNames, forms, logLines, metrics, readers } from './memory.ts';
import { recipientFlood, recipientGuesses, recipientTiming } from './recipients.ts';
import { refusals } from './refusals.ts';
import { diskReserve, dotSegments, earlyEnd, encodedPrefix, guesses, unknownCodes } from './requests.ts';
import { largeSets } from './sets.ts';
import { slowBodies } from './slow.ts';
import { forwardedWarning, proxyRanges, storageDirectory } from './starts.ts';
import type { Row } from './victim.ts';

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
  ...[recipientGuesses, recipientFlood, recipientTiming],
  largeSets,
];
