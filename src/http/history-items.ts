import type { Static } from 'typebox';
import { type HistoryItem, sumUpDownloads } from '../core/model/history.ts';
import type { ChainHead, EpochMs } from '../core/model/link.ts';
import { isPreviewResult } from '../core/model/verdict.ts';
import { toCsvLine } from './csv.ts';
import type { HistoryHead, HistoryItem as HistoryItemRecord } from './history-schemas.ts';

/** Returns an entry as the API shows it. `postern verify` computes its fingerprint from these members. */
export function toItemRecord(item: HistoryItem): Static<typeof HistoryItemRecord> {
  const { format, id, kind, number, shortCode, salt, personalSha256 } = item;
  const erased = personalSha256 === undefined ? {} : { personalSha256 };
  const common = { format, id, at: toTime(item.at), kind, number, shortCode, salt, ...erased };
  if (item.kind !== 'ATTEMPT')
    return { ...common, kind: item.kind, author: item.author, details: item.details };
  const { result, count, ipAddress, userAgent, referrer, recipientAddress, downloads } = item;
  return {
    ...common,
    kind: item.kind,
    result,
    count,
    ipAddress,
    userAgent,
    ...(recipientAddress !== undefined && { recipientAddress }),
    ...(referrer !== undefined && { referrer }),
    preview: isPreviewResult(result),
    downloads: downloads.map((download) => ({ ...download, at: toTime(download.at) })),
  };
}

/** Returns the end of a chain as the API shows it. */
export function toHeadRecord({ entryCount, fingerprint }: ChainHead): Static<typeof HistoryHead> {
  return { entryCount, fingerprint };
}

export const CSV_HEADER = toCsvLine([
  ...['at', 'kind', 'number', 'shortCode', 'result', 'count', 'preview', 'ipAddress', 'userAgent'],
  ...[
    'referrer',
    'recipientAddress',
    'downloadAt',
    'bytesSent',
    'isSentCompletely',
    'resumed',
    'authorKind',
    'authorName',
    'details',
    'id',
  ],
  'personalSha256',
]);

/** Returns an entry as a line of CSV. The address of a change is that of its author. */
export function toItemLine(item: HistoryItem): string {
  const { id, at, kind, number, shortCode, personalSha256 = null } = item;
  const common = [toTime(at), kind, number, shortCode];
  if (item.kind !== 'ATTEMPT') {
    const { author, details } = item;
    const cells = [
      null,
      null,
      null,
      author.ipAddress,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      author.kind,
      author.name,
    ];
    return toCsvLine([...common, ...cells, JSON.stringify(details), id, personalSha256]);
  }
  const { result, count, ipAddress, userAgent, referrer = null, recipientAddress = null, downloads } = item;
  const sent = sumUpDownloads(downloads);
  const endedAt = Math.max(...downloads.map(({ at }) => at));
  const end = sent
    ? [toTime(endedAt), sent.bytesSent, sent.isComplete, sent.resumed]
    : [null, null, null, null];
  const cells = [
    result,
    count,
    isPreviewResult(result),
    ipAddress,
    userAgent,
    referrer,
    recipientAddress,
    ...end,
  ];
  return toCsvLine([...common, ...cells, null, null, null, id, personalSha256]);
}

function toTime(at: EpochMs): string {
  return new Date(at).toISOString();
}
