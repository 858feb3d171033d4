import { readConfig } from '../src/commands/command.ts';
import { composeService } from '../src/compose.ts';
import { createFilesystemStore, prepareStorageDirectory } from '../src/files/filesystem.ts';
import { createLog } from '../src/observability/log.ts';
import { openPostgresStore } from '../src/stores/postgres/open-store.ts';

// The service as it is, on PostgreSQL, but for one thing: each attempt is committed by itself. What groups are
// worth is measured against it. Takes the properties of the service.

const { config } = readConfig('Postern with groups of one, to be measured.');
if (config.database.kind !== 'postgres') throw new Error('app.database.url must be one of PostgreSQL');
if (config.storage.kind !== 'directory') throw new Error('Files must be kept in a directory');
await prepareStorageDirectory(config.storage.path);
const store = await openPostgresStore({ ...config.database, maxBatchSize: 1 });
const service = await composeService(config, createLog(config.logLevel), {
  stores: { store, files: createFilesystemStore({ directory: config.storage.path }) },
});
await service.app.listen({ host: config.host, port: config.port });
await service.startJobs();
process.once('SIGTERM', () => {
  void service.stop().then(() => process.exit(0));
});
process.stderr.write('ready\n');
