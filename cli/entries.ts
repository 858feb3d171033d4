import type { AttemptEntry, ChangeEntry } from '../client/client.ts';
import { type Delivery, sumUpDownloads } from '../src/core/model/history.ts';
import type { Column } from './table.ts';
import { formatBytes, formatTime, TIME_ZONE } from './texts.ts';

export const ENTRY_COLUMNS: readonly Column[] = [
  { title: `TIME (${TIME_ZONE})` },
  { title: 'ENTRY' },
  { title: 'BY', isFlexible: true },
  { title: 'DETAILS', isFlexible: true },
];

/** Returns an entry of a history as a row for a person. */
export function describeEntry(entry: AttemptEntry | ChangeEntry): string[] {
  const time = formatTime(entry.at);
  const erased = entry.personalSha256 === undefined ? null : 'without personal data';
  if (entry.kind !== 'ATTEMPT')
    return [time, entry.kind, erased ?? describeAuthor(entry.author), describeDetails(entry)];
  const { result, count, downloads, userAgent, referrer, recipientAddress } = entry;
  const outcome = count > 1 ? `${result} (${count} times)` : result;
  const sent = describeDelivery(sumUpDownloads(downloads));
  const from = referrer === undefined ? null : `from ${referrer}`;
  const recipient =
    recipientAddress === undefined ? null : `${RECIPIENT_WORDS[result] ?? 'for'} ${recipientAddress}`;
  const details = [recipient, sent, from, userAgent].filter((text) => text !== null).join('; ');
  return [time, outcome, erased ?? entry.ipAddress ?? '', details];
}

const RECIPIENT_WORDS: Partial<Record<AttemptEntry['result'], string>> = {
  SUCCESS: 'by a person who controlled',
  RECIPIENT_REQUIRED: 'code requested for',
  INVALID_RECIPIENT: 'wrong code for',
};

function describeDelivery(sent: Delivery | undefined): string | null {
  if (!sent) return null;
  const bytes = formatBytes(sent.bytesSent);
  const text = sent.isComplete
    ? `${bytes} sent completely by the service`
    : `only ${bytes} sent by the service`;
  return sent.resumed === 0 ? text : `${text}, in ${sent.resumed + 1} parts`;
}

function describeAuthor({ kind, name, ipAddress }: ChangeEntry['author']): string {
  return name === null ? (ipAddress ?? kind.toLowerCase()) : `${kind.toLowerCase()} ${name}`;
}

function describeDetails({ details }: ChangeEntry): string {
  return Object.entries(details)
    .map(([name, value]) => `${name} ${describeTerm(value)}`)
    .join(', ');
}

/** Describes a term. A changed one has its old and its new value. */
function describeTerm(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? 'none');
  const { old, new: next } = value as { old?: unknown; new?: unknown };
  return `${describeTerm(old)} → ${describeTerm(next)}`;
}
