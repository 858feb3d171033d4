import { defineCommand } from '../command.ts';
import { type Connection, call, connectTo } from '../connection.ts';
import { readSettingsFile, settingsPath, writeSettingsFile } from '../settings.ts';

export const logout = defineCommand({
  count: { min: 0, max: 0 },
  details: 'The address of the service stays stored.',
  options: {
    revoke: { type: 'boolean', help: 'Revokes the key first, so that it works nowhere any more' },
  },
  examples: ['postern logout --revoke'],
  async run(_, { revoke = false }, { output, environment }) {
    const path = settingsPath(environment);
    const { url, key } = readSettingsFile(path);
    const isRevoked = revoke && url !== undefined && key !== undefined;
    if (isRevoked) await revokeKey(connectTo({ url, key, source: path }));
    if (key !== undefined) writeSettingsFile(path, { ...(url !== undefined && { url }) });
    if (output.isJson)
      output.printJson({ url: url ?? null, removed: key !== undefined, revoked: isRevoked, path });
    else if (key === undefined) output.print(`There is no key in ${path}.`);
    else output.print(`${isRevoked ? 'Revoked and removed' : 'Removed'} the key of ${url} from ${path}.`);
    if (environment['POSTERN_KEY']) output.note('POSTERN_KEY is set, and still used.');
  },
});

/** Revokes the key of a connection. Any key may revoke itself. */
async function revokeKey(connection: Connection): Promise<void> {
  const { access } = (await call(connection, connection.client.GET('/api/settings'))).data;
  const params = { path: { name: access.caller?.name ?? '' } };
  await call(connection, connection.client.DELETE('/api/keys/{name}', { params }));
}
