import { defineCommand } from '../command.ts';
import { call, connectTo } from '../connection.ts';
import { Failure } from '../failure.ts';
import { readSecret } from '../prompt.ts';
import { parseServerUrl, requireHeaderText, settingsPath, writeSettingsFile } from '../settings.ts';

export const login = defineCommand({
  count: { min: 1, max: 1 },
  details:
    'People create a key on the page /account of the service, however they sign in there. Asks for the key without\n' +
    'showing it, or reads it from the first line of standard input. Checks it, and stores it in\n' +
    '$XDG_CONFIG_HOME/postern/config.json, or ~/.config/postern/config.json, which only you can read.',
  options: {
    'no-key': { type: 'boolean', help: 'Stores the address only' },
  },
  examples: ['postern login https://links.example'],
  async run([text = ''], values, { output, environment }) {
    const url = parseServerUrl(text, 'the argument');
    if (!values['no-key']) output.note(await describeKeys(url));
    const key = values['no-key'] ? undefined : await readSecret('API key');
    if (key !== undefined) requireHeaderText(key);
    const connection = connectTo({ url, key, source: 'the argument' });
    const { access } = (await call(connection, connection.client.GET('/api/settings'))).data;
    if (key !== undefined && access.caller === null) {
      throw new Failure('failed', `${url} did not recognise the key`, { remedy: 'Copy the key once more.' });
    }
    const path = settingsPath(environment);
    writeSettingsFile(path, { url, ...(key !== undefined && { key }) });
    const { name = null, scopes = [] } = access.caller ?? {};
    if (output.isJson) return output.printJson({ url, name, scopes, path });
    const as = access.caller === null ? '' : ` Signed in as ${name} (scopes: ${scopes.join(', ')}).`;
    output.print(`Stored ${url} in ${path}.${as}`);
  },
});

/** Returns where a person gets a key. Asks for it only a service that responds as Postern does. */
async function describeKeys(url: string): Promise<string> {
  const anonymous = connectTo({ url, key: undefined, source: 'the argument' });
  const { access } = (await call(anonymous, anonymous.client.GET('/api/settings'))).data;
  return access.hasPeople || access.hasProvider
    ? `Create an API key on ${url}/account, and paste it here.`
    : 'Paste an API key. On the machine of the service, postern keys create makes one.';
}
