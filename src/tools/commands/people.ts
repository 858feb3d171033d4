import { formatInstant } from '../../core/model/instant.ts';
import { prepareNewChange } from '../../core/model/link-change.ts';
import type { PersonRefusal } from '../../core/model/people/decide-person-change.ts';
import { newPasswordLink, newPerson } from '../../core/model/people/person.ts';
import type { OpenedKeys } from '../../core/ports/people.ts';
import { notifiedLinksOf, toSubscriptions } from '../../core/use-cases/notify/settings.ts';
import { newIdAndSalt } from '../../service/compose-use-cases.ts';
import { type Config, describeDatabase } from '../../service/config/config.ts';
import { quote } from '../../service/config/read-property.ts';
import { openKeyStore, openLinkStore } from '../../service/open-stores.ts';
import { peopleTable } from './access-tables.ts';
import { defineCommand } from './command.ts';
import { loadPeople, PEOPLE_OPTIONS, type PeopleAction } from './load-people.ts';
import { print } from './terminal.ts';

type Loaded = { settings: PeopleAction; config: Config };

async function managePeople({ settings: action, config }: Loaded): Promise<undefined> {
  if (action.kind === 'change') {
    print(await change(action, config));
    return;
  }
  await using people = await openKeyStore(config, { isCreated: action.kind === 'add' });
  print(await run(action, people, config));
}

/** Changes a person, whose links may pass to another one. Returns what to print. Throws when nothing was done. */
async function change(
  { name, wanted }: Extract<PeopleAction, { kind: 'change' }>,
  config: Config,
): Promise<string> {
  const { people, close } = await openLinkStore(config);
  const notifiedLinks = notifiedLinksOf(toSubscriptions(config.webhooks, config.mail), ['link.changed']);
  const newChange = prepareNewChange({ clock: Date.now, newIdAndSalt, notifiedLinks });
  const author = { kind: 'COMMAND', name: 'people', ipAddress: null } as const;
  const result = await people.changePerson(name, wanted, newChange(author)).finally(close);
  if (result !== 'changed') throw REFUSALS[result](name, wanted.linksTo ?? '');
  if (wanted.scopes) return `The person "${name}" has the scopes ${wanted.scopes.join(', ')} now.\n`;
  if (wanted.isActive)
    return `The person "${name}" is active. Print an address for a password: postern people reset NAME\n`;
  const links = wanted.linksTo === undefined ? '' : ` The links belong to "${wanted.linksTo}" now.`;
  return `Deactivated the person "${name}", and ended all sessions and keys.${links}\n`;
}

const REFUSALS = {
  'not-found': (name) => unknown(name, 'person'),
  'last-administrator': (name) =>
    new Error(
      `${quote(name)} is the last person with the scope admin who can sign in; give it to another person first`,
    ),
  'links-need-owner': (name) =>
    new Error(`${quote(name)} owns links; name the active person who gets them with --links-to=NAME`),
  'unknown-new-owner': (_, newOwner) => unknown(newOwner, 'active person'),
  'unknown-team': () => new Error('there is no such team'), // no option names one
} satisfies Record<PersonRefusal, (name: string, newOwner: string) => Error>;

/** Returns what to print. Throws when nothing was done. */
async function run(
  action: Exclude<PeopleAction, { kind: 'change' }>,
  people: OpenedKeys,
  config: Config,
): Promise<string> {
  const now = Date.now();
  const { url, ...link } = newPasswordLink(config.baseUrl, now);
  const howToOpen =
    `Send this address to the person, who sets a password there. It works once, until ${formatInstant(link.expiresAt)}.\n` +
    `${url}\n`;
  switch (action.kind) {
    case 'add': {
      const { kind: _, ownsLinks, ...given } = action;
      const person = newPerson({ ...given, isEmailVerified: given.email !== null, createdAt: now, link });
      if ((await people.addPerson(person, { ownsLinks })) !== 'added')
        throw new Error(
          `the name ${quote(given.name)} is taken, by a person, perhaps a deactivated one, or by an owner of links, such as a ` +
            'user of the reverse proxy; choose another name, or add --owns-links if that user is this person',
        );
      const place = describeDatabase(config.database) + (people.isNew ? ', which is new' : '');
      return (
        `Added the person "${given.name}" with the scopes ${given.scopes.join(', ')}.\n` +
        `It is valid for services on the database ${place}.\n${howToOpen}`
      );
    }
    case 'list': {
      const all = await people.listPeople();
      return all.length === 0
        ? 'There are no people. Add one: postern people add NAME --scopes=create,read\n'
        : peopleTable(all);
    }
    case 'reset':
      if (!(await people.setPasswordLink(action.name, link))) throw unknown(action.name, 'active person');
      return `The present password stays valid until the person has set another.\n${howToOpen}`;
  }
}

const unknown = (name: string, what: string): Error =>
  new Error(`there is no ${what} ${quote(name)}; postern people list shows all people`);

export const command = defineCommand({
  details:
    'add and reset print an address as their last line, which works once within 24 hours: the person sets a password\n' +
    'there, and no administrator knows it. deactivate ends all sessions and keys of a person at once, and passes the links to\n' +
    'another person. scopes replaces what an administrator gave; groups of a provider give more. The last person with the\n' +
    'scope admin keeps it. Names are in lower case, and are used once. The service may be running.\n\n' +
    'The scopes are those of postern keys.',
  options: PEOPLE_OPTIONS,
  examples: ['postern people add ada --scopes=create,read', 'postern people deactivate ada --links-to=bob'],
  failure: 'The people could not be changed or listed:',
  load: loadPeople,
  run: managePeople,
});
