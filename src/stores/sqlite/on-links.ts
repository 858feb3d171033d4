import type { prepareCountCommits, Recorded } from './commit-counter.ts';
import type { FileWatch } from './watch-file.ts';
import type { WriteBack } from './write-back.ts';

type Wraps = Pick<ReturnType<typeof prepareCountCommits>, 'counted' | 'recorded'> & Pick<FileWatch, 'guard'>;

/** Prepares wrapping operations on links, each in one transaction that knows which rows lack attempts. */
export function prepareOnLinks(writeBack: WriteBack, { counted, recorded, guard }: Wraps) {
  let hasBegun = false;
  const begun =
    <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
    (...inputs: Inputs): Result => {
      hasBegun = true;
      writeBack.begin();
      return operation(...inputs);
    };
  const forgetting =
    <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
    (...inputs: Inputs): Result => {
      hasBegun = false;
      try {
        return operation(...inputs);
      } catch (error) {
        if (hasBegun) writeBack.forget(); // else it waited in vain for a lock, and undid nothing
        throw error;
      }
    };
  return {
    /** Wraps a change of links. */
    onLinks: <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
      guard(forgetting(counted(begun(operation)))),
    /** Wraps a commit of attempts. It gets the id of their last record. */
    recordedOnLinks: <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Recorded<Result>) =>
      guard(forgetting(recorded(begun(operation)))),
    /** Wraps writing what follows from the audit: when it is lost, nothing is. */
    onDerived: <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
      guard(forgetting(recorded(begun((...inputs: Inputs) => ({ result: operation(...inputs) }))))),
  };
}
