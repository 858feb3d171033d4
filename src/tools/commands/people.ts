import { type Parser, refuse } from '../../core/config/parsers.ts';
import { accept } from '../../core/model/parsed.ts';
import { toPersonName } from '../../core/model/people/person-name.ts';
import { parsePersonName } from '../../core/rules/people-bodies.ts';
import type { AddedPerson, PasswordLinkRecord, PersonRecord } from '../../http/routes/people.ts';
import type { StorageUseRecord } from '../../http/routes/storage-use.ts';
import { peopleTable, spaceTable } from './access-tables.ts';
import {
  type Action,
  defineAction,
  defineAdministration,
  describeOpenAccess,
  describeValidity,
} from './define-administration.ts';
import { SCOPES_HELP, scopesOption } from './scopes-option.ts';
import type { Administration } from './send-to-service.ts';

const scopes = scopesOption('person');

const parseAddress: Parser<string> = (text) =>
  text === '' ? refuse('must be a mail address, such as ada@example.com') : accept(text);

const add = defineAction({
  named: 'person, such as add ada',
  parseName: parsePersonName,
  options: {
    scopes,
    email: {
      type: 'string',
      value: 'ADDRESS',
      help: 'Lets the person sign in with OpenID Connect too',
      parse: parseAddress,
    },
    emergency: { type: 'boolean', help: 'Lets the person use a password also with app.oidc.only' },
    'owns-links': {
      type: 'boolean',
      help: 'Gives the person the links that a user of the reverse proxy owns by this name',
    },
  },
  creates: true,
  async run({ send, isDatabaseNew }, { name, options, config }) {
    const openAccess = await describeOpenAccess(send); // before what is shown once
    const { person, passwordLink } = await send<AddedPerson>('POST', '/api/people', {
      name,
      scopes: options.scopes,
      email: options.email,
      isEmergency: options.emergency,
      ownsLinks: options['owns-links'],
    });
    return (
      `Added the person "${person.name}" with the scopes ${person.scopes.join(', ')}.\n` +
      describeValidity(config, isDatabaseNew) +
      openAccess +
      howToOpen(passwordLink)
    );
  },
});

const howToOpen = ({ url, expiresAt }: PasswordLinkRecord): string =>
  `Send this address to the person, who sets a password there. It works once, until ${expiresAt}.\n${url}\n`;

const list: Action = {
  async run({ send }) {
    const { items } = await send<{ items: PersonRecord[] }>('GET', '/api/people');
    return items.length === 0
      ? 'There are no people. Add one: postern people add NAME --scopes=create,read\n'
      : peopleTable(items);
  },
};

const space: Action = {
  run: async ({ send }) => spaceTable(await send<StorageUseRecord>('GET', '/api/stats/storage')),
};

const pathOf = (name: string): string => `/api/people/${encodeURIComponent(name)}`;

const change = ({ send }: Administration, name: string, wanted: object): Promise<PersonRecord> =>
  send('PATCH', pathOf(name), wanted);

const replaceScopes = defineAction({
  named: 'person, such as scopes ada',
  options: { scopes },
  async run(administration, { name, options: { scopes } }) {
    const person = await change(administration, name, { scopes });
    return `The person "${person.name}" has the scopes ${person.scopes.join(', ')} now.\n`;
  },
});

const deactivate = defineAction({
  named: 'person, such as deactivate ada',
  options: {
    'links-to': {
      type: 'string',
      value: 'NAME',
      help: 'The person who gets the links of one who is deactivated',
      parse: parsePersonName,
    },
  },
  async run(administration, { name, options: { 'links-to': linksTo } }) {
    const person = await change(administration, name, { isActive: false, ...(linksTo && { linksTo }) });
    const links = linksTo === null ? '' : ` The links belong to "${toPersonName(linksTo)}" now.`;
    return `Deactivated the person "${person.name}", and ended all sessions and keys.${links}\n`;
  },
});

const activate: Action = {
  named: 'person, such as activate ada',
  async run(administration, { name }) {
    const person = await change(administration, name, { isActive: true });
    return `The person "${person.name}" is active. Print an address for a password: postern people reset NAME\n`;
  },
};

const reset: Action = {
  named: 'person, such as reset ada',
  async run({ send }, { name }) {
    const link = await send<PasswordLinkRecord>('POST', `${pathOf(name)}/password-link`);
    return `The present password stays valid until the person has set another.\n${howToOpen(link)}`;
  },
};

const LIST_HINT = 'postern people list shows all people';

export const command = defineAdministration({
  name: 'people',
  details:
    'add and reset print an address as their last line, which works once within 24 hours: the person sets a password\n' +
    'there, and no administrator knows it. deactivate ends all sessions and keys of a person, and passes the links to\n' +
    'the person of --links-to, which it needs if there are any. scopes replaces what an administrator gave; groups of a\n' +
    'provider give more. The last person with the scope admin keeps it. Names are shown as typed, compared in lower case,\n' +
    'and used once. The service may be running.\n\n' +
    `space lists how much space the files of each person, key and team take.\n\n${SCOPES_HELP}`,
  actions: { add, list, space, scopes: replaceScopes, deactivate, activate, reset },
  examples: ['postern people add ada --scopes=create,read', 'postern people deactivate ada --links-to=bob'],
  failure: 'The people could not be changed or listed:',
  remedies: {
    NO_SUCH_PERSON: LIST_HINT,
    UNKNOWN_PERSON: LIST_HINT,
    LINKS_NEED_OWNER: 'add --links-to=NAME',
    NAME_TAKEN: 'if a user of the reverse proxy who owns links is this person, add --owns-links',
  },
});
