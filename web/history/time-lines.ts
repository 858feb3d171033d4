import { type Entry, leadsTo, numbersOf } from '../service/history.ts';

/**
 * One line of a timeline: an entry, with later requests for a code that repeat it. `steps`: the pages that the visitor got before.
 */
export type Line = { entry: Entry; repeats: Entry[]; steps?: Entry[] };

/**
 * Folds the requests for a code of one address, or views of the page that asks for it, up to an opening, and the pages that lead
 * to an opening. Oldest first.
 */
export function foldRequests(entries: readonly Entry[]): Line[] {
  const lines: Line[] = [];
  const open = new Map<string, Line>();
  for (const entry of entries) {
    const address = entry.kind === 'ATTEMPT' ? (entry.recipientAddress ?? '').toLowerCase() : '';
    if (isOpening(entry)) for (const each of [address, '']) open.delete(each);
    const known = isRequest(entry) ? open.get(address) : undefined;
    if (known) known.repeats.push(entry);
    else {
      const steps: Entry[] = [];
      for (let last = lines.at(-1); last && leadsTo(last.entry, entry, steps); last = lines.at(-1)) {
        steps.unshift(last.entry);
        lines.pop();
      }
      lines.push({ entry, repeats: [], ...(steps.length > 0 && { steps }) });
    }
    const [line] = lines.slice(-1);
    if (line && !known && isRequest(entry)) open.set(address, line);
  }
  return lines;
}

const isOpening = (entry: Entry): boolean => entry.kind === 'ATTEMPT' && entry.result === 'SUCCESS';
/** The address of an erased entry is unknown. */
const isRequest = (entry: Entry): boolean =>
  entry.kind === 'ATTEMPT' && entry.result === 'RECIPIENT_REQUIRED' && entry.personalSha256 === undefined;

/** Orders entries by what a reader must see of a long history: its creation, the openings, codes that were asked for. */
function rankOf(entry: Entry): number {
  if (entry.kind === 'CREATED') return 3;
  if (isOpening(entry)) return 2;
  return isRequest(entry) && entry.kind === 'ATTEMPT' && entry.recipientAddress !== undefined ? 1 : 0;
}

/** Returns the lines that fit in their order: the newest of each rank, and always the first opening. */
export function selectLines(lines: readonly Line[], max: number): Line[] {
  const first = lines.find(({ entry }) => isOpening(entry));
  const rank = (line: Line): number => (line === first ? 3 : rankOf(line.entry));
  return lines
    .toSorted((a, b) => rank(b) - rank(a) || b.entry.number - a.entry.number)
    .slice(0, Math.max(0, max))
    .sort((a, b) => a.entry.number - b.entry.number);
}

/** Returns the numbers of all entries of a line. */
export const numbersOfLine = ({ entry, repeats, steps = [] }: Line): number[] =>
  [...steps, entry, ...repeats].flatMap(numbersOf);

/** Returns the place among lines before which entries are missing; undefined where none is. */
export function findGap(lines: readonly Line[], lastNumber: number): number | undefined {
  const shown = new Set(lines.flatMap(numbersOfLine));
  const isAfterGap = (number: number): boolean => number > 1 && !shown.has(number - 1);
  const index = lines.findIndex((line) => isAfterGap(Math.min(...numbersOfLine(line))));
  if (index >= 0) return index;
  return shown.has(lastNumber) ? undefined : lines.length;
}
