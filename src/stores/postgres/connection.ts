import pg from 'pg';
import type { PostgresLocation } from '../../locations.ts';
import { type Answer, Batch, type Statement, type Step, type Value } from './batch.ts';

/** Represents how the database is reached. The settings have been checked. */
export type ConnectionOptions = PostgresLocation;

/** What became of a batch: the answers of the statements that were done, and what the next one failed with. */
export type Sent = { answers: Answer[]; fault: unknown };

/** A connection that is lent out. What is sent goes out at once and is answered in its order. */
export type Connection = {
  /**
   * Sends statements in one packet. One that fails has those behind it passed over. The fault is a `DatabaseError`
   * by the database, or `ConnectionLost`: then any of those without an answer may have been done as well.
   */
  send(steps: readonly Step[]): Promise<Sent>;
  /** @throws a `DatabaseError` by the database, or `ConnectionLost` */
  query<Row extends object>(statement: Statement, values?: readonly Value[]): Promise<Row[]>;
  /** Runs SQL as it is, maybe several statements. @throws as `query` does */
  execute(sql: string): Promise<void>;
};

/** The connections of one purpose, at most so many at once. */
export type Connections = {
  /** Lends a connection for as long as `use` takes. @throws `Unreachable`, and what `use` throws */
  lend<T>(use: (connection: Connection) => Promise<T>): Promise<T>;
  /** One statement that changes nothing, tried again where the connection was lost. */
  read<Row extends object>(statement: Statement, values?: readonly Value[]): Promise<Row[]>;
  /** Closes all, once those that are lent are back. */
  end(): Promise<void>;
};

/** No connection could be made: nothing was sent. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** The connection broke while something waited for its answer: what was sent may or may not have been done. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** The SQLSTATE of what the database refused; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * The database ends a transaction that waits for its instance longer than this share of the time that a statement may
 * take, so that one which was cut off holds no link until the network gives it up, which takes hours.
 */
const IDLE_SHARE = 0.5;
/** So much longer than the database itself the service waits for an answer: then the network is at fault. */
const GRACE_MS = 2_000;
const MAX_READ_TRIES = 3;

/** Opens nothing yet: connections are made as they are needed, and again after they were lost. */
export function openConnections(options: ConnectionOptions, maxConnections: number): Connections {
  const pools = options.hosts.map(({ host, port }) => ({
    server: `${host}:${port}`,
    pool: openPool(options, { host, port }, maxConnections),
  }));
  let lastGood = 0;

  /** A connection to the host that had one last, or else to the next that has. */
  async function acquire(): Promise<pg.PoolClient> {
    const first = lastGood;
    const faults: { server: string; fault: unknown }[] = [];
    for (const offset of pools.keys()) {
      const index = (first + offset) % pools.length;
      const { server, pool } = pools[index] ?? impossible();
      try {
        const client = await pool.connect();
        lastGood = index;
        return client;
      } catch (fault) {
        faults.push({ server, fault });
      }
    }
    const reasons = faults.map(({ server, fault }) => `${server} (${reasonOf(fault)})`).join(', ');
    throw new Unreachable(`No connection to the database at ${reasons}`, { cause: faults[0]?.fault });
  }

  async function lend<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await acquire();
    let isUsable = true;
    /** Tells errors of the database from those of the connection, which is not used again. */
    function toConnectionError(cause: unknown): unknown {
      if (!breaksConnection(cause)) return cause;
      isUsable = false;
      return new ConnectionLost('The connection to the database was lost', { cause });
    }
    const send = async (steps: readonly Step[]): Promise<Sent> => {
      const { answers, error } = await sendBatch(client, steps, options);
      return { answers, fault: error && toConnectionError(error) };
    };
    try {
      return await use({
        send,
        async query<Row extends object>(statement: Statement, values: readonly Value[] = []) {
          const { answers, fault } = await send([{ statement, values }]);
          if (fault) throw fault;
          return answers[0]?.rows as Row[]; // whoever writes a statement knows the rows that it gives
        },
        async execute(sql) {
          await client.query(sql).catch((error) => {
            throw toConnectionError(error);
          });
        },
      });
    } finally {
      client.release(!isUsable);
    }
  }

  return {
    lend,
    async read<Row extends object>(statement: Statement, values?: readonly Value[]) {
      for (let tries = 1; ; tries++) {
        try {
          return await lend((connection) => connection.query<Row>(statement, values));
        } catch (error) {
          if (!(error instanceof ConnectionLost) || tries >= MAX_READ_TRIES) throw error;
        }
      }
    },
    async end() {
      await Promise.all(pools.map(({ pool }) => pool.end()));
    },
  };
}

/** 64-bit integers are counts and times in milliseconds, all of them below 2^53. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

function sendBatch(
  client: pg.PoolClient,
  steps: readonly Step[],
  { statementTimeoutMs }: ConnectionOptions,
): Promise<{ answers: Answer[]; error: Error | null }> {
  return new Promise((resolve) => {
    const timeoutMs = statementTimeoutMs === null ? null : statementTimeoutMs + GRACE_MS;
    const batch = new Batch(steps, { types, timeoutMs }, (error) =>
      resolve({ answers: batch.answers, error }),
    );
    client.query(batch);
  });
}

function openPool(options: ConnectionOptions, server: { host: string; port: number }, max: number): pg.Pool {
  const { database, user, password, tls, mustBeWritable, sessionOptions, statementTimeoutMs } = options;
  const pool = new pg.Pool({
    ...server,
    database,
    user,
    // A function, because the library looks for a password of its own in the environment where there is none.
    password: () => password ?? '',
    ssl: tls === null ? false : toTlsOptions(tls),
    ...(sessionOptions !== null && { options: sessionOptions }),
    application_name: 'postern',
    max,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: options.connectTimeoutMs,
    ...(statementTimeoutMs !== null && {
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: Math.ceil(statementTimeoutMs * IDLE_SHARE),
      query_timeout: statementTimeoutMs + GRACE_MS,
    }),
    ...(mustBeWritable && { verify: verifyWritable }),
  });
  // A connection that breaks is told of by the statement that waits on it; one that is idle is replaced.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function toTlsOptions({ verify, ca, certificate, key }: NonNullable<ConnectionOptions['tls']>) {
  return {
    rejectUnauthorized: verify !== 'nothing',
    ...(verify === 'chain' && { checkServerIdentity: () => undefined }),
    ...(ca !== null && { ca }),
    ...(certificate !== null && { cert: certificate }),
    ...(key !== null && { key }),
  };
}

/** As libpq does it: a standby, and a database that is set to read only, say that transactions only read. */
function verifyWritable(client: pg.PoolClient, done: (error?: Error) => void): void {
  client.query<{ transaction_read_only: string }>('SHOW transaction_read_only').then(
    ({ rows }) => done(rows[0]?.transaction_read_only === 'off' ? undefined : new Error('it only reads')),
    (error) => done(error),
  );
}

/**
 * Class 08 and 57P: the server ends the connection. 25P03 and 25P04: it did, because a transaction took too long.
 * 25006: it is not the one that writes any more.
 */
function breaksConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || /^(08|57P|25006|25P0[34])/.test(state);
}

/** A host with several addresses fails with an error for each, and says nothing itself. */
function reasonOf(fault: unknown): string {
  if (fault instanceof AggregateError) return fault.errors.map(reasonOf).join('; ');
  return fault instanceof Error ? fault.message : String(fault);
}

function impossible(): never {
  throw new Error('There is no such host');
}
