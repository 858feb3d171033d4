import type { EntrySorter, SortedEntry } from '../../src/core/use-cases/history/exported/examine-export.ts';
import { readLines } from '../../src/core/use-cases/history/exported/read-lines.ts';

/** A run of this size is sorted in the memory of the page. */
const MAX_RUN_CHARACTERS = 4_000_000;

/** Entries in order. All but the next one are in a blob, which the browser keeps outside of the page. */
type Run = { next: SortedEntry; more: AsyncGenerator<SortedEntry, void, void> };

/** Sorts any number of entries with little memory: sorted runs in blobs, which are merged when they are read. */
export function createBlobSorter(maxRunCharacters = MAX_RUN_CHARACTERS): EntrySorter {
  let runs: Run[] = [];
  let entries: SortedEntry[] = [];
  let characters = 0;
  function endRun(): void {
    const [next, ...more] = entries.sort(compare);
    if (next) runs.push({ next, more: readEntries(new Blob([more.map(toLine).join('')])) });
    entries = [];
    characters = 0;
  }
  return {
    add(entry) {
      entries.push(entry);
      characters += entry.text.length;
      if (characters >= maxRunCharacters) endRun();
    },
    async *read() {
      endRun();
      while (runs.length > 0) {
        const first = leastOf(runs);
        const others = runs.filter((run) => run !== first);
        const limit = others.length > 0 ? leastOf(others).next : undefined;
        // An export is in order, so a run is usually read to its end.
        for (;;) {
          yield first.next;
          const more = await first.more.next();
          if (more.done) {
            runs = others;
            break;
          }
          first.next = more.value;
          if (limit && compare(limit, first.next) < 0) break;
        }
      }
    },
  };
}

const leastOf = (runs: readonly Run[]): Run =>
  runs.reduce((least, run) => (compare(run.next, least.next) < 0 ? run : least));

function compare(a: SortedEntry, b: SortedEntry): number {
  return a.number - b.number || a.line - b.line;
}

const toLine = (entry: SortedEntry): string => `${JSON.stringify(entry)}\n`;

async function* readEntries(blob: Blob): AsyncGenerator<SortedEntry, void, void> {
  for await (const lines of readLines(chunksOf(blob), Number.POSITIVE_INFINITY))
    for (const { text } of lines) yield JSON.parse(text) as SortedEntry; // as `toLine` wrote it
}

/** Reads a file in chunks. Not every browser iterates a stream. */
export async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel();
  }
}
