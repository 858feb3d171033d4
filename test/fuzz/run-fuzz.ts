import fc from 'fast-check';
import type { Cleanup } from '../support/cleanup.ts';
import { watchLiveness } from '../support/liveness.ts';
import { exchangeBytes, type Received } from './exchange-bytes.ts';
import { connections, KINDS, type Kind, type Sent } from './kinds.ts';
import { type Access, assertWorks, type FuzzTarget, startFuzzTarget } from './target.ts';

/**
 * `rounds` of all `kinds`, each with `runs` runs of up to eight connections, from the seed upwards; ends early after
 * `seconds`. `path` replays the one counterexample of a kind that fast-check printed.
 */
export type FuzzOptions = {
  seed: number;
  rounds: number;
  runs: number;
  seconds: number;
  kinds: readonly Kind[];
  access: Access;
  path?: string | undefined;
  onRound?: (figures: FuzzFigures) => void;
  /** Modules that are loaded before the service. */
  imports?: readonly string[];
};

/** The input, the count of each status, and the slowest liveness. */
export type FuzzFigures = {
  rounds: number;
  connections: number;
  /** The connections of each kind, and those of them with a response to a request that Node has parsed. */
  reach: Map<Kind, { connections: number; parsed: number }>;
  statuses: Record<string, number>;
  worstLivenessMs: number;
};

/** A request that made the service fail, with what reproduces it. */
export type Finding = { kind: Kind; seed: number; path: string; problem: string; sent: Sent[] };
export type FuzzResult = { figures: FuzzFigures; findings: Finding[]; problems: string[] };

/** Overload and a full disk. Any other 5xx is a defect. */
const ALLOWED_SERVER_ERRORS = ['503', '507'];
const MAX_SHOWN = 2_000;
/** The least share of connections of the kind `headers` with a request that Node has parsed. */
const MIN_PARSED_SHARE = 0.4;
/** Includes waiting on a loaded machine. */
const MAX_LIVENESS_MS = 10_000;

/** Sends generated requests to a service until the effort is spent or something is found. */
export async function runFuzz(cleanup: Cleanup, options: FuzzOptions): Promise<FuzzResult> {
  const target = await startFuzzTarget(cleanup, options.access, options.imports);
  const figures: FuzzFigures = {
    rounds: 0,
    connections: 0,
    reach: new Map(),
    statuses: {},
    worstLivenessMs: 0,
  };
  const findings: Finding[] = [];
  const deadline = performance.now() + options.seconds * 1000;
  const watching = watchLiveness(target.server);
  cleanup.after(async () => void (await watching.stop()));
  for (let round = 0; round < options.rounds && findings.length === 0; round++) {
    if (performance.now() > deadline) break;
    for (const kind of options.kinds) {
      if (findings.length > 0) break; // what the log says late would be taken for a finding of the next kind
      findings.push(...(await fuzzKind(target, { kind, figures, ...options, seed: options.seed + round })));
    }
    figures.rounds++;
    // The first round warms up: code is compiled, buffers and threads are created.
    if (round === 0 && findings.length === 0) target.rememberSize();
    options.onRound?.(figures);
  }
  const liveness = await watching.stop();
  figures.worstLivenessMs = Math.round(liveness.worstMs);
  if (findings.length > 0) return { figures, findings, problems: [] };
  await assertWorks(target.server);
  const reach = options.path === undefined ? reachProblems(figures) : [];
  return {
    figures,
    findings,
    problems: [...livenessProblems(liveness), ...reach, ...(await target.finish())],
  };
}

function livenessProblems({ errors, worstMs }: { errors: string[]; worstMs: number }): string[] {
  const isLate = worstMs > MAX_LIVENESS_MS;
  return [...errors, ...(isLate ? [`Liveness took up to ${Math.round(worstMs)} ms`] : [])];
}

/** Headers that hardly ever get past Node's parser find nothing in the service. */
function reachProblems({ reach }: FuzzFigures): string[] {
  const { connections, parsed } = reach.get('headers') ?? { connections: 0, parsed: 0 };
  if (parsed >= MIN_PARSED_SHARE * connections) return [];
  return [`Node parsed requests of ${parsed} of ${connections} connections of the kind headers: too few`];
}

/**
 * Returns whether the kind `headers` finds the mutant of `decodeHeaderText`. Otherwise a run without findings means
 * nothing.
 */
export async function findsMutant(cleanup: Cleanup, seed: number): Promise<boolean> {
  const { findings } = await runFuzz(cleanup, {
    ...{ seed, rounds: 1, runs: 60, seconds: 60, kinds: ['headers'], access: 'open' },
    imports: [new URL('mutant.ts', import.meta.url).href],
  });
  return findings.some(({ problem }) => problem.includes('was not valid for encoding utf-8'));
}

type Round = Pick<FuzzOptions, 'seed' | 'runs' | 'path' | 'imports'> & { kind: Kind; figures: FuzzFigures };

/** Runs one kind with one seed. Returns its smallest failing run, if any. */
async function fuzzKind(
  target: FuzzTarget,
  { kind, figures, seed, runs, path, imports }: Round,
): Promise<Finding[]> {
  const property = fc.asyncProperty(connections(kind, target.links), async (all) => {
    const port = await target.port();
    const received = await Promise.all(all.map((sent) => exchangeBytes(port, sent)));
    figures.connections += all.length;
    countReach(figures.reach, kind, received);
    const failures = received.flatMap((each) => check(each, figures));
    const problems = [...failures, ...(await target.newProblems(failures.length > 0))];
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  const details = await fc.check(property, {
    ...{ seed, numRuns: runs, ...(path && { path }) },
    endOnFailure: imports !== undefined, // of a mutant, no finding is made smaller
  });
  if (!details.failed) return [];
  return [
    {
      kind,
      seed,
      path: details.counterexamplePath ?? '',
      problem: String(details.errorInstance).slice(0, MAX_SHOWN),
      sent: details.counterexample?.[0] ?? [],
    },
  ];
}

/** Only responses to requests that Node has parsed have a correlation id. */
function countReach(reach: FuzzFigures['reach'], kind: Kind, received: Received[]): void {
  const { connections, parsed } = reach.get(kind) ?? { connections: 0, parsed: 0 };
  const more = received.filter(({ bytes }) => bytes.includes('\r\nx-correlation-id:')).length;
  reach.set(kind, { connections: connections + received.length, parsed: parsed + more });
}

/** Returns what is wrong with what came back on a connection. Counts its statuses. */
function check({ bytes, hangs }: Received, figures: FuzzFigures): string[] {
  const text = bytes.toString('latin1');
  const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status = '']) => status);
  for (const status of statuses.length > 0 ? statuses : ['none']) {
    figures.statuses[status] = (figures.statuses[status] ?? 0) + 1;
  }
  const bad = statuses.filter((status) => status >= '500' && !ALLOWED_SERVER_ERRORS.includes(status));
  return [
    ...bad.map((status) => `The service responded with ${status}: ${text.slice(0, MAX_SHOWN)}`),
    ...(hangs ? [`The service neither responded nor closed the connection: ${text.slice(0, 200)}`] : []),
    ...(text !== '' && !text.startsWith('HTTP/1.1 ') ? [`This is no response: ${text.slice(0, 200)}`] : []),
  ];
}

/** Returns a finding as text: the problem, the bytes, and the command that repeats it. */
export function describeFinding({ kind, seed, path, problem, sent }: Finding): string {
  const connection = ({ bytes, cuts, end }: Sent, index: number): string =>
    `connection ${index + 1} (${bytes.length} bytes, cut at ${JSON.stringify(cuts)}, then ${end}):\n` +
    `  ${JSON.stringify(bytes.toString('latin1').slice(0, MAX_SHOWN))}\n  base64 ${bytes.toString('base64')}`;
  return (
    `${problem}\n${sent.map(connection).join('\n')}\n` +
    `Repeat it: npm run fuzz -- --kind=${kind} --seed=${seed} --path=${path}`
  );
}

export const ALL_KINDS = Object.keys(KINDS) as Kind[];
