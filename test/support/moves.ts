import { toSet } from '../../src/core/model/files-digest.ts';
import { TILE_WIDTH } from '../../src/core/model/merkle-tree.ts';
import type { ProgressReporter } from '../../src/core/ports/progress.ts';
import type { Store } from '../../src/stores/store.ts';
import { type MovePlan, move } from '../../src/tools/copy/move.ts';
import {
  apiKey,
  attemptOn,
  codeOf,
  downloadLink,
  downloadOf,
  fileIdOf,
  newChange,
  PASSES,
  person,
  redirectLink,
  START,
  sessionOf,
} from './attempts.ts';
import { openTestLog } from './evidence.ts';
import type { StorePlace } from './store-places.ts';

export const SILENT: ProgressReporter = { begin: () => ({ update: () => {}, end: () => {} }) };

/** Texts that careless quoting or encoding would change. */
const STRANGE = (
  '|NULL|{}|{"a",NULL}|back\\slash and "quotes" and \'more\'|tab\tline\r\nend\u001b| space |' +
  'Grüße 日本 😀 \u202e \ufffd|\\x00 $1 %s'
).split('|');
const FULL_LIMITS = 3;

/** Fills a store with links, uploads, keys and people in many states, and attempts with strange texts. */
export async function stock(store: Store): Promise<void> {
  for (const name of STRANGE) await store.teams.addTeam({ name, members: [] }, START);
  const codes = STRANGE.map((_, index) => codeOf(index));
  await Promise.all(
    codes.map((code, index) =>
      store.create(
        redirectLink(code, {
          url: `https://example.com/${STRANGE[index]}`,
          maxViews: index === 0 ? null : FULL_LIMITS + index,
          expiresAt: index % 3 === 0 ? START + 1_000 + index : null,
          passwordHash: index % 2 === 0 ? `$argon2id$v=19$${STRANGE[index]}` : null,
          createdAt: START - index,
          tokenHash: index % 2 === 0 ? `hash ${index}` : null,
          ...(index % 2 === 1 && { owner: `KEY ${STRANGE[index]}` }),
        }),
        newChange({ at: START - index }),
      ),
    ),
  );
  await Promise.all(
    STRANGE.map((response, item) => {
      const request = { id: `request ${item % 2}`, fingerprint: 'sent', itemCount: STRANGE.length };
      const link = redirectLink(codeOf(30 + item));
      return store.create(link, newChange(), { idempotency: { request, item, response } });
    }),
  );
  for (const index of [20, 21, 22]) {
    await store.begin(fileIdOf(index), START + index);
    const fileName = `${STRANGE[index - 16]}.pdf`;
    const set = toSet([{ fileName, sizeBytes: 5, sha256: '00', crc32: 1 }]);
    if (index < 22)
      await store.create(
        downloadLink(codeOf(index), { fileId: fileIdOf(index), fileName, ...set }),
        newChange(),
      );
  }
  await store.abandon(fileIdOf(22));
  const lease = { hash: 'Grüße', fileId: fileIdOf(20), endsAt: START + 1_000, restBytes: 3 };
  const granted = attemptOn(codeOf(20), { lease });
  await store.attempt(granted);
  await store.recordDownload(downloadOf(granted));
  const code = { browserHash: 'Grüße', address: 'ann@example.com', codeHash: '日本', triesLeft: 5 };
  await store.attempt(
    attemptOn(codeOf(20), {
      prechecks: { ...PASSES, recipient: 'MISSING' },
      newCode: { ...code, shortCode: codeOf(20), endsAt: START + 1_000 },
    }),
  );
  await store.begin(fileIdOf(23), START);
  const attempts = STRANGE.flatMap((text, index) =>
    [
      ...Array.from({ length: index + 2 }, (_, each) => ({
        at: START + each * 3_600_000,
        ipAddress: `192.0.2.${each}`,
      })),
      { userAgent: text, prechecks: { ...PASSES, password: 'WRONG' as const } },
      { userAgent: null, ipAddress: null, purpose: 'PREVIEW' as const },
    ].map((wanted) => attemptOn(codeOf(index), wanted)),
  );
  await Promise.all(attempts.map((attempt) => store.attempt(attempt)));
  await Promise.all(STRANGE.map((text) => store.attempt(attemptOn(text.slice(0, 20)))));
  await store.revoke(codeOf(1), newChange());
  await store.expireDue(START + 10_000, 100);
  await addKeys(store);
  await addPeople(store);
  await eraseAddress(store, '192.0.2.9');
  await fillTile(store, codeOf(30));
  await openTestLog(store).sign();
}

/** Opens a link so often that the tree of the log has a complete tile. */
export async function fillTile(store: Store, shortCode: string): Promise<void> {
  await Promise.all(Array.from({ length: TILE_WIDTH }, () => store.attempt(attemptOn(shortCode))));
}

/** Erases the personal fields of the entries from an address. */
async function eraseAddress({ erasures }: Store, ipAddress: string): Promise<void> {
  await erasures.project('position');
  const { seqs } = await erasures.findErasable({ kind: 'IP', ipAddress }, 0);
  await erasures.eraseEntries({ at: START, kind: 'IP', author: 'root', erasedBefore: null }, seqs, 'key');
  while (await erasures.updateOrigins());
}

/** Adds keys in every state. */
async function addKeys({ keys }: Store): Promise<void> {
  await keys.addKey(apiKey('never used'));
  await keys.addKey(apiKey('Grüße 日本', { scopes: ['manage'], expiresAt: START + 1, createdAt: START - 1 }));
  await keys.recordKeyUse('Grüße 日本', START + 2);
  await keys.addKey(apiKey('revoked'));
  await keys.revokeKey('revoked', START + 3);
}

/** Adds people in every state, and a session. */
async function addPeople({ people, teams }: Store): Promise<void> {
  const ada = person('ada', { passwordHash: 'hash', email: 'ada@example.com', isEmergency: true });
  await people.addPerson(ada);
  await people.addSession(sessionOf(ada, { staysSignedIn: true }));
  const identity = { issuer: 'https://login.example', subject: '4711' };
  await people.addPerson(person('grüße 日本', { identity, isEmailVerified: true, scopes: [] }));
  await people.addPerson(person('invited', { link: { hash: 'link', expiresAt: START + 1 } }));
  await people.addPerson(person('gone', { createdAt: START + 1 }));
  await people.changePerson('gone', { isActive: false }, newChange());
  await teams.addTeam({ name: 'press', members: ['ada', 'invited'] }, START);
}

/** Fills the store of a place, and closes it. */
export async function stocked<Place extends StorePlace>(place: Place): Promise<Place> {
  const store = await place.openStore();
  await stock(store);
  await store.close();
  return place;
}

/** Opens the target for a move of the links. */
export async function planBetween(from: StorePlace, to: StorePlace, options: Partial<MovePlan> = {}) {
  const target = { name: 'the target', read: to.read, ...(await to.target()) };
  const plan: MovePlan & { target: typeof target } = {
    description: 'from the source',
    source: { name: 'the source', read: from.read },
    files: null,
    restart: false,
    progress: SILENT,
    clock: () => START,
    ...options,
    target,
  };
  return { ...plan, [Symbol.asyncDispose]: target.close };
}

/** Moves the links of one place to another. */
export async function moveBetween(from: StorePlace, to: StorePlace, options: Partial<MovePlan> = {}) {
  await using plan = await planBetween(from, to, options);
  return await move(plan);
}
