import { type Server, send } from './http-client.ts';

const EVERY_MS = 100;

/** The responses of the service to the requests of a probe. `errors` has those other than 200. */
export type Liveness = { probes: number; worstMs: number; errors: string[] };

/** Requests liveness again and again, each time on a new connection, until it is stopped. */
export function watchLiveness(server: Server): { stop(): Promise<Liveness> } {
  const seen: Liveness = { probes: 0, worstMs: 0, errors: [] };
  let isStopped = false;
  async function probe(): Promise<void> {
    while (!isStopped) {
      const startedAt = performance.now();
      try {
        const { status } = await send(server, '/actuator/health/liveness');
        if (status !== 200) seen.errors.push(`liveness answered ${status}`);
      } catch (error) {
        seen.errors.push(`liveness failed: ${String(error)}`);
      }
      seen.worstMs = Math.max(seen.worstMs, performance.now() - startedAt);
      seen.probes++;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  }
  const probing = probe();
  return {
    async stop() {
      isStopped = true;
      await probing;
      return seen;
    },
  };
}
