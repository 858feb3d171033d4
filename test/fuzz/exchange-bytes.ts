import { connect } from 'node:net';
import type { Sent } from './kinds.ts';

/** A server that neither responds nor closes within this time hangs. It includes waiting on a loaded machine. */
const MAX_EXCHANGE_MS = 20_000;
/** After this silence, a client that waits half-closes the connection. */
const SILENCE_MS = 150;
/** The same after a response has begun. */
const SILENCE_AFTER_BYTES_MS = 30;

/** The output of a connection. `hangs` is true if the server did not close it in time. */
export type Received = { bytes: Buffer; hangs: boolean };

/** Sends bytes on a connection of their own and reads what comes back until the server closes it. */
export function exchangeBytes(port: number, { bytes, cuts, end }: Sent): Promise<Received> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    let isHanging = false;
    let silence: NodeJS.Timeout | undefined;
    const tooLong = setTimeout(() => {
      isHanging = true;
      socket.destroy();
    }, MAX_EXCHANGE_MS);
    const endAfter = (ms: number): void => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.end(), ms);
    };
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (end === 'wait') endAfter(SILENCE_AFTER_BYTES_MS);
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined); // a server may reset a connection; what counts is what it did before
    socket.once('close', () => {
      clearTimeout(tooLong);
      clearTimeout(silence);
      resolve({ bytes: Buffer.concat(chunks), hangs: isHanging });
    });
    socket.once('connect', () => {
      const pieces = divide(bytes, cuts);
      const writeNext = (): void => {
        const piece = pieces.shift();
        if (piece && socket.writable) socket.write(piece, () => setImmediate(writeNext));
        else if (end === 'reset') socket.resetAndDestroy();
        else if (end === 'half-close') socket.end();
        else endAfter(SILENCE_MS);
      };
      writeNext();
    });
  });
}

function divide(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const positions = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...positions].map((start, index) => bytes.subarray(start, positions[index] ?? bytes.length));
}
