import type { Problem } from '../../core/model/problem.ts';
import type { Send } from './pipeline.ts';

/** Thrown when a database responds, but must not be used as it is. */
export class UnsuitableConnection extends Error {
  override readonly name = 'UnsuitableConnection';
  readonly problem: Problem = 'database_not_durable';
}

/** `tenant`: Neon turns fsync off, because its own storage makes commits durable. Its servers have this setting. */
const READ_SETTINGS = `SELECT current_setting('fsync') AS fsync,
           current_setting('synchronous_commit') AS synchronous_commit,
           current_setting('neon.tenant_id', true) AS tenant,
           current_setting('transaction_read_only') AS read_only,
           pg_postmaster_start_time()::text AS started_at`;
type Settings = Record<'fsync' | 'synchronous_commit' | 'read_only' | 'started_at', string> & {
  tenant: string | null;
};

/**
 * Checks in one round trip that what a connection commits is durable. Returns when the server was started, by which
 * a failover or a restored copy is noticed: lost connections do not show it, since a pool closes idle ones.
 *
 * @throws UnsuitableConnection, and what `send` returns as error
 */
export async function checkConnection(send: Send, mustBeWritable: boolean): Promise<string> {
  const { results, error } = await send([{ statement: READ_SETTINGS, values: [] }]);
  const [settings] = (results[0]?.rows ?? []) as Settings[]; // as the statement names its columns
  if (!settings) throw error;
  assertDurable(settings);
  if (mustBeWritable && settings.read_only !== 'off') throw new Error('it only reads');
  return settings.started_at;
}

/** Throws unless commits are durable. "An answer leaves only after its audit record and its view are durable." */
function assertDurable({ synchronous_commit, fsync, tenant }: Settings): void {
  const [setting, place] =
    synchronous_commit === 'off'
      ? ['synchronous_commit', 'for this user and database']
      : ['fsync', 'in postgresql.conf, and reload the configuration'];
  if (synchronous_commit !== 'off' && (fsync !== 'off' || tenant)) return;
  throw new UnsuitableConnection(
    `${setting} must not be off: commits are confirmed before they are durable, so that a crash would lose views. ` +
      `Set it to on ${place}`,
  );
}
