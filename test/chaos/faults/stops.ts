import type { Arena } from '../arena.ts';
import { findLosses } from '../find-losses.ts';
import { beginUploads, openSlowly } from '../raw-clients.ts';
import { planUpload } from '../requests.ts';

/** Kills the service again and again, each time after some responses, and checks after each start what is lost. */
export async function killed(arena: Arena): Promise<void> {
  const { clients, random, rounds } = arena;
  for (let round = 1; round <= rounds; round++) {
    const begun = await beginUploads(arena, 1);
    await clients.waitForResponses(20 + random(400));
    await arena.kill();
    for (const socket of begun) socket.destroy();
    await arena.start();
    const state = await arena.readState();
    const losses = findLosses(clients.history, state, { mayCountErrors: false, forgiven: [] });
    for (const { text } of losses) arena.report(`After kill ${round}: ${text}`);
  }
}

const DOWNLOADS = 5;
const FILE_BYTES = 4 * 1024 ** 2;
const STOPS_WITHIN_MS = 10_000;

/** Stops the service while clients read a file slowly. Each must get all of it. */
export async function stoppedWithDownloads(arena: Arena): Promise<void> {
  const { clients } = arena;
  const planned = planUpload(clients.nextAgent(), { sizeBytes: FILE_BYTES });
  await clients.sendOne(planned);
  const link = [...clients.history.links.values()].find(({ target }) => target === planned.creates?.target);
  if (!link) throw new Error('The file for the downloads was not uploaded');
  const downloads = await Promise.all(
    Array.from({ length: DOWNLOADS }, () => openSlowly(arena, link.shortCode)),
  );
  const stoppedAt = performance.now();
  const { code } = await arena.stop();
  const ms = Math.round(performance.now() - stoppedAt);
  const sizes = await Promise.all(downloads.map(({ receivedBytes }) => receivedBytes));
  const cut = sizes.filter((bytes) => bytes !== FILE_BYTES);
  if (cut.length > 0) arena.report(`${cut.length} of ${DOWNLOADS} downloads were cut, after ${cut} bytes`);
  if (code !== 0) arena.report(`The stopped service ended with ${code}`);
  if (ms > STOPS_WITHIN_MS) arena.report(`The service took ${ms} ms to stop`);
  await arena.start();
}
