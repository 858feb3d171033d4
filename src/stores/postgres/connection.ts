import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { messageOf } from '../../common/error-details.ts';
import type { PostgresLocation } from '../../common/locations.ts';
import type { Problem } from '../../core/model/problem.ts';
import type { Statement } from '../sql/query.ts';
import { checkConnection, UnsuitableConnection } from './check-connection.ts';
import {
  breaksConnection,
  ConnectionLost,
  isContention,
  sqlStateOf,
  UNKNOWN_STATEMENT,
  Unreachable,
} from './errors.ts';
import { Pipeline, type Send, type Step, type Value } from './pipeline.ts';

/** A connection of the pool, in use. Statements are sent at once and executed in their order. */
export type Connection = ReturnType<typeof toConnection>['connection'];

/** A pool of connections with an upper limit. */
export type Connections = ReturnType<typeof openConnections>;

/** Lifts the statement time-out for the rest of a transaction, because the user may have one as a setting. */
export const NO_TIMEOUT = 'SET LOCAL statement_timeout = 0';
export const LIFT_TIMEOUT: Step = { statement: NO_TIMEOUT, values: [] };
const BEGIN: Step = { statement: 'BEGIN', values: [] };
const COMMIT: Step = { statement: 'COMMIT', values: [] };

/**
 * The database ends a transaction that is idle for longer than this share of the statement time-out. Otherwise an
 * instance that was cut off would lock its links until the network reports the broken connection, which takes hours.
 */
const IDLE_SHARE = 0.5;
/** The service waits this much longer than the database's own time-out before it closes the connection. */
const GRACE_MS = 2_000;
const MAX_TRIES_IN_CONTENTION = 20;
const MAX_TRIES_AFTER_LOSS = 3;
const MAX_PAUSE_MS = 100;

/** Returns how often at most something that may be executed twice is tried when it fails with an error. */
export function maxTriesAfter(error: unknown): number {
  if (isContention(error)) return MAX_TRIES_IN_CONTENTION;
  return error instanceof ConnectionLost ? MAX_TRIES_AFTER_LOSS : 1;
}

/** Pauses for 4 ms before the second try, and for twice as long before each further one, up to 100 ms. */
export const pauseBeforeTry = (tryNumber: number): Promise<void> =>
  pause(Math.min(2 ** tryNumber, MAX_PAUSE_MS));

/**
 * Returns a pool that opens connections when they are needed, and again after they were lost. Each is checked before its
 * first use.
 */
export function openConnections(options: PostgresLocation, maxConnections: number) {
  const { statementTimeoutMs } = options;
  const { acquire, ...pools } = openPools(options, maxConnections);
  const timeoutMs = statementTimeoutMs === null ? undefined : statementTimeoutMs + GRACE_MS;

  /** Acquires a connection for as long as `use` takes. @throws `Unreachable`, and what `use` throws */
  async function withConnection<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await acquire();
    const { connection, isUsable } = toConnection(client, timeoutMs);
    try {
      return await use(connection);
    } finally {
      client.release(!isUsable());
    }
  }

  return {
    withConnection,
    /** After this time the database ends a statement; null: never. */
    statementTimeoutMs,
    /**
     * Runs one statement that may be executed twice. Retries it when the connection is lost, or the database aborts
     * it so that another transaction can continue.
     */
    async read<Row extends object>(statement: Statement, values?: readonly Value[]): Promise<Row[]> {
      for (let tries = 1; ; tries++) {
        try {
          return await withConnection(({ query, queryWithoutTimeout }) =>
            (statementTimeoutMs === null ? queryWithoutTimeout : query)<Row>(statement, values),
          );
        } catch (error) {
          if (tries >= maxTriesAfter(error)) throw error;
          await pauseBeforeTry(tries + 1);
        }
      }
    },
    /** Checks a connection again: its settings may have changed, and a pooler may reach another server. */
    async check(): Promise<void> {
      (await acquire({ isForced: true })).release();
    },
    ...pools,
    [Symbol.asyncDispose]: pools.end,
  };
}

/** Opens a pool of checked connections for each host. Of these, the one that accepted last is used. */
function openPools(options: PostgresLocation, maxConnections: number) {
  /** The round of checks that each connection has passed. */
  const passed = new WeakMap<pg.PoolClient, number>();
  let round = 0;
  const pools = options.hosts.map(({ host, port }) => ({
    server: `${host}:${port}`,
    pool: openPool({ ...options, host, port }, maxConnections),
  }));
  let lastGood = 0;
  let startedAt: string | undefined;
  const listeners: (() => void)[] = [];

  /** Closes a connection that fails its check. If it is unsuitable, the others are checked again before their next use. */
  async function check(client: pg.PoolClient): Promise<void> {
    const current = round;
    try {
      const { connection } = toConnection(client, options.connectTimeoutMs);
      const found = await checkConnection(connection.send, options.mustBeWritable);
      const isOther = startedAt !== undefined && startedAt !== found;
      startedAt = found;
      if (isOther) for (const forget of listeners) forget();
      passed.set(client, current);
    } catch (error) {
      client.release(true);
      if (error instanceof UnsuitableConnection) round += 1;
      throw error;
    }
  }

  return {
    /**
     * Connects to the host that was last connected to, else to the next one that accepts.
     *
     * @param isForced checks a connection that has passed before, too
     */
    async acquire({ isForced } = { isForced: false }): Promise<pg.PoolClient> {
      const failures: { server: string; error: unknown }[] = [];
      for (const candidate of [...pools.slice(lastGood), ...pools.slice(0, lastGood)]) {
        try {
          const client = await candidate.pool.connect();
          if (isForced || passed.get(client) !== round) await check(client);
          lastGood = pools.indexOf(candidate);
          return client;
        } catch (error) {
          failures.push({ server: candidate.server, error });
        }
      }
      const reasons = failures.map(({ server, error }) => `${server} (${reasonOf(error)})`).join(', ');
      const unsuitable = failures.find(({ error }) => error instanceof UnsuitableConnection);
      throw new Unreachable(`No connection to the database at ${reasons}`, {
        cause: (unsuitable ?? failures[0])?.error,
      });
    },
    /**
     * Adds a function that forgets what is cached of the database. It is called before the first use of a connection to
     * another server, or to one that was started again: its data may have been restored.
     */
    onOtherServer(forget: () => void): void {
      listeners.push(forget);
    },
    /** Counts the connections to all hosts by state. */
    measure: () => countConnections(pools.map(({ pool }) => pool)),
    /** Closes all connections, once those in use are returned. */
    async end(): Promise<void> {
      await Promise.all(pools.map(({ pool }) => pool.end()));
    },
  };
}

function countConnections(pools: readonly pg.Pool[]) {
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((all, pool) => all + count(pool), 0);
  const idle = sum((pool) => pool.idleCount);
  return { busy: sum((pool) => pool.totalCount) - idle, idle, waiting: sum((pool) => pool.waitingCount) };
}

/** Wraps a client of the pool. It is not used again after an error that breaks the connection. */
function toConnection(client: pg.PoolClient, timeoutMs: number | undefined) {
  let isUsable = true;
  function toConnectionError(cause: unknown): unknown {
    if (!breaksConnection(cause)) return cause;
    isUsable = false;
    const isForgotten = sqlStateOf(cause) === UNKNOWN_STATEMENT;
    return new ConnectionLost(isForgotten ? FORGETS : 'The connection to the database was lost', { cause });
  }
  const send: Send = (steps) =>
    new Promise((resolve) => {
      const pipeline = new Pipeline(steps, timeoutMs, (error) =>
        resolve({ results: pipeline.results, error: error && toConnectionError(error) }),
      );
      client.query(pipeline);
    });
  const connection = {
    send,
    /** @throws a `DatabaseError` of the database, or `ConnectionLost` */
    async query<Row extends object>(statement: Statement, values: readonly Value[] = []): Promise<Row[]> {
      const { results, error } = await send([{ statement, values }]);
      if (error) throw error;
      return results[0]?.rows as Row[]; // the caller names the columns of its statement
    },
    /** Runs one statement, however long it takes. @throws as `query` does */
    async queryWithoutTimeout<Row extends object>(
      statement: Statement,
      values: readonly Value[] = [],
    ): Promise<Row[]> {
      const { results, error } = await send([BEGIN, LIFT_TIMEOUT, { statement, values }, COMMIT]);
      if (!error) return results[2]?.rows as Row[]; // as `query` does
      if (!(error instanceof ConnectionLost)) await connection.execute('ROLLBACK').catch(() => {});
      throw error;
    },
    /** Runs SQL without values, which may be several statements. @throws as `query` does */
    async execute(sql: string): Promise<void> {
      await client.query(sql).catch((error: unknown) => {
        throw toConnectionError(error);
      });
    },
  };
  return { connection, isUsable: () => isUsable };
}

/** Returns the time-outs that the database is asked for, in milliseconds. */
function timeoutsOf({ statementTimeoutMs }: PostgresLocation): Record<string, number> {
  if (statementTimeoutMs === null) return {};
  return {
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: Math.ceil(statementTimeoutMs * IDLE_SHARE),
  };
}

function openPool(options: PostgresLocation & { host: string; port: number }, max: number): pg.Pool {
  const { host, port, database, user, password, tls, sessionOptions, statementTimeoutMs } = options;
  const pool = new pg.Pool({
    host,
    port,
    database,
    user,
    // A function, because for null `pg` would read a password from the environment.
    password: () => password ?? '',
    ssl: tls === null ? false : toTlsOptions(tls),
    ...(sessionOptions !== null && { options: sessionOptions }),
    application_name: 'postern',
    max,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...timeoutsOf(options),
    ...(statementTimeoutMs !== null && { query_timeout: statementTimeoutMs + GRACE_MS }),
  });
  // The pending statement reports a broken connection; an idle one is replaced.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function toTlsOptions({ verify, ca, certificate, key }: NonNullable<PostgresLocation['tls']>) {
  return {
    rejectUnauthorized: verify !== 'nothing',
    ...(verify === 'chain' && { checkServerIdentity: () => undefined }),
    ...(ca !== null && { ca }),
    ...(certificate !== null && { cert: certificate }),
    ...(key !== null && { key }),
  };
}

/** Returns the problem because of which no connection may be used; undefined for any other error. */
export function problemOf(error: unknown): Problem | undefined {
  return error instanceof Unreachable && error.cause instanceof UnsuitableConnection
    ? error.cause.problem
    : undefined;
}

/** Returns the message of an error. A host with several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  const message = messageOf(error);
  return message.includes('unsupported startup parameter') ? `${message}: ${POOLER_REMEDY}` : message;
}

const FORGETS =
  'A connection pooler forgets prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements = 200, or ' +
  'pool_mode = session';
const POOLER_REMEDY =
  'a connection pooler such as PgBouncer refuses it. Add options, statement_timeout and ' +
  'idle_in_transaction_session_timeout to its ignore_startup_parameters, and set them with ALTER ROLE … SET';
