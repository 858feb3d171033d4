import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Prechecks } from '../../../src/core/model/attempt.ts';
import { MAX_RANKED_LINKS } from '../../../src/core/model/ranges.ts';
import type { Store } from '../../../src/stores/store.ts';
import { attemptOn, codeOf, newChange, PASSES, redirectLink } from '../../support/attempts.ts';
import { storeRuns } from '../../support/histories.ts';
import { pick, seededInt } from '../../support/random.ts';
import { rank, WRONG_PASSWORDS } from '../../support/recount.ts';
import type { OpenStore } from '../store-harness.ts';

/** More links than a ranking can include, so that some leave it and return. */
const LINKS = MAX_RANKED_LINKS + 150;
/** Codes in another order than that in which the links are created and viewed. */
const CODES = Array.from({ length: LINKS }, (_, index) => codeOf((index * 389) % LINKS));

const WRONG: Prechecks = { ...PASSES, password: 'WRONG' };

/** Tests the links with the most views and with the most wrong passwords: exact for any number of links. */
export function rankingContract(openStore: OpenStore): void {
  const rankings = [
    { of: 'top links', prechecks: PASSES, results: ['SUCCESS'], ask: topLinks },
    { of: 'security exceptions', prechecks: WRONG, results: WRONG_PASSWORDS, ask: securityExceptions },
  ] as const;

  for (const { of, prechecks, results, ask } of rankings) {
    test(`${of}: exact with more than ${MAX_RANKED_LINKS} links and many ties, after each of many batches`, async () => {
      const anyGroup = fc.record({
        seed: fc.nat(),
        attempts: fc.constantFrom(1, 1, 2, 40, 300),
        // The number of links that the batch picks from: few of them rise, many enter and leave.
        among: fc.constantFrom(3, 60, LINKS),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(anyGroup, { minLength: 25, maxLength: 25 }), async (groups) => {
          await using harness = await openStore();
          const { store } = harness;
          await Promise.all(CODES.map((code) => store.create(redirectLink(code), newChange())));
          const check = async (): Promise<void> => {
            const expected = rank(await harness.readAudit(), results, MAX_RANKED_LINKS);
            assert.deepEqual(await ask(store, MAX_RANKED_LINKS), expected);
          };
          await attemptAll(store, CODES.slice(0, MAX_RANKED_LINKS - 20), prechecks);
          await attemptAll(store, CODES.slice(-20), prechecks);
          await check(); // it is full
          await attemptAll(store, CODES.slice(MAX_RANKED_LINKS - 20, MAX_RANKED_LINKS - 15), prechecks);
          await check(); // of equals, the first codes are in it
          for (const { seed, attempts, among } of groups) {
            const source = seededInt(seed);
            const first = source(LINKS - among + 1);
            const chosen = CODES.slice(first, first + among);
            await attemptAll(
              store,
              Array.from({ length: attempts }, () => pick(source, chosen)),
              prechecks,
            );
            await check();
          }
        }),
        { numRuns: storeRuns(1).numRuns ?? 1, endOnFailure: true }, // without a limit of time: one run must end
      );
    });
  }
}

const topLinks = (store: Store, limit: number) => store.statistics.topLinks(limit);
const securityExceptions = (store: Store, limit: number) => store.statistics.securityExceptions(limit);

async function attemptAll(store: Store, codes: readonly string[], prechecks: Prechecks): Promise<void> {
  await Promise.all(codes.map((code) => store.attempt(attemptOn(code, { prechecks }))));
}
