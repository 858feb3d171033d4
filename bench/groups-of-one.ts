import { runCommand } from '../src/commands/command.ts';
import { composeService } from '../src/compose.ts';
import { createFilesystemStore } from '../src/files/filesystem.ts';
import { prepareStorageDirectory } from '../src/files/storage-directory.ts';
import { createLog } from '../src/observability/log.ts';
import { openPostgresStore } from '../src/stores/postgres/open-store.ts';

// The service on PostgreSQL, except that each attempt is committed by itself. The scenario `postgres-groups`
// measures against it what batches are worth.

const COMMAND = {
  usage: 'node bench/groups-of-one.ts',
  purpose: 'Starts Postern on PostgreSQL with batches of one attempt, as the baseline of a benchmark.',
  failure: 'Postern cannot start:',
};

await runCommand(COMMAND, async (config) => {
  const { database, storage } = config;
  if (database.kind !== 'postgres') throw new Error('app.database.url must be a postgres:// URL');
  if (storage.kind !== 'directory') throw new Error('app.storage.url must be unset');
  await prepareStorageDirectory(storage.path);
  const store = await openPostgresStore({ ...database, maxBatchSize: 1 });
  const service = await composeService(config, createLog(config.logLevel), {
    stores: { store, files: createFilesystemStore({ directory: storage.path }) },
  });
  await service.app.listen({ host: config.host, port: config.port });
  await service.startJobs();
  process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));
  process.stderr.write('ready\n');
});
