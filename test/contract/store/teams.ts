import assert from 'node:assert/strict';
import { codeOf, newChange, person, redirectLink, START, sessionOf } from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import type { TestStore } from '../store-harness.ts';

/** Tests what a store promises about teams. */
export function teamContract(testStore: TestStore): void {
  testStore('a team is known to its sessions and keys, while its members are active', async ({ store }) => {
    const { people, teams } = store;
    const [ada, bob] = [person('ada'), person('bob')];
    assert.equal(await teams.addTeam({ name: 'Süd, 1', members: [] }, START), 'added');
    assert.equal(await people.addPerson(ada, { teams: ['Süd, 1'] }), 'added');
    assert.equal(await people.addPerson(bob), 'added');
    assert.equal(await people.addPerson(person('carl'), { teams: ['other'] }), 'unknown-team');
    assert.equal(await people.findPerson('carl'), undefined);
    assert.equal(await teams.addTeam({ name: 'north', members: ['bob', 'ada'] }, START), 'added');
    assert.equal(await teams.addTeam({ name: 'north', members: [] }, START), 'name-taken');
    assert.equal(await teams.addTeam({ name: 'east', members: ['nobody'] }, START), 'unknown-person');
    assert.deepEqual(await teams.listTeams(), [
      { name: 'Süd, 1', members: ['ada'] },
      { name: 'north', members: ['ada', 'bob'] },
    ]);
    await people.addSession(sessionOf(ada, { hash: 'of ada' }));
    assert.deepEqual((await people.findSession('of ada'))?.teams, ['Süd, 1', 'north']);
    assert.deepEqual(await people.findTeamsOf('ada'), ['Süd, 1', 'north']);
    assert.equal(await people.changePerson('ada', { isActive: false }, newChange()), 'changed');
    assert.equal(await people.findTeamsOf('ada'), null);
    assert.equal(await teams.changeTeam('north', { members: ['bob'] }, newChange()), 'changed');
    await people.changePerson('ada', { isActive: true }, newChange());
    assert.deepEqual(await people.findTeamsOf('ada'), ['Süd, 1', 'north'], 'as before');
    assert.equal(await people.changePerson('ada', { teams: ['other'] }, newChange()), 'unknown-team');
    assert.equal(await people.changePerson('ada', { teams: [] }, newChange()), 'changed');
    assert.deepEqual(await people.findTeamsOf('ada'), []);
  });

  testStore('links follow the name of their team, and keep it from being deleted', async (harness) => {
    const { store } = harness;
    const { people, teams } = store;
    await people.addPerson(person('ada'));
    await teams.addTeam({ name: 'press', members: ['ada'] }, START);
    await teams.addTeam({ name: 'sales', members: [] }, START);
    await store.create(redirectLink(codeOf(1), { owner: 'USER ada', team: 'press' }), newChange());
    await store.create(redirectLink(codeOf(2), { owner: 'USER ada' }), newChange());
    assert.deepEqual(await teams.countHeldLinks(), { people: [['ada', 2]], teams: [['press', 1]] });
    assert.equal(await teams.deleteTeam('press'), 'has-links');
    assert.equal(await teams.changeTeam('press', { name: 'sales' }, newChange()), 'name-taken');
    assert.equal(await teams.changeTeam('nobody', { name: 'x' }, newChange()), 'not-found');
    assert.equal(await teams.changeTeam('press', { members: ['nobody'] }, newChange()), 'unknown-person');
    const author = { kind: 'USER', name: 'admin', ipAddress: null } as const;
    assert.equal(await teams.changeTeam('press', { name: 'media' }, newChange({ author })), 'changed');
    assert.equal((await store.read(codeOf(1)))?.team, 'media');
    const changes = (await harness.readChanges()).filter(({ author }) => author.name === 'admin');
    assert.deepEqual(pluck(changes, 'shortCode'), [codeOf(1)]);
    assert.deepEqual(await teams.listTeams(), [
      { name: 'media', members: ['ada'] },
      { name: 'sales', members: [] },
    ]);
    assert.equal(await teams.deleteTeam('sales'), 'deleted');
    for (const unknown of ['sales', 'press', 'a\u0000'])
      assert.equal(await teams.deleteTeam(unknown), 'not-found');
  });
}
