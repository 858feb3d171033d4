import { Agent, get } from 'node:http';

/** Gets a path over kept connections and gives the milliseconds until the answer was whole. */
export type TimedGet = (path: string, status: number) => Promise<number>;

/** A client of this process, for loads so light that it costs the server nothing. */
export function openClient(url: string, options: { connections: number }): { get: TimedGet; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  return {
    get: (path, status) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        get(`${url}${path}`, { agent }, (response) => {
          response.resume();
          response.once('error', reject);
          response.once('end', () => {
            if (response.statusCode === status) resolve(performance.now() - startedAt);
            else reject(new Error(`${path}: status ${response.statusCode} in place of ${status}`));
          });
        }).once('error', reject);
      }),
    close: () => agent.destroy(),
  };
}
