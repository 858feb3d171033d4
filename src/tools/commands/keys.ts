import { addDuration, formatInstant } from '../../core/model/instant.ts';
import { type ApiKey, newApiKey } from '../../core/model/people/api-key.ts';
import type { Scope } from '../../core/model/people/caller.ts';
import { hashSecret } from '../../core/model/people/hash-secret.ts';
import { scopesOf } from '../../core/model/people/person.ts';
import type { KeyStore, OpenedKeys } from '../../core/ports/people.ts';
import { type Config, describeDatabase } from '../../service/config/config.ts';
import { quote } from '../../service/config/read-property.ts';
import { openKeyStore } from '../../service/open-stores.ts';
import { keyTable } from './access-tables.ts';
import { defineCommand } from './command.ts';
import { KEYS_OPTIONS, type KeysAction, loadKeys } from './load-keys.ts';
import { print } from './terminal.ts';

type Loaded = { settings: KeysAction; config: Config };

async function manageKeys({ settings: action, config }: Loaded): Promise<undefined> {
  await using keys = await openKeyStore(config, { isCreated: action.kind === 'create' });
  print(await run(action, keys, config));
}

/** Returns what to print. Throws when nothing was done. */
function run(action: KeysAction, keys: OpenedKeys, config: Config): Promise<string> {
  const now = Date.now();
  switch (action.kind) {
    case 'create':
      return create(action, keys, describeDatabase(config.database));
    case 'list':
      return list(keys, now);
    case 'revoke':
      return revoke(action.name, keys, now);
  }
}

async function create(
  { name, scopes, owner, lifetime }: Extract<KeysAction, { kind: 'create' }>,
  keys: OpenedKeys,
  database: string,
): Promise<string> {
  await assertMayOwn(owner, scopes, keys);
  const now = Date.now();
  const secret = newApiKey();
  const key: ApiKey = {
    name,
    hash: hashSecret(secret),
    scopes,
    owner,
    createdAt: now,
    expiresAt: lifetime && addDuration(now, lifetime),
    lastUsedAt: null,
    revokedAt: null,
  };
  if ((await keys.addKey(key)) === 'name-taken')
    throw new Error(
      `the name "${name}" is taken, also if its key was revoked, because histories name authors by it; ` +
        'choose another name',
    );
  const end = key.expiresAt === null ? 'does not expire' : `expires at ${formatInstant(key.expiresAt)}`;
  const place = database + (keys.isNew ? ', which is new' : '');
  return (
    `Created the key "${name}" with the scopes ${scopes.join(', ')}. It ${end}.\n` +
    `It is valid for services on the database ${place}.\n` +
    'Keep it now: only a hash of it is stored. Send it in the header Authorization, after the word Bearer.\n' +
    `${secret}\n`
  );
}

/** @throws when the owner of a new key does not exist, or may do less than the key */
async function assertMayOwn(owner: string | null, scopes: readonly Scope[], keys: OpenedKeys): Promise<void> {
  if (owner === null) return;
  const person = await keys.findPerson(owner);
  if (person?.deactivatedAt !== null)
    throw new Error(`there is no active person ${quote(owner)}; postern people list shows all people`);
  const beyond = scopes.filter((scope) => !scopesOf(person).includes(scope));
  if (beyond.length > 0)
    throw new Error(
      `${quote(owner)} lacks ${beyond.join(', ')}; leave it out of --scopes, or run postern people scopes`,
    );
}

async function list(keys: KeyStore, now: number): Promise<string> {
  const all = await keys.listKeys();
  return all.length === 0
    ? 'There are no keys. Create one: postern keys create NAME --scopes=create,read\n'
    : keyTable(all, now);
}

async function revoke(name: string, keys: KeyStore, now: number): Promise<string> {
  const result = await keys.revokeKey(name, now);
  if (result === 'not-found')
    throw new Error(`there is no key ${quote(name)}; postern keys list shows all keys`);
  if (result === 'already-revoked') return `The key "${name}" was revoked already.\n`;
  return `Revoked the key "${name}". Within five seconds no instance accepts it any more.\n`;
}

export const command = defineCommand({
  details:
    'create prints the key as its last line, only this once. list shows all keys, also revoked and expired ones, without\n' +
    'the keys themselves. revoke ends a key for good, within five seconds on every instance. The service may be running;\n' +
    'it requires keys with app.access=keys.\n\n' +
    'Scopes:\n' +
    '  create   create links\n' +
    '  read     read links, lists and statistics\n' +
    '  manage   change and revoke any link\n' +
    '  metrics  read the metrics\n' +
    '  admin    manage people, teams and the keys of others',
  options: KEYS_OPTIONS,
  examples: ['postern keys create ci --scopes=create,read --expires=P90D', 'postern keys list'],
  failure: 'The keys could not be changed or listed:',
  load: loadKeys,
  run: manageKeys,
});
