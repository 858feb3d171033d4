import { defineCommand } from '../command.ts';
import { readSettingsFile, settingsPath, writeSettingsFile } from '../settings.ts';

export const logout = defineCommand({
  name: 'logout',
  words: '',
  count: { min: 0, max: 0 },
  summary: 'Removes the stored API key',
  details: 'The address of the service stays stored.',
  options: {},
  examples: ['postern logout --json'],
  async run(_, _values, { output, environment }) {
    const path = settingsPath(environment);
    const { url, key } = readSettingsFile(path);
    if (key !== undefined) writeSettingsFile(path, { ...(url !== undefined && { url }) });
    if (output.isJson) output.printJson({ url: url ?? null, removed: key !== undefined, path });
    else
      output.print(
        key === undefined ? `There is no key in ${path}.` : `Removed the key of ${url} from ${path}.`,
      );
    if (environment['POSTERN_KEY']) output.note('POSTERN_KEY is set, and still used.');
  },
});
