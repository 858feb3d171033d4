import { createFilesystemStore } from '../src/adapters/files/filesystem.ts';
import { prepareStorageDirectory } from '../src/adapters/files/storage-directory.ts';
import type { Config } from '../src/core/config/config.ts';
import { createLog } from '../src/observability/log.ts';
import { composeService } from '../src/service/compose.ts';
import { loadAlone } from '../src/service/config/load-settings.ts';
import { openPostgresStore } from '../src/stores/postgres/open-store.ts';
import { defineCommand } from '../src/tools/commands/command.ts';

// The service on PostgreSQL, except that each attempt is committed by itself. The scenario `postgres-groups`
// measures against it what batches are worth.

async function start({ config }: { config: Config }): Promise<undefined> {
  const { database, storage } = config;
  if (database.kind !== 'postgres') throw new Error('app.database.url must be a postgres:// URL');
  if (storage.kind !== 'directory') throw new Error('app.storage.url must be unset');
  await prepareStorageDirectory(storage.path);
  const store = await openPostgresStore({ ...database, maxBatchSize: 1 });
  const service = await composeService(config, createLog(config.log.level), {
    stores: { store, files: createFilesystemStore({ directory: storage.path }) },
  });
  await service.app.listen(config.server);
  await service.startJobs();
  process.once('SIGTERM', () => void service.stop().then(() => process.exit(0)));
  process.stderr.write('ready\n');
}

const texts = { options: {}, examples: [], failure: 'Postern cannot start:' };
const command = defineCommand({ ...texts, load: loadAlone, run: start });
process.exitCode = await command.run(process.argv.slice(2));
