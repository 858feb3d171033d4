import type { Arena } from '../arena.ts';
import { findLosses } from '../find-losses.ts';
import { readHealth } from '../health.ts';
import { beginDownload, beginUploads } from '../raw-clients.ts';
import { planUpload } from '../requests.ts';

const RESTARTS_WITHIN_MS = 5_000;

/** Kills the service again and again, each time after some responses, and checks after each start what is lost. */
export async function killed(arena: Arena): Promise<void> {
  const { clients, random, rounds, patience } = arena;
  let slowestMs = 0;
  for (let round = 1; round <= rounds; round++) {
    const begun = await beginUploads(arena, 1);
    await clients.waitForResponses(20 + random(300));
    const killedAt = performance.now();
    arena.endedAt = killedAt;
    await arena.kill();
    for (const socket of begun) socket.destroy();
    await arena.start();
    await clients.waitForResponses(1);
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - killedAt));
    // Not while requests are in flight: the tables of a database are read one after the other.
    await clients.pause();
    const state = await arena.readState();
    const health = await readHealth(arena);
    if (health !== 'UP') arena.report(`After kill ${round}: health is ${health}`);
    const losses = findLosses(clients.history, state, { errorsMayBe: undefined, forgiven: [] });
    clients.resume();
    for (const { text } of losses) arena.report(`After kill ${round}: ${text}`);
  }
  const text = `The slowest of ${rounds} restarts took ${slowestMs} ms from the kill to the first response`;
  if (slowestMs > RESTARTS_WITHIN_MS * patience) arena.report(text);
  else arena.note(text);
}

const FILE_BYTES = 8 * 1024 ** 2;
/** Some of them have read so much that the end of the file, at most 512 KiB, is being sent. */
const READ_BEFORE_STOP = Array.from({ length: 32 }, (_, index) => 1 + index * 256 * 1024);
/** The service then cuts off the requests that it still serves. */
const CUTS_OFF_AFTER_MS = 7_500;
const STOPS_WITHIN_MS = 10_000;
/** The clients read nothing for this time after the signal. */
const SLOW_CLIENT_MS = 500;

/** Stops the service while clients download a file. Each must get all of it. */
export async function stoppedWithDownloads(arena: Arena): Promise<void> {
  const { clients } = arena;
  const upload = planUpload(clients.nextAgent(), { sizeBytes: FILE_BYTES });
  const link = await clients.create({ ...upload, isPrivate: true }); // no other client revokes it
  const downloads = await Promise.all(
    READ_BEFORE_STOP.map((firstBytes) => beginDownload(arena, link.shortCode, firstBytes)),
  );
  const stoppedAt = performance.now();
  const stopping = arena.stop();
  await arena.process().waitForOutput(({ stdout }) => stdout.includes('"service_stopping"'));
  await arena.hold(SLOW_CLIENT_MS);
  const sizes = await Promise.all(downloads.map(({ finish }) => finish()));
  const { code } = await stopping;
  const ms = Math.round(performance.now() - stoppedAt);
  const cut = sizes.filter((bytes) => bytes !== FILE_BYTES);
  if (ms > STOPS_WITHIN_MS * arena.patience) arena.report(`The service took ${ms} ms to stop`);
  if (ms > CUTS_OFF_AFTER_MS) arena.note(`The stop took ${ms} ms, so that it may have cut downloads off`);
  else if (cut.length > 0)
    arena.report(`${cut.length} of ${sizes.length} downloads were cut, after ${cut.join(', ')} bytes`);
  else if (code !== 0) arena.report(`The stopped service ended with ${code}`);
  await arena.start();
}
