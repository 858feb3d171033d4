/** A call that waits for the group that its item is committed with, and a promise of quiet. */
export type Batcher<Item, Result> = {
  /** Resolves with the item's result once its group is durable; rejects when its group was not committed. */
  add(item: Item): Promise<Result>;
  /** Resolves when no item is waiting. */
  settled(): Promise<void>;
};

/** While one group is flushed to disk, the next is already with the store. */
const MAX_GROUPS_UNDER_WAY = 2;

/**
 * What waits is shared out over two groups: while one is flushed, the other is answered and gathered. One group of
 * all would leave the store idle while it is answered, and the answering idle while it is flushed: with 64
 * connections, 30 k attempts/s against 37 k. Small groups are not cut: a flush costs more than they do.
 */
const GROUPS_SHARING = 2;
const MIN_GROUP_SIZE = 16;
const MAX_GROUP_SIZE = 512;
/** Half of what a group of so many costs PostgreSQL does not depend on its size. */
const LARGE_GROUP_SIZE = 32;
/** A group that lasts so long waits for something else than its flush, such as a link that another instance holds. */
const SLOW_GROUP_MS = 50;

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Gathers items while the group before them commits, so that one flush to disk serves many. Nobody waits for
 * a timer while the store is idle: an item that comes then is committed at once, with whatever the same turn of the
 * event loop brought.
 *
 * @param commit makes a group durable and gives one result per item in their order, or fails them all
 * @param maxGroupSize bounds the time that one transaction holds the store
 * @param second when a second group joins one that is under way: at once, or when it is large, `LARGE_GROUP_SIZE` and no
 *   less than the other. The latter is for stores where most of what a group costs does not depend on its size: else
 *   the first few who were answered come again and are a small group, and groups stay small. Beside a group that lasts
 *   longer than a commit should, `SLOW_GROUP_MS`, any goes: one link that is locked holds up no other
 */
export function createBatcher<Item, Result>(
  commit: (items: Item[]) => Promise<Result[]>,
  maxGroupSize = MAX_GROUP_SIZE,
  second: 'at once' | 'when large' = 'at once',
): Batcher<Item, Result> {
  const isLarge = second === 'when large';
  const minGroupSize = Math.min(isLarge ? LARGE_GROUP_SIZE : MIN_GROUP_SIZE, maxGroupSize);
  const gathering: Waiting<Item, Result>[] = [];
  const underWay = new Set<Promise<void>>();
  let underWayCount = 0;
  let slowCount = 0;
  let isScheduled = false;

  function mayGo(): boolean {
    if (underWay.size >= MAX_GROUPS_UNDER_WAY) return false;
    if (underWay.size === 0 || !isLarge || slowCount > 0) return gathering.length > 0;
    return gathering.length >= Math.min(Math.max(underWayCount, minGroupSize), maxGroupSize);
  }

  function schedule(): void {
    if (isScheduled || !mayGo()) return;
    isScheduled = true;
    if (isLarge) gatherOn(0);
    else setImmediate(send);
  }

  /** Goes on for as long as each turn of the event loop brings more: those who were answered together come again. */
  function gatherOn(before: number): void {
    if (gathering.length === before || gathering.length >= minGroupSize) send();
    else setImmediate(gatherOn, gathering.length);
  }

  function send(): void {
    isScheduled = false;
    const share = Math.ceil((gathering.length + underWayCount) / GROUPS_SHARING);
    const group = gathering.splice(0, Math.min(Math.max(share, minGroupSize), maxGroupSize));
    underWayCount += group.length;
    const forgetSlowness = isLarge ? watchForSlowness() : () => {};
    const done = commitGroup(group).then(() => {
      forgetSlowness();
      underWay.delete(done);
      underWayCount -= group.length;
      schedule();
    });
    underWay.add(done);
    schedule();
  }

  /** Lets others go once the group that is sent now has lasted too long; gives what to call at its end. */
  function watchForSlowness(): () => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slowCount += 1;
      schedule();
    }, SLOW_GROUP_MS);
    return () => {
      clearTimeout(timer);
      if (isSlow) slowCount -= 1;
    };
  }

  async function commitGroup(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await commit(group.map((waiting) => waiting.item));
      if (results.length !== group.length) {
        throw new Error(`a group of ${group.length} got ${results.length} results`);
      }
      results.forEach((result, index) => {
        group[index]?.resolve(result);
      });
    } catch (error) {
      for (const waiting of group) waiting.reject(error);
    }
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        gathering.push({ item, resolve, reject });
        schedule();
      });
    },
    async settled() {
      while (isScheduled || underWay.size > 0)
        await (underWay.size > 0 ? Promise.all(underWay) : new Promise(setImmediate));
    },
  };
}
