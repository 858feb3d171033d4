import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../src/common/error-details.ts';
import { prepareSweepUploads, STALE_UPLOAD_MS } from '../../src/core/use-cases/files/sweep-uploads.ts';
import { composeFiles, openStores } from '../../src/service/open-stores.ts';
import { configOf, eventually, runCommand } from '../drive/arena.ts';
import { assertAuditsConsistent } from '../support/audit-consistency.ts';
import type { Arena } from './arena.ts';
import { checkFiles } from './check-files.ts';
import { type Entry, isNormal, labelOf } from './clients.ts';
import type { Fault, Purpose, Sees } from './fault.ts';
import { findLosses } from './find-losses.ts';
import type { Finding } from './finding.ts';
import type { StoredState } from './stored-state.ts';
import { checkWebhooks, findMissingEvents } from './webhooks.ts';

/** The beginning of what a check or a command reports. */
const MAX_OUTPUT = 600;

const problem = (text: string): Finding => ({ isLoss: false, text });

/**
 * Checks a service after any fault, while no request is in flight: nothing acknowledged is lost, no limit is overshot,
 * statistics equal a recount, every file is whole, and a sweep leaves nothing else. Stops the service.
 */
export async function checkFinally(arena: Arena, { errorsMayBe }: Fault): Promise<Finding[]> {
  const { history } = arena.clients;
  const state = await arena.readState();
  const losses = findLosses(history, state, { errorsMayBe, forgiven: arena.forgiven });
  const findings = [
    ...losses,
    ...history.wrong.map(problem),
    ...(await checkAllWebhooks(arena, state)),
    ...(await unlessConsistent('The statistics differ from a recount', () =>
      assertAuditsConsistent(arena.server, state),
    )),
    ...(await verify(arena)),
  ];
  const { code, signal } = await arena.stop();
  if (code !== 0) findings.push(problem(`The service ended with ${code ?? signal} when it was stopped`));
  return [
    ...findings,
    ...(await checkFiles(await composeFiles(configOf(arena)), state.links, history.entries)),
    ...(await checkSweep(arena, state)),
  ];
}

/** Longer than the lease of an instance that was killed, and a rest of the receiver. */
const WEBHOOKS_WITHIN_MS = 75_000;

/** Waits for the webhooks of all events, and checks them. */
async function checkAllWebhooks(arena: Arena, state: StoredState): Promise<Finding[]> {
  const { webhooks, forgiven } = arena;
  webhooks.acceptAll();
  const startedAt = performance.now();
  const missing = (): string[] => findMissingEvents(webhooks.received, state);
  if (arena.awaitsWebhooks) await eventually(async () => missing().length === 0, WEBHOOKS_WITHIN_MS);
  const waitedMs = Math.round(performance.now() - startedAt);
  arena.note(`${webhooks.received.length} webhooks arrived, the last ${waitedMs} ms after the load`);
  const lost = arena.awaitsWebhooks ? missing() : [];
  return [
    ...lost.map((event) => ({ isLoss: true, text: `${event} reached no receiver within ${waitedMs} ms` })),
    ...checkWebhooks(webhooks.received, state, { mayLackRecords: forgiven.length > 0 }),
  ];
}

async function unlessConsistent(what: string, check: () => Promise<void>): Promise<Finding[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return [problem(`${what}: ${messageOf(error).slice(0, MAX_OUTPUT)}`)];
  }
}

/** Runs `postern verify`. */
async function verify(arena: Arena): Promise<Finding[]> {
  const { code, stderr } = await runCommand('verify', arena);
  return code === 0 ? [] : [problem(`postern verify ended with ${code}: ${stderr.slice(0, MAX_OUTPUT)}`)];
}

/** Checks that a sweep of all stale uploads leaves the files of links and nothing else. */
async function checkSweep(arena: Arena, { links }: StoredState): Promise<Finding[]> {
  const { store, files } = await openStores(configOf(arena));
  try {
    const later = Date.now() + STALE_UPLOAD_MS + 60_000;
    await prepareSweepUploads({ files, uploads: store, links: store, elapsedMs: () => 0 })(later);
    const left = await store.claimStale(later, 1, '');
    const stored = (await Array.fromAsync(files.list())).map(({ fileId }) => fileId);
    const linked = new Set(links.flatMap(({ file }) => file?.id ?? []));
    const strays = [...stored.filter((id) => !linked.has(id)), ...unfinishedUploads(arena)];
    return [
      ...left.map((id) => problem(`The upload ${id} is in the ledger after the sweep`)),
      ...strays.map((id) => problem(`${id} belongs to no link, and the sweep left it`)),
    ];
  } catch (error) {
    return [problem(`The sweep failed: ${messageOf(error)}`)];
  } finally {
    await store.close();
  }
}

/** Returns what the storage holds of uploads that did not end. */
function unfinishedUploads({ s3, storagePath }: Arena): string[] {
  if (s3) return s3.remains().filter((name) => !name.includes(FILE_OF_AN_OBJECT));
  return readdirSync(join(storagePath, 'incoming')).map((name) => `incoming/${name}`);
}

/** The test server stores an object in files with this in their names; uploads that are open have their keys. */
const FILE_OF_AN_OBJECT = '._S3rver_';

function purposeOf({ kind, link }: Entry): Purpose {
  if (kind === 'bulk') return 'create';
  if (kind === 'create' || kind === 'upload' || kind === 'change') return kind;
  if (kind === 'revoke' || kind === 'statistics') return kind;
  return link && 'content' in link.target ? 'download' : 'visit';
}

/** Finds responses that clients may not see: during a fault those that it does not allow, otherwise any error. */
export function findUnexpected(
  entries: readonly Entry[],
  {
    sees,
    from,
    until,
    stoppedAt = Number.POSITIVE_INFINITY,
  }: { sees: Sees; from: number; until: number; stoppedAt?: number | undefined },
): Finding[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (!entry.outcome || isNormal(entry)) continue;
    const label = labelOf(entry.outcome);
    if (label === 'left') continue;
    const isDuring = entry.outcome.at >= from && entry.sentAt <= until;
    const allowed = [...(sees.any ?? []), ...(sees[purposeOf(entry)] ?? [])];
    if (isDuring && allowed.map(String).includes(label)) continue;
    if (isDuring && label === 'broken' && entry.sentAt >= stoppedAt) continue;
    const when = isDuring
      ? 'during the fault'
      : entry.sentAt < from
        ? 'before the fault'
        : 'after the recovery';
    const purpose = purposeOf(entry) === 'download' ? ', a download,' : '';
    const text = `${label} for "${entry.kind}"${purpose} ${when}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => problem(`${text}, ${count} times`));
}
