import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createKeyFile } from '../adapters/key-file.ts';
import { askWitness } from '../adapters/witness.ts';
import { messageOf } from '../common/error-details.ts';
import type { Config } from '../core/config/config.ts';
import { formatInstant } from '../core/model/instant.ts';
import type { Problem } from '../core/model/problem.ts';
import { UnavailableError } from '../core/model/unavailable.ts';
import type { EvidenceStore, KeyKeeper } from '../core/ports/evidence.ts';
import type { Clock } from '../core/ports/ports.ts';
import { prepareAskWitnesses } from '../core/use-cases/evidence/ask-witnesses.ts';
import {
  CheckpointRefused,
  type EvidenceParts,
  prepareSignCheckpoint,
  rotateKey,
} from '../core/use-cases/evidence/sign-checkpoint.ts';

/** Returns the path of the key of the log; null where none is named, and the database has no place beside it. */
export function keyPathOf({ evidence, database }: Pick<Config, 'evidence' | 'database'>): string | null {
  if (evidence.keyFile !== null) return evidence.keyFile;
  return database.kind === 'sqlite' ? `${realpathSync(database.path)}-evidence-key` : null;
}

/** Returns a name that no other log has, below the address of the service. */
function newOriginAt(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  return `${host}${pathname.replace(/\/$/, '').replaceAll('+', '%2B')}/log/${randomBytes(6).toString('hex')}`;
}

/** A stop waits so long for transactions that other programs have open. */
const LAST_CHECKPOINT_MS = 1_000;
/** So many checkpoints in a row may miss a signature before health has the problem: a witness may be restarting. */
const MAX_FAILURES = 3;
const describe = (failing: ReadonlyMap<string, string>): string =>
  [...failing].map(([name, error]) => `${name}: ${error}`).join('; ');

const composeParts = (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  parts: Omit<EvidenceParts, 'newOrigin'>,
): EvidenceParts => ({ ...parts, newOrigin: () => newOriginAt(baseUrl) });

/**
 * Begins a new log on a restored database with a key that the one of its backup signs. Writes only the new key, at once:
 * with that of the backup, a service would sign what the old log may contradict. Returns whether the old key has signed it.
 */
export async function beginRestoredLog(
  config: Config,
  evidence: EvidenceStore,
  { path, readKey }: { path: string; readKey: KeyKeeper['read'] },
): Promise<boolean> {
  const keeper = { ...createKeyFile(path), read: readKey };
  const rotated = await rotateKey(composeParts(config, { evidence, clock: Date.now, keeper }), {
    isNewLog: true,
  });
  return rotated?.formerKey != null;
}

/** Returns the warning where the service has no key, but the log has a checkpoint, as after a move from SQLite. */
export async function findKeyWarnings(config: Config, evidence: EvidenceStore): Promise<string[]> {
  if (keyPathOf(config) !== null) return [];
  const signed = (await evidence.readTree())?.signed;
  return signed
    ? [
        `This instance signs no checkpoints, and the newest one of the log is from ${formatInstant(signed.at)}: unless another ` +
          'instance signs them, set app.evidence.key-file (APP_EVIDENCE_KEY_FILE) to its key, with the file .newest beside it.',
      ]
    : [];
}

/** Composes what signs checkpoints; undefined where the service has no key. */
export function composeEvidence(config: Config, evidence: EvidenceStore, clock: Clock) {
  const path = keyPathOf(config);
  if (path === null) return undefined;
  const parts = composeParts(config, { evidence, clock, keeper: createKeyFile(path) });
  const sign = prepareSignCheckpoint(parts);
  const ask = prepareAskWitnesses(evidence, config.evidence.witnesses, askWitness);
  let failing = new Map<string, string>();
  let failures = 0;
  let running: Promise<unknown> = Promise.resolve();
  let refused: string | undefined;
  let hasRun = false;

  async function run(stopping?: AbortSignal): Promise<void> {
    hasRun = true;
    try {
      await sign(stopping);
      refused = undefined;
    } catch (error) {
      if (!(error instanceof UnavailableError)) refused = messageOf(error);
      if (!(error instanceof CheckpointRefused)) throw error; // health and log have the problem
    }
  }

  /** Runs what signs or changes the key, once what runs has ended. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = running.then(work);
    running = next.catch(() => {});
    return next;
  }
  const signNext = (stopping?: AbortSignal): Promise<void> => inTurn(() => run(stopping));

  /** Asks the witnesses, beside what is signed. Their errors are no errors of the run. */
  async function askWitnesses(stopping?: AbortSignal): Promise<void> {
    const found = await ask(stopping);
    if (stopping?.aborted) return;
    failing = found;
    failures = failing.size > 0 ? failures + 1 : 0;
  }

  return {
    /** Signs a checkpoint, and then lets the witnesses sign it. */
    sign: (stopping?: AbortSignal): Promise<void> => signNext(stopping).then(() => askWitnesses(stopping)),
    /** Signs the last checkpoint before a stop, where the job runs: a command signs none. */
    signLast: async (): Promise<void> =>
      hasRun ? signNext(AbortSignal.timeout(LAST_CHECKPOINT_MS)) : undefined,
    rotate: (isNewLog: boolean) => inTurn(() => rotateKey(parts, { isNewLog })),
    /** Finds why no checkpoint is signed, and once `MAX_FAILURES` missed a signature, which witnesses did not sign the last. */
    findProblems: (): [Problem, string][] => [
      ...(refused === undefined ? [] : [['checkpoint_refused', refused] as [Problem, string]]),
      ...(failures < MAX_FAILURES ? [] : [['witness_unavailable', describe(failing)] as [Problem, string]]),
    ],
  };
}
