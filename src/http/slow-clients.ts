import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type RequestError } from './errors.ts';

/** JSON and the forms of pages must arrive within this time; the rate of uploads and downloads is its average. */
const WINDOW_MS = 30_000;
const CHECK_EACH_MS = 1_000;
/**
 * The bytes by which a download may be ahead of the minimum rate. Linux takes further bytes only when much of a send
 * buffer, by default at most 4 MiB, has drained. A client at twice the minimum rate uses up half of that meanwhile.
 */
export const MAX_SURPLUS_BYTES = 2 * 1024 ** 2;

/** Cuts off bodies and downloads of clients that are too slow. */
export type SlowClients = {
  /** Watches a request's body until it has arrived. */
  watchBody(request: IncomingMessage, response: ServerResponse): void;
  /** Watches a response whose bytes are being sent until its end. */
  watchDownload(response: ServerResponse): void;
  /** Cuts off every client that is too slow by now. It runs each second by itself. */
  check(): void;
  /** Ends all watching. */
  stop(): void;
};

type Settings = {
  /** The minimum rate of uploads and downloads; 0 is no minimum. */
  minBytesPerSecond: number;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  onCutOff: (reason: 'slow_body' | 'slow_download') => void;
  /**
   * Returns the bytes that were handed to a socket. The system has not taken all of the last ones yet: at most 512 KiB of
   * a file, whose next part waits for the one before the last.
   */
  sentBytes?: (socket: Socket) => number;
};

/** Reads a body, and fails when it arrives too slowly. */
type BodyReader = { size: 'small' | 'large'; fail: (error: RequestError) => void };

const readers = new WeakMap<IncomingMessage, BodyReader>();

/**
 * Registers who responds to a body that arrives too slowly. A large body only needs the minimum rate. Without
 * a reader, and once the response has begun, the connection is destroyed.
 */
export function failWhenSlow(
  request: IncomingMessage,
  fail: BodyReader['fail'],
  size: BodyReader['size'] = 'small',
): void {
  readers.set(request, { size, fail });
}

/** A body or a download, as far as its speed matters. */
type Transfer = {
  isOver: () => boolean;
  /** Returns true while the service, and not the client, holds up the transfer. */
  isHeldUp: () => boolean;
  bytes: () => number;
  /** Returns the bytes that a window needs; Infinity when the transfer must end within it. */
  minBytes: () => number;
  /** The most bytes above the minimum that count for later windows. */
  maxSurplusBytes: number;
  cutOff: () => void;
};

type WatchedTransfer = Transfer & {
  windowStartMs: number;
  /** The bytes at the start of the window, less those that earlier windows had above their minimum. */
  startBytes: number;
};

export function createSlowClients(settings: Settings): SlowClients {
  const { minBytesPerSecond, elapsedMs, onCutOff, sentBytes = ({ bytesWritten }) => bytesWritten } = settings;
  const transfers = new Set<WatchedTransfer>();
  const minBytesPerWindow = (minBytesPerSecond * WINDOW_MS) / 1000;

  function watch(transfer: Transfer): WatchedTransfer {
    const watched = { ...transfer, windowStartMs: elapsedMs(), startBytes: transfer.bytes() };
    transfers.add(watched);
    return watched;
  }

  function beginWindow(transfer: WatchedTransfer, now: number, usedBytes: number): void {
    transfer.windowStartMs = now;
    const leastBytes = transfer.bytes() - transfer.maxSurplusBytes;
    transfer.startBytes = Math.max(transfer.startBytes + usedBytes, leastBytes);
  }

  function check(): void {
    const now = elapsedMs();
    for (const transfer of transfers) {
      if (transfer.isOver()) transfers.delete(transfer);
      else if (transfer.isHeldUp()) beginWindow(transfer, now, 0);
      else if (now - transfer.windowStartMs >= WINDOW_MS) {
        const minBytes = transfer.minBytes();
        const isTooSlow = transfer.bytes() - transfer.startBytes < minBytes;
        beginWindow(transfer, now, minBytes);
        if (isTooSlow) transfer.cutOff();
      }
    }
  }

  const checking = setInterval(check, CHECK_EACH_MS).unref();
  return {
    watchBody(request, response) {
      const transfer = watch(toBodyTransfer(request, response, { minBytesPerWindow, onCutOff }));
      request.once('close', () => transfers.delete(transfer));
    },
    watchDownload(response) {
      const { socket } = response;
      // A steady client may take no byte for minutes. A listener keeps the socket open when it is idle.
      response.on('timeout', () => undefined);
      if (!socket || minBytesPerWindow === 0) return;
      const bytes = () => sentBytes(socket);
      watch(toDownloadTransfer(response, socket, { bytes, minBytes: () => minBytesPerWindow, onCutOff }));
    },
    check,
    stop: () => clearInterval(checking),
  };
}

function toBodyTransfer(
  request: IncomingMessage,
  response: ServerResponse,
  { minBytesPerWindow, onCutOff }: { minBytesPerWindow: number } & Pick<Settings, 'onCutOff'>,
): Transfer {
  const { socket } = request;
  return {
    isOver: () => request.complete || socket.destroyed,
    isHeldUp: () => request.readableLength > 0 || request.isPaused(),
    bytes: () => socket.bytesRead,
    minBytes: () => (readers.get(request)?.size === 'large' ? minBytesPerWindow : Number.POSITIVE_INFINITY),
    maxSurplusBytes: 0,
    cutOff() {
      onCutOff('slow_body');
      const reader = readers.get(request);
      // A response that has begun leaves no other way; it may be one that refused the body.
      if (reader && !response.headersSent) reader.fail(ERRORS.requestTimeout());
      else socket.destroy();
    },
  };
}

function toDownloadTransfer(
  response: ServerResponse,
  socket: Socket,
  { onCutOff, ...measured }: Pick<Transfer, 'bytes' | 'minBytes'> & Pick<Settings, 'onCutOff'>,
): Transfer {
  return {
    ...measured,
    isOver: () => response.writableFinished || socket.destroyed,
    isHeldUp: () => socket.writableLength === 0,
    maxSurplusBytes: MAX_SURPLUS_BYTES,
    cutOff() {
      onCutOff('slow_download');
      response.destroy(new Error('The client read more slowly than app.limits.min-rate'));
    },
  };
}
