import { argon2, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createArgon2idHasher } from '../../src/adapters/password-hasher.ts';
import { compare, type Subject } from '../support/compare.ts';
import type { Scenario } from '../support/scenario.ts';
import { inScratch } from '../support/scratch.ts';
import { createLink, postern, recordsOf } from '../support/subjects.ts';

const PASSWORD = 'open sesame';
/** Enough that hashing never waits for requests. */
const CONNECTIONS = 16;

export const protectedLink: Scenario = {
  name: 'protected',
  about: 'the right password of one link, against argon2id of node:crypto alone',
  run: (effort) =>
    inScratch(async (scratch) => {
      const service = await scratch.startService();
      const load = {
        paths: [`/l/${await createLink(service, { password: PASSWORD })}`],
        headers: { 'x-link-password': PASSWORD },
        connections: CONNECTIONS,
        status: 302,
      };
      return compare({
        service: postern(service, load, { count: recordsOf('SUCCESS') }),
        baseline: await bareArgon2id(),
        unit: 'hashes/s',
        effort,
      });
    }),
};

/** Hashes at the service's cost and concurrency: one for each core, at most three. */
async function bareArgon2id(): Promise<Subject> {
  const hash = promisify(argon2);
  const cost = /\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(await createArgon2idHasher().hash(PASSWORD));
  if (!cost) throw new Error('The service does not hash with argon2id');
  const [memory = 0, passes = 0, parallelism = 0] = cost.slice(1).map(Number);
  const message = Buffer.from(PASSWORD);
  const nonce = randomBytes(16);
  const concurrency = Math.min(availableParallelism(), 3);
  return {
    name: 'bare argon2id',
    async measure(seconds) {
      const startedAt = performance.now();
      let hashes = 0;
      async function work(): Promise<void> {
        while (performance.now() - startedAt < seconds * 1000) {
          await hash('argon2id', { message, nonce, memory, passes, parallelism, tagLength: 32 });
          hashes += 1;
        }
      }
      await Promise.all(Array.from({ length: concurrency }, work));
      return { rate: hashes / ((performance.now() - startedAt) / 1000) };
    },
  };
}
