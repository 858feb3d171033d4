import { parseDuration } from '../../core/config/parsers.ts';
import { addDuration, formatInstant } from '../../core/model/instant.ts';
import { parseKeyName } from '../../core/rules/key-name.ts';
import { parsePersonName } from '../../core/rules/people-bodies.ts';
import type { LogKey } from '../../http/routes/checkpoint.ts';
import type { CreatedApiKey, KeyRecord } from '../../http/routes/keys.ts';
import { keyTable } from './access-tables.ts';
import {
  type Action,
  defineAction,
  defineAdministration,
  describeOpenAccess,
  describeValidity,
} from './define-administration.ts';
import { SCOPES_HELP, scopesOption } from './scopes-option.ts';

const create = defineAction({
  named: 'key, such as create ci',
  parseName: parseKeyName,
  options: {
    scopes: scopesOption('key'),
    owner: {
      type: 'string',
      value: 'NAME',
      help: 'The person whose key it is, and whose rights limit it; without it, the key is of a service',
      parse: parsePersonName,
    },
    expires: {
      type: 'string',
      value: 'DURATION',
      help: 'Ends a new key after this time, ISO 8601, such as P90D; without it, it does not expire',
      parse: parseDuration,
    },
  },
  creates: true,
  async run({ send, isDatabaseNew }, { name, options: { scopes, owner, expires }, config }) {
    const openAccess = await describeOpenAccess(send); // before what is shown once
    const { key, record } = await send<CreatedApiKey>('POST', '/api/keys', {
      name,
      scopes,
      owner,
      expiresAt: expires && formatInstant(addDuration(Date.now(), expires)),
    });
    const end = record.expiresAt === null ? 'does not expire' : `expires at ${record.expiresAt}`;
    return (
      `Created the key "${record.name}" with the scopes ${record.scopes.join(', ')}. It ${end}.\n` +
      describeValidity(config, isDatabaseNew) +
      openAccess +
      'Keep it now: only a hash of it is stored. Send it in the header Authorization, after the word Bearer.\n' +
      `${key}\n`
    );
  },
});

const list: Action = {
  async run({ send }) {
    const { items } = await send<{ items: KeyRecord[] }>('GET', '/api/keys');
    return items.length === 0
      ? 'There are no keys. Create one: postern keys create NAME --scopes=create,read\n'
      : keyTable(items);
  },
};

const revoke: Action = {
  named: 'key, such as revoke ci',
  async run({ send }, { name }) {
    await send('DELETE', `/api/keys/${encodeURIComponent(name.normalize('NFC'))}`);
    return `Revoked the key "${name}". Within five seconds no instance accepts it any more.\n`;
  },
};

const rotateEvidence = defineAction({
  options: {
    'new-log': {
      type: 'boolean',
      help: 'Begins a new log, which continues the old one: after a restore, or where its key was lost or stolen',
    },
  },
  async run({ send }, { options }) {
    const { key, formerKey } = await send<LogKey>('POST', '/api/checkpoint-key', {
      isNewLog: options['new-log'],
    });
    const signed =
      formerKey === null ? 'No earlier key signed it.' : `The key before it signed it: ${formerKey}`;
    return `The log has a new key, which signs the next checkpoint. ${signed}\n${key}\n`;
  },
});

export const command = defineAdministration({
  name: 'keys',
  details:
    'create prints the key as its last line, only this once. list shows all keys, also revoked and expired ones, without\n' +
    'the keys themselves. revoke ends a key for good. The service may be running.\n' +
    'rotate-evidence gives the log of all entries a new key for its checkpoints,\n' +
    `which the old key signs if it is there.\n\n${SCOPES_HELP}`,
  actions: { create, list, revoke, 'rotate-evidence': rotateEvidence },
  examples: ['postern keys create ci --scopes=create,read --expires=P90D', 'postern keys list'],
  failure: 'The keys could not be changed or listed:',
  remedies: {
    NO_SUCH_KEY: 'postern keys list shows all keys',
    UNKNOWN_PERSON: 'postern people list shows all people',
    SCOPES_BEYOND_OWNER: 'leave it out of --scopes, or run postern people scopes',
  },
});
