import { Agent, get, type OutgoingHttpHeaders } from 'node:http';

/** Gets a path over a persistent connection and returns the milliseconds until the response is complete. */
export type TimedGet = (path: string, status: number) => Promise<number>;

/** Opens a client in this process, for loads so light that it takes no CPU from the server. */
export function openClient(
  url: string,
  options: { connections: number; headers?: OutgoingHttpHeaders },
): { get: TimedGet; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections });
  return {
    get: (path, status) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now();
        get(`${url}${path}`, { agent, ...(options.headers && { headers: options.headers }) }, (response) => {
          response.resume();
          response.once('error', reject);
          response.once('end', () => {
            if (response.statusCode === status) resolve(performance.now() - startedAt);
            else reject(new Error(`${path}: status ${response.statusCode} instead of ${status}`));
          });
        }).once('error', reject);
      }),
    close: () => agent.destroy(),
  };
}
