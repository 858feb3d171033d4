import type { StartTimer } from '../core/ports/ports.ts';

const READ_EACH_MS = 1_000;
/** With more sources than this, each is read less often: watching costs the store this much at most. */
const MAX_READS_PER_SECOND = 200;

/** Reads the version of a source: a text that differs when the source has changed. Undefined: the source does not exist. */
export type ReadVersion = () => Promise<string | undefined>;
export type OnVersion = (version: string) => void;

/** Reads sources while at least one listener waits for their changes, once for all listeners of a source. */
export type VersionWatcher = {
  /**
   * Calls `onVersion` with the version of a source as soon as it is known, and with each later one. A source is
   * read at most once a second, so versions in between are skipped. Returns a function that ends this.
   */
  watch(source: string, read: ReadVersion, onVersion: OnVersion): () => void;
};

type Watched = {
  read: ReadVersion;
  listeners: Set<OnVersion>;
  version: string | undefined;
  stopTimer: () => void;
};

/** @param options.onError is called with the first of successive errors; the sources are read again all the same */
export function createVersionWatcher(options: {
  startTimer: StartTimer;
  onError: (error: unknown) => void;
}): VersionWatcher {
  const sources = new Map<string, Watched>();
  let isFailing = false;

  async function poll(watched: Watched): Promise<void> {
    const version = await readOrFormer(watched);
    if (watched.listeners.size === 0) return; // all left meanwhile
    if (version !== undefined && version !== watched.version) {
      watched.version = version;
      for (const onVersion of [...watched.listeners]) onVersion(version);
    }
    const delayMs = Math.max(READ_EACH_MS, (sources.size * 1_000) / MAX_READS_PER_SECOND);
    watched.stopTimer = options.startTimer(() => void poll(watched), delayMs);
  }

  async function readOrFormer({ read, version: former }: Watched): Promise<string | undefined> {
    try {
      const version = await read();
      isFailing = false;
      return version;
    } catch (error) {
      if (!isFailing) options.onError(error);
      isFailing = true;
      return former;
    }
  }

  function add(source: string, read: ReadVersion): Watched {
    const watched = { read, listeners: new Set<OnVersion>(), version: undefined, stopTimer: () => {} };
    sources.set(source, watched);
    return watched;
  }

  return {
    watch(source, read, onVersion) {
      const known = sources.get(source);
      const watched = known ?? add(source, read);
      watched.listeners.add(onVersion);
      if (!known) void poll(watched);
      else if (known.version !== undefined) onVersion(known.version);
      return () => {
        watched.listeners.delete(onVersion);
        if (watched.listeners.size > 0) return;
        watched.stopTimer();
        if (sources.get(source) === watched) sources.delete(source);
      };
    },
  };
}
