import type { ServiceProcess } from '../../support/process.ts';
import { startHaproxy } from '../../support/reverse-proxies.ts';
import type { Arena } from '../arena.ts';

/** HAProxy checks each instance every two seconds, and takes one up again after one good check. */
const NOTICED_MS = 3_000;

/** Puts the service and a second instance behind HAProxy, and stops and starts each of them while the other serves. */
export async function instancesRolled(arena: Arena): Promise<void> {
  const { clients, cleanup } = arena;
  const direct = arena.server.url;
  let other = await arena.startInstance();
  const proxy = await startHaproxy(cleanup, [direct, other.url]);
  await arena.hold(NOTICED_MS);
  await clients.pause();
  arena.server.url = proxy.url;
  clients.resume();
  for (let round = 1; round <= ROUNDS; round++) {
    await clients.waitForResponses(RESPONSES_BETWEEN);
    other.signal('SIGTERM');
    judgeEnd(arena, await other.exited);
    other = await arena.startInstance(portOf(other));
    await arena.hold(NOTICED_MS);
    await clients.waitForResponses(RESPONSES_BETWEEN);
    judgeEnd(arena, await arena.stop());
    await arena.start(Number(new URL(direct).port));
    arena.server.url = proxy.url;
    await arena.hold(NOTICED_MS);
  }
  await clients.waitForResponses(RESPONSES_BETWEEN);
  await clients.pause();
  arena.server.url = direct;
  clients.resume();
  other.signal('SIGTERM');
  judgeEnd(arena, await other.exited);
}

const ROUNDS = 3;
const RESPONSES_BETWEEN = 100;

const portOf = ({ url }: ServiceProcess): number => Number(new URL(url).port);

function judgeEnd(arena: Arena, { code, signal }: { code: number | null; signal: string | null }): void {
  if (code !== 0) arena.report(`A stopped instance ended with ${code ?? signal}`);
}
