import { createEventParser } from '../../client/event-parser.ts';
import { credentialHeaders, loadKey, reportRefusal } from './api-key.ts';
import { parseJson } from './outcome.ts';
import { serviceUrl } from './requests.ts';

/** A stream of server-sent events. It is read with `fetch`, because `EventSource` sends no key and no token. */
type Live = {
  path: string;
  /** The token of the link that the path names, where the user has it. */
  token?: string | undefined;
  /** Called with the data of each event. */
  onEvent(data: unknown): void;
  /** Called with true once the stream is open, and with false when it is not open any more. */
  onConnection(isOpen: boolean): void;
};

/** Tries again after this time, doubled by each further failure. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** Only a proxy that collects responses delays the first bytes for longer. */
const MAX_FIRST_SILENCE_MS = 10_000;
/** The service sends a comment each 15 s. */
const MAX_SILENCE_MS = 45_000;

/** Follows a stream, and connects again when it ends. Returns a function that stops this. */
export function followEvents(live: Live): () => void {
  const stopped = new AbortController();
  void reconnect(live, stopped.signal);
  return () => stopped.abort();
}

async function reconnect(live: Live, signal: AbortSignal): Promise<void> {
  const read = createReader(live);
  for (let failures = 0; !signal.aborted; ) {
    const wasOpen = await read(signal);
    if (signal.aborted) return;
    if (wasOpen) live.onConnection(false);
    failures = wasOpen ? 0 : failures + 1;
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
    // The pages that a stop of the service disconnects do not come back all at once.
    await wait(delayMs * (0.5 + Math.random() / 2), signal);
  }
}

/** Returns a function that reads one response to its end, and resolves to whether it was a stream. */
function createReader({ path, token, onEvent, onConnection }: Live) {
  let lastId: string | undefined;

  async function readBody(body: ReadableStream<BufferSource>, onChunk: () => void): Promise<void> {
    const parse = createEventParser(({ id = lastId, data }) => {
      lastId = id;
      if (data !== undefined) onEvent(parseJson(data));
    });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let isFirst = true; ; isFirst = false) {
      const { done, value } = await reader.read();
      if (done) return;
      if (isFirst) onConnection(true);
      onChunk();
      parse(value);
    }
  }

  return async (stopped: AbortSignal): Promise<boolean> => {
    const key = loadKey();
    const silence = watchSilence(stopped);
    let isOpen = false;
    try {
      const response = await fetch(serviceUrl(path), {
        headers: {
          accept: 'text/event-stream',
          ...credentialHeaders(key, token),
          ...(lastId !== undefined && { 'last-event-id': lastId }),
        },
        cache: 'no-store',
        signal: silence.signal,
      });
      if (response.status === 401) reportRefusal(key);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (!response.ok || !isStream || !response.body) return false;
      await readBody(response.body, () => {
        isOpen = true;
        silence.restart();
      });
    } catch {
      // The service or the network is gone, the stream was silent for too long, or it was stopped.
    } finally {
      silence.end();
    }
    return isOpen;
  };
}

/** Returns a signal that is aborted after a time without `restart`, and when `stopped` is. */
function watchSilence(stopped: AbortSignal) {
  const silent = new AbortController();
  const abort = (): void => silent.abort();
  let timer = setTimeout(abort, MAX_FIRST_SILENCE_MS);
  return {
    signal: AbortSignal.any([stopped, silent.signal]),
    restart(): void {
      clearTimeout(timer);
      timer = setTimeout(abort, MAX_SILENCE_MS);
    },
    /** Releases the response too, where it was not read to its end. */
    end(): void {
      clearTimeout(timer);
      abort();
    },
  };
}

/** Resolves after a time, and at once when `signal` is aborted. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
