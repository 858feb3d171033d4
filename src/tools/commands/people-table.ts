import { formatInstant } from '../../core/model/instant.ts';
import { personStateOf } from '../../core/model/people/decide-person-change.ts';
import { type Person, scopesOf } from '../../core/model/people/person.ts';
import { textTable } from './text-table.ts';

const HEADINGS = ['name', 'scopes', 'created', 'last sign-in', 'signs in with', 'state'];

/** Returns a table of people for a terminal, without their hashes. */
export function peopleTable(people: readonly Person[]): string {
  const rows = people.map((person) => [
    person.name,
    scopesOf(person).join(',') || 'none',
    formatInstant(person.createdAt),
    person.lastSignInAt === null ? 'never' : formatInstant(person.lastSignInAt),
    [person.passwordHash && 'password', person.identity && 'OpenID Connect'].filter(Boolean).join(', ') ||
      'nothing yet',
    personStateOf(person).toLowerCase(),
  ]);
  return textTable([HEADINGS, ...rows]);
}
