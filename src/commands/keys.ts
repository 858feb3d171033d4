import {
  type ApiKey,
  hashSecret,
  type KeyStore,
  keyTable,
  newApiKey,
  type OpenedKeys,
} from '../access/api-key.ts';
import { describeDatabase } from '../config/config.ts';
import { KEYS_HELP, type KeysAction, loadKeys } from '../config/load-keys.ts';
import { quote } from '../config/read-property.ts';
import { messageOf } from '../error-details.ts';
import { addDuration, formatInstant } from '../links/rules/expiry-time.ts';
import { openKeyStore } from '../open-stores.ts';
import { readArguments, readFile, refuse } from './command.ts';

const COMMAND = {
  usage: 'npm run keys',
  parameters: 'create NAME --scopes=LIST | list | revoke NAME',
  purpose: `Creates, lists and revokes API keys, which app.access=keys requires. Takes the properties of the service, which
may be running, and must use the same database.`,
};
const HEADLINE = 'The keys could not be changed or listed:';

const argv = readArguments(
  COMMAND,
  `Commands and flags, besides the properties of the service:\n${KEYS_HELP}`,
);
const loaded = loadKeys({ argv, env: process.env, readFile });
if (!loaded.ok) refuse(HEADLINE, loaded.errors);
const { action, config } = loaded;
try {
  await using keys = await openKeyStore(config, { isCreated: action.kind === 'create' });
  process.stdout.write(await run(action, keys, Date.now()));
} catch (error) {
  refuse(HEADLINE, [messageOf(error)]);
}

/** Returns what to print. Throws when nothing was done. */
function run(action: KeysAction, keys: OpenedKeys, now: number): Promise<string> {
  switch (action.kind) {
    case 'create':
      return create(action, keys, now);
    case 'list':
      return list(keys, now);
    case 'revoke':
      return revoke(action.name, keys, now);
  }
}

async function create(
  { name, scopes, lifetime }: Extract<KeysAction, { kind: 'create' }>,
  keys: OpenedKeys,
  now: number,
): Promise<string> {
  const secret = newApiKey();
  const key: ApiKey = {
    name,
    hash: hashSecret(secret),
    scopes,
    createdAt: now,
    expiresAt: lifetime && addDuration(now, lifetime),
    lastUsedAt: null,
    revokedAt: null,
  };
  if ((await keys.addKey(key)) === 'name-taken') {
    throw new Error(
      `the name "${name}" is taken, also if its key was revoked, because histories name authors by it; ` +
        'choose another name',
    );
  }
  const end = key.expiresAt === null ? 'does not expire' : `expires at ${formatInstant(key.expiresAt)}`;
  const place = describeDatabase(config.database) + (keys.isNew ? ', which is new' : '');
  return (
    `Created the key "${name}" with the scopes ${scopes.join(', ')}. It ${end}.\n` +
    `It is valid for services on the database ${place}.\n` +
    'Keep it now: only a hash of it is stored. Send it in the header Authorization, after the word Bearer.\n' +
    `${secret}\n`
  );
}

async function list(keys: KeyStore, now: number): Promise<string> {
  const all = await keys.listKeys();
  return all.length === 0
    ? 'There are no keys. Create one: npm run keys -- create NAME --scopes=create,read\n'
    : keyTable(all, now);
}

async function revoke(name: string, keys: KeyStore, now: number): Promise<string> {
  const result = await keys.revokeKey(name, now);
  if (result === 'not-found')
    throw new Error(`there is no key ${quote(name)}; npm run keys -- list shows all keys`);
  if (result === 'already-revoked') return `The key "${name}" was revoked already.\n`;
  return `Revoked the key "${name}". Within five seconds no instance accepts it any more.\n`;
}
