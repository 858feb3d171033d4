import { dropOldest } from './drop-oldest.ts';

/** A client chooses among thousands of regions of a language. */
const MAX_KEPT = 100;

/** Returns a function that makes a formatter once for each key: making one takes longer than formatting 100 numbers. */
export function memoize<Key extends string[], Made>(make: (...key: Key) => Made): (...key: Key) => Made {
  const kept = new Map<string, Made>();
  return (...key) => {
    const name = key.join(' ');
    const made = kept.get(name) ?? make(...key);
    kept.set(name, made);
    dropOldest(kept, MAX_KEPT);
    return made;
  };
}
