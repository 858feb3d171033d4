import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const PART_BYTES = 16 * 1024 * 1024;

/** Returns which of some byte sequences are in the memory of a process, which this one or root has started. */
export function findInMemory(pid: number, wanted: ReadonlyMap<string, Buffer>): Set<string> {
  const found = new Set<string>();
  const overlap = Math.max(...[...wanted.values()].map(({ length }) => length)) - 1;
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const part = Buffer.alloc(PART_BYTES + overlap);
  try {
    for (const [start, end] of readableRegions(pid)) {
      for (let at = start; at < end; at += PART_BYTES) {
        const length = Math.min(part.length, end - at);
        const bytes = part.subarray(0, readPart(memory, part.subarray(0, length), at));
        for (const [name, sequence] of wanted) if (bytes.includes(sequence)) found.add(name);
      }
    }
  } finally {
    closeSync(memory);
  }
  return found;
}

/** Returns where the memory of a process can be read: addresses of user space are below 2^47. */
function readableRegions(pid: number): [number, number][] {
  const lines = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n');
  return lines
    .filter((line) => /^\S+ r/.test(line) && !/\[v(?:var|syscall)/.test(line))
    .map((line) => line.split(/[- ]/, 2).map((text) => Number.parseInt(text, 16)))
    .map(([start = 0, end = 0]) => [start, end]);
}

/** Reads what there is: a region may have vanished, or end before the pages of its file. */
function readPart(memory: number, part: Buffer, position: number): number {
  try {
    return readSync(memory, part, 0, part.length, position);
  } catch {
    return 0;
  }
}
