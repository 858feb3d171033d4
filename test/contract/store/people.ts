import assert from 'node:assert/strict';
import { apiKey, codeOf, newChange, person, redirectLink, START, sessionOf } from '../../support/attempts.ts';
import { pluck } from '../../support/pluck.ts';
import type { TestStore } from '../store-harness.ts';

const IDENTITY = { issuer: 'https://login.example', subject: '4711' };
const LINK = { hash: 'hash of a link', expiresAt: START + 100 };

/** Tests what a store promises about people and their sessions. */
export function personContract(testStore: TestStore): void {
  testStore('a person is found by name and by identity, with all members', async ({ store: { people } }) => {
    const added = [
      person("o'neil; drop table person;--", { email: 'neil@example.com', isEmailVerified: true }),
      person('grüße 日本 😀', {
        identity: IDENTITY,
        scopes: [],
        groups: [{ name: 'cn=a,dc=b', scopes: ['create'] }],
        lastSignInAt: START + 1,
        createdAt: START - 1,
      }),
      person('zoe', { passwordHash: '$argon2id$', isEmergency: true, link: LINK, createdAt: START - 2 }),
    ];
    for (const each of added) assert.equal(await people.addPerson(each), 'added');
    for (const each of added) assert.deepEqual(await people.findPerson(each.name), each);
    assert.deepEqual(await people.findPersonByIdentity(IDENTITY), added[1]);
    const names = (await people.listPeople()).map(({ name }) => name);
    assert.deepEqual(names, ['zoe', 'grüße 日本 😀', "o'neil; drop table person;--"]);
    for (const unknown of ['', 'ZOE', 'a\u0000']) assert.equal(await people.findPerson(unknown), undefined);
    for (const other of [{ subject: '4712' }, { issuer: 'https://other.example' }, { subject: 'a\u0000' }])
      assert.equal(await people.findPersonByIdentity({ ...IDENTITY, ...other }), undefined);
  });

  testStore('one of parallel additions with one name or identity succeeds', async ({ store: { people } }) => {
    const add = (make: (index: number) => ReturnType<typeof person>) =>
      Promise.all(Array.from({ length: 10 }, (_, index) => people.addPerson(make(index))));
    const named = await add((index) => person('ada', { id: String(index) }));
    assert.deepEqual(named.sort(), ['added', ...Array(9).fill('name-taken')]);
    const identified = await add((index) => person(`p${index}`, { identity: IDENTITY }));
    assert.deepEqual(identified.sort(), ['added', ...Array(9).fill('identity-taken')]);
    assert.equal((await people.listPeople()).length, 2);
  });

  testStore('a new name is none of an owner of links, unless they are of the person', async ({ store }) => {
    const { people } = store;
    await store.create(redirectLink(codeOf(1), { owner: 'USER ada' }), newChange());
    await store.create(redirectLink(codeOf(2), { owner: 'KEY bob' }), newChange());
    await store.revoke(codeOf(1), newChange());
    assert.equal(await people.addPerson(person('ada', { identity: IDENTITY })), 'name-taken');
    assert.equal(await people.findPersonByIdentity(IDENTITY), undefined);
    assert.equal(await people.addPerson(person('bob')), 'added', 'a key is not a person');
    const add = () => people.addPerson(person('ada'), { ownsLinks: true });
    assert.deepEqual((await Promise.all([add(), add()])).sort(), ['added', 'name-taken']);
  });

  testStore('no display name is like a name or a display name of another', async ({ store }) => {
    const { people } = store;
    await people.addPerson(person('admin'));
    await people.addPerson(person('anna berg', { displayName: 'Anna Berg' }));
    await people.addPerson(person('bob', { deactivatedAt: START }));
    await store.create(redirectLink(codeOf(1), { owner: 'USER carl' }), newChange());
    const rename = (name: string, displayName: string) =>
      people.changePerson(name, { displayName }, newChange());
    for (const taken of ['Anna Berg', 'ANNA BERG', 'Bob', 'Carl'])
      assert.equal(await rename('admin', taken), 'display-name-taken', taken);
    assert.equal(await rename('anna berg', 'ANNA Berg'), 'changed', 'another spelling of the own name');
    assert.equal(await rename('admin', 'Dora Diaz'), 'changed');
    assert.equal(await people.addPerson(person('dora diaz', { identity: IDENTITY })), 'name-taken');
    assert.equal(await rename('anna berg', 'dora DIAZ'), 'display-name-taken');
    assert.equal(await rename('anna berg', 'Admin'), 'display-name-taken', 'a name that is not shown');
    assert.equal(await rename('admin', 'admin'), 'changed', 'the own name again');
    assert.equal(await rename('missing', 'Eve'), 'not-found');
    const found = await people.listDisplayNames(['anna berg', 'admin', 'missing', 'a\u0000']);
    assert.deepEqual(
      new Map(found.map(({ name, displayName }) => [name, displayName])),
      new Map([
        ['admin', 'admin'],
        ['anna berg', 'ANNA Berg'],
      ]),
    );
    assert.deepEqual(await people.listDisplayNames([]), []);
  });

  testStore('a deactivation ends sessions, links and keys at once', async ({ store: { people, keys } }) => {
    const ada = person('ada', { passwordHash: 'old', link: LINK });
    const bob = person('bob', { passwordHash: 'old' });
    for (const each of [ada, bob]) await people.addPerson(each);
    const [session, other] = [sessionOf(ada), sessionOf(bob)];
    for (const each of [session, other]) await people.addSession(each);
    const key = apiKey('laptop', { owner: 'ada' });
    await keys.addKey(key);
    const deactivate = (name: string, at: number) =>
      people.changePerson(name, { isActive: false }, newChange({ at }));
    assert.equal(await deactivate('ada', START + 1), 'changed');
    const ended = await keys.findKey(key.hash);
    assert.deepEqual([ended?.revokedAt, ended?.owned], [START + 1, null]);
    assert.equal(await people.findSession(session.hash), undefined);
    assert.deepEqual(await people.listSessions(ada.id), []);
    assert.equal((await people.findSession(other.hash))?.name, 'bob');
    assert.equal(await people.usePasswordLink(LINK.hash, 'new', START + 1), undefined);
    assert.equal(await people.setPasswordLink('ada', LINK), false);
    assert.equal(await people.changePassword(ada.id, 'old', 'new'), false);
    assert.equal(await deactivate('ada', START + 2), 'changed');
    assert.equal((await people.findPerson('ada'))?.deactivatedAt, START + 1);
    for (const unknown of ['', 'nobody', 'a\u0000'])
      assert.equal(await deactivate(unknown, START), 'not-found');
    await people.addSession(session); // of a sign-in that was under way
    assert.equal(await people.findSession(session.hash), undefined);
  });

  testStore('links pass to another owner with the deactivation, or neither happens', async (harness) => {
    const { store } = harness;
    const { people } = store;
    for (const name of ['ada', 'bob', 'carl']) await people.addPerson(person(name));
    await store.create(redirectLink(codeOf(1), { owner: 'USER ada' }), newChange());
    const author = { kind: 'USER', name: 'bob', ipAddress: null } as const;
    const deactivate = (name: string, linksTo?: string) =>
      people.changePerson(name, { isActive: false, ...(linksTo && { linksTo }) }, newChange({ author }));
    assert.equal(await deactivate('carl'), 'changed', 'without links');
    assert.equal(await deactivate('ada'), 'links-need-owner');
    for (const gone of ['ada', 'carl', 'nobody'])
      assert.equal(await deactivate('ada', gone), 'unknown-new-owner', gone);
    assert.equal((await people.findPerson('ada'))?.deactivatedAt, null);
    assert.equal((await store.read(codeOf(1)))?.owner, 'USER ada');
    assert.equal(await deactivate('ada', 'bob'), 'changed');
    assert.equal((await store.read(codeOf(1)))?.owner, 'USER bob');
    const changes = (await harness.readChanges()).filter((change) => change.author.name === 'bob');
    assert.deepEqual(pluck(changes, 'shortCode', 'kind'), [[codeOf(1), 'CHANGED']]);
  });

  testStore('parallel changes leave the last administrator', async ({ store: { people } }) => {
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) await people.addPerson(person(name, { passwordHash: 'hash' }));
    await people.addPerson(person('invited'));
    const changes = names.map((name, index) =>
      people.changePerson(name, index % 2 === 0 ? { isActive: false } : { scopes: ['read'] }, newChange()),
    );
    const results = (await Promise.all(changes)).sort();
    assert.deepEqual(results, [...Array(3).fill('changed'), 'last-administrator']);
  });

  testStore('a link sets a password once, before its end', async ({ store: { people } }) => {
    const ada = person('ada');
    await people.addPerson(ada);
    const session = sessionOf(ada);
    await people.addSession(session);
    assert.equal(await people.setPasswordLink('nobody', LINK), false);
    assert.equal(await people.setPasswordLink('ada', { ...LINK, hash: 'replaced' }), true);
    assert.equal(await people.setPasswordLink('ada', LINK), true);
    assert.equal(await people.usePasswordLink('replaced', 'new', START), undefined);
    assert.equal(await people.usePasswordLink(LINK.hash, 'new', LINK.expiresAt), undefined);
    const uses = Array.from({ length: 10 }, (_, index) =>
      people.usePasswordLink(LINK.hash, `password ${index}`, LINK.expiresAt - 1),
    );
    const [used, ...more] = (await Promise.all(uses)).filter((each) => each !== undefined);
    assert.deepEqual(more, []);
    assert.equal(used?.link, null);
    assert.deepEqual(await people.findPerson('ada'), used);
    assert.equal(await people.findSession(session.hash), undefined);
  });

  testStore('a password is changed once from the same one', async ({ store: { people } }) => {
    const ada = person('ada', { passwordHash: 'old' });
    await people.addPerson(ada);
    await people.addSession(sessionOf(ada));
    const changes = ['a', 'b', 'c'].map((to) => people.changePassword(ada.id, 'old', to));
    assert.deepEqual((await Promise.all(changes)).sort(), [false, false, true]);
    assert.deepEqual(await people.listSessions(ada.id), []);
  });

  testStore('a profile follows the provider, and an identity is never replaced', async ({ store }) => {
    const { people } = store;
    const ada = person('ada');
    await people.addPerson(ada);
    const profile = {
      ...{ email: 'ada@example.com', isEmailVerified: true },
      groups: [{ name: 'staff', scopes: ['read' as const] }],
      identity: IDENTITY,
    };
    await people.updateProfile(ada.id, profile);
    assert.deepEqual(await people.findPerson('ada'), { ...ada, ...profile });
    await people.updateProfile(ada.id, { ...profile, groups: [] });
    await people.updateProfile(ada.id, { ...profile, identity: { ...IDENTITY, subject: 'other' } });
    assert.deepEqual(await people.findPerson('ada'), { ...ada, ...profile, groups: [] });
  });

  testStore('a session is found with its person, and listed by its use', async ({ store: { people } }) => {
    const ada = person('ada', {
      scopes: ['create', 'read'],
      email: 'ada@example.com',
      isEmailVerified: true,
    });
    await people.addPerson(ada);
    const first = sessionOf(ada, { staysSignedIn: true, userAgent: null });
    const second = sessionOf(ada, { createdAt: START + 5, lastUsedAt: START + 5 });
    for (const each of [first, second]) await people.addSession(each);
    assert.deepEqual(await people.findSession(first.hash), {
      ...{ ...first, name: 'ada', scopes: ['create', 'read'], teams: [], email: 'ada@example.com' },
    });
    assert.deepEqual(await people.listSessions(ada.id), [second, first]);
    assert.equal((await people.findPerson('ada'))?.lastSignInAt, START + 5);
    const use = { at: START + 60, expiresAt: START + 900, before: START };
    await people.recordSessionUse(first.hash, use);
    await people.recordSessionUse(first.hash, { ...use, at: START + 61, before: START + 1 });
    assert.deepEqual(await people.listSessions(ada.id), [
      { ...first, lastUsedAt: START + 60, expiresAt: START + 900 },
      second,
    ]);
    await people.recordSessionUse(first.hash, { at: START + 2, expiresAt: START + 9, before: START - 58 });
    const corrected = await people.findSession(first.hash);
    assert.equal(corrected?.expiresAt, START + 9, 'a clock that was ahead is corrected');
  });

  testStore('a person ends own sessions, and nobody ends those of others', async ({ store: { people } }) => {
    const [ada, bob] = [person('ada'), person('bob')];
    for (const each of [ada, bob]) await people.addPerson(each);
    const [one, two, three, foreign] = [sessionOf(ada), sessionOf(ada), sessionOf(ada), sessionOf(bob)];
    for (const each of [one, two, three, foreign]) await people.addSession(each);
    assert.equal(await people.endSession(ada.id, foreign.hash), false);
    assert.equal(await people.endSession(ada.id, three.hash), true);
    assert.equal(await people.endSession(ada.id, three.hash), false);
    const left = await people.listSessions(ada.id);
    assert.deepEqual(new Set(left.map(({ hash }) => hash)), new Set([one.hash, two.hash]));
    assert.deepEqual(await people.listSessions(bob.id), [foreign]);
  });

  testStore('a sign-in deletes expired sessions of everybody', async ({ store: { people } }) => {
    const [ada, bob] = [person('ada'), person('bob')];
    for (const each of [ada, bob]) await people.addPerson(each);
    await people.addSession(sessionOf(ada, { expiresAt: START + 5 }));
    await people.addSession(sessionOf(ada, { expiresAt: START + 7 }));
    await people.addSession(sessionOf(bob, { createdAt: START + 5 }));
    assert.deepEqual(pluck(await people.listSessions(ada.id), 'expiresAt'), [START + 7]);
  });
}
