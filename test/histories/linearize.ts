/**
 * One operation of a client on an object. Times come from one clock. `completedAt` is null for an operation whose
 * response never came: it may have taken effect at any time since, may still do so, or never will.
 */
export type Operation<Input> = { input: Input; invokedAt: number } & (
  | { completedAt: number; output: string }
  | { completedAt: null }
);

/** The behaviour of an object: one input in one state gives one output and one next state. */
export type Model<State, Input> = {
  initial: State;
  step(state: State, input: Input): { state: State; output: string };
  /** Returns whether the input changes no state at all. */
  isRead(input: Input): boolean;
  /** Returns the same text for equal states and inputs, and different texts for others. */
  keyOf(value: State | Input): string;
};

/**
 * An order in which the operations explain all outputs; or, if there is none, the longest beginning of an order that
 * was found, and the operations of which none can come next.
 */
export type Linearization<Input> =
  | { isLinearizable: true; order: Operation<Input>[] }
  | { isLinearizable: false; longest: Operation<Input>[]; stuck: Operation<Input>[] };

/**
 * Searches an order of the operations in which each takes effect at one moment between its invocation and its
 * completion, and the model gives every observed output (linearizability, Herlihy and Wing 1990). The search is that
 * of Wing and Gong (1993) with Lowe's cache of what was tried (2017): a set of operations that leads to one state
 * leads to the same future in any order in which it was reached.
 */
export function linearize<State, Input>(
  model: Model<State, Input>,
  operations: readonly Operation<Input>[],
): Linearization<Input> {
  const sorted = [...operations].sort((one, other) => one.invokedAt - other.invokedAt);
  const entries = sorted.map((operation, index) => ({
    operation,
    bit: 1n << BigInt(index),
    key: model.keyOf(operation.input),
    isRead: model.isRead(operation.input),
  }));
  const tried = new Set<string>();
  const order: Entry<Input>[] = [];
  let longest: Entry<Input>[] = [];

  /** Extends the order, of which `done` is the set, until every completed operation is in it. */
  function search(state: State, done: bigint): boolean {
    if (order.length > longest.length) longest = [...order];
    const left = entries.filter(({ bit }) => (done & bit) === 0n);
    if (left.every(({ operation }) => operation.completedAt === null)) return true;
    const key = `${model.keyOf(state)} ${done.toString(36)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const steps = candidates(left).flatMap((entry) => {
      const { state: after, output } = model.step(state, entry.operation.input);
      const isExplained = entry.operation.completedAt === null || entry.operation.output === output;
      return isExplained ? [{ entry, after }] : [];
    });
    // A read that fits now need not be tried later: it changes nothing for the others.
    const read = steps.find(({ entry }) => entry.isRead);
    return (read ? [read] : steps).some(({ entry, after }) => {
      order.push(entry);
      if (search(after, done | entry.bit)) return true;
      order.pop();
      return false;
    });
  }

  if (search(model.initial, 0n)) return { isLinearizable: true, order: operationsOf(order) };
  const left = entries.filter((entry) => !longest.includes(entry));
  return { isLinearizable: false, longest: operationsOf(longest), stuck: operationsOf(candidates(left)) };
}

type Entry<Input> = { operation: Operation<Input>; bit: bigint; key: string; isRead: boolean };

function operationsOf<Input>(entries: readonly Entry<Input>[]): Operation<Input>[] {
  return entries.map(({ operation }) => operation);
}

/**
 * Returns those of the operations left that may come next: none of the others completed before their invocation.
 *
 * Unknown operations with one input are interchangeable, and the first invoked of them can stand wherever a later
 * one can. Without this, twenty of them would be a million sets.
 */
function candidates<Input>(left: readonly Entry<Input>[]): Entry<Input>[] {
  const completions = left.map(({ operation }) => operation.completedAt ?? Number.POSITIVE_INFINITY);
  const firstCompletion = Math.min(...completions);
  const unknownKeys = new Set<string>();
  return left.filter(({ operation, key, isRead }) => {
    if (operation.invokedAt > firstCompletion) return false;
    if (operation.completedAt !== null) return true;
    if (isRead || unknownKeys.has(key)) return false;
    unknownKeys.add(key);
    return true;
  });
}
