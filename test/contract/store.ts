import { describe, test } from 'node:test';
import { attemptContract } from './store/attempts.ts';
import { changeContract } from './store/changes.ts';
import { clockContract } from './store/clock.ts';
import { codeChangeContract } from './store/code-changes.ts';
import { durabilityContract } from './store/durability.ts';
import { evidenceContract } from './store/evidence.ts';
import { historyContract } from './store/history.ts';
import { idempotencyContract } from './store/idempotency.ts';
import { keyContract } from './store/keys.ts';
import { leaseContract } from './store/leases.ts';
import { linkContract } from './store/links.ts';
import { listContract } from './store/list.ts';
import { listSearchContract } from './store/list-search.ts';
import { notificationContract } from './store/notifications.ts';
import { ownerContract } from './store/owners.ts';
import { personContract } from './store/people.ts';
import { rangeContract } from './store/ranges.ts';
import { rankingContract } from './store/rankings.ts';
import { statisticsContract } from './store/statistics.ts';
import { submissionContract } from './store/submissions.ts';
import { teamContract } from './store/teams.ts';
import { termsContract } from './store/terms.ts';
import { uploadContract } from './store/uploads.ts';
import { viewsContract } from './store/views.ts';
import type { OpenStore, TestStore } from './store-harness.ts';

/** Tests what every store promises. Each adapter's own test file runs it. */
export function storeContract(name: string, openStore: OpenStore): void {
  const testStore: TestStore = (title, run) => {
    test(title, async (t) => {
      await using harness = await openStore();
      await run(harness, t);
    });
  };
  describe(`${name}: links`, () => linkContract(testStore));
  describe(`${name}: changes of links`, () => changeContract(testStore));
  describe(`${name}: changes of terms`, () => termsContract(testStore));
  describe(`${name}: changes of short codes`, () => codeChangeContract(testStore));
  describe(`${name}: submissions to file requests`, () => submissionContract(testStore));
  describe(`${name}: owners and teams of links`, () => ownerContract(testStore));
  describe(`${name}: idempotent requests`, () => idempotencyContract(testStore));
  describe(`${name}: API keys`, () => keyContract(testStore));
  describe(`${name}: people`, () => personContract(testStore));
  describe(`${name}: teams`, () => teamContract(testStore));
  describe(`${name}: attempts`, () => attemptContract(testStore, openStore));
  describe(`${name}: leases of downloads`, () => leaseContract(testStore));
  describe(`${name}: history`, () => historyContract(testStore));
  describe(`${name}: evidence`, () => evidenceContract(testStore));
  describe(`${name}: list`, () => listContract(testStore));
  describe(`${name}: search of the list`, () => listSearchContract(testStore));
  describe(`${name}: uploads`, () => uploadContract(testStore));
  describe(`${name}: notifications`, () => notificationContract(testStore));
  describe(`${name}: times of a clock that was ahead`, () => clockContract(testStore));
  describe(`${name}: statistics`, () => statisticsContract(testStore, openStore));
  describe(`${name}: ranges of time`, () => rangeContract(testStore, openStore));
  describe(`${name}: views`, () => viewsContract(testStore));
  describe(`${name}: rankings`, () => rankingContract(openStore));
  describe(`${name}: durability`, () => durabilityContract(testStore));
}
