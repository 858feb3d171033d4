import type { OpenedKeys } from '../access/api-key.ts';
import { newPasswordLink, newPerson, peopleTable } from '../access/person.ts';
import { type Config, describeDatabase } from '../config/config.ts';
import { loadPeople, PEOPLE_OPTIONS, type PeopleAction } from '../config/load-people.ts';
import { quote } from '../config/read-property.ts';
import { formatInstant } from '../links/rules/expiry-time.ts';
import { openKeyStore } from '../open-stores.ts';
import { defineCommand } from './command.ts';

async function managePeople({
  action,
  config,
}: {
  action: PeopleAction;
  config: Config;
}): Promise<undefined> {
  await using people = await openKeyStore(config, { isCreated: action.kind === 'add' });
  process.stdout.write(await run(action, people, config));
}

/** Returns what to print. Throws when nothing was done. */
async function run(action: PeopleAction, people: OpenedKeys, config: Config): Promise<string> {
  const now = Date.now();
  const { url, ...link } = newPasswordLink(config.baseUrl, now);
  const howToOpen =
    `Send this address to the person, who sets a password there. It works once, until ${formatInstant(link.expiresAt)}.\n` +
    `${url}\n`;
  switch (action.kind) {
    case 'add': {
      const { kind: _, ...given } = action;
      const person = newPerson({ ...given, isEmailVerified: given.email !== null, createdAt: now, link });
      if ((await people.addPerson(person)) !== 'added')
        throw new Error(
          `the name ${quote(given.name)} is taken, also if its person was deactivated, because histories name authors by ` +
            'it; choose another name',
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
    case 'deactivate': {
      const result = await people.deactivatePerson(action.name, now);
      if (result === 'not-found') throw unknown(action.name, 'person');
      if (result === 'already-deactivated') return `The person "${action.name}" was deactivated already.\n`;
      return `Deactivated the person "${action.name}", and ended all sessions. Links of the person stay.\n`;
    }
  }
}

const unknown = (name: string, what: string): Error =>
  new Error(`there is no ${what} ${quote(name)}; postern people list shows all people`);

export const command = defineCommand({
  details:
    'add and reset print an address as their last line, which works once within 24 hours: the person sets a password\n' +
    'there, and nobody else knows it. deactivate ends all sessions of a person at once and for good. Names are in lower\n' +
    'case, and are used once. The service may be running; it asks for a sign-in with app.access=keys.\n\n' +
    'The scopes are those of postern keys.',
  options: PEOPLE_OPTIONS,
  examples: ['postern people add ada --scopes=create,read', 'postern people reset ada'],
  failure: 'The people could not be changed or listed:',
  load: loadPeople,
  run: managePeople,
});
