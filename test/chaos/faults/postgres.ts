import { type Arena, postgresOf } from '../arena.ts';

/** Ends the server as a crash would, and starts it again. */
export async function postgresKilled(arena: Arena): Promise<void> {
  const { server } = postgresOf(arena);
  await server.crash();
  await arena.hold();
  await server.start();
}
