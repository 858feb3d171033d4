import { createHook } from 'node:async_hooks';

/** Counts Node's own Argon2 jobs, each from its entry into libuv's queue until its callback begins. */
export async function observeArgon2(work: () => Promise<unknown>): Promise<{ computed: number }> {
  const running = new Set<number>();
  let computed = 0;
  const hook = createHook({
    init(asyncId, type) {
      if (type !== 'ARGON2REQUEST') return;
      running.add(asyncId);
    },
    before(asyncId) {
      if (running.delete(asyncId)) computed++;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return { computed };
}
