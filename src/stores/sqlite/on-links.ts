import type { prepareCountCommits, Recorded } from './commit-counter.ts';
import type { FileWatch } from './watch-file.ts';
import type { WriteBack } from './write-back.ts';

type Wraps = Pick<ReturnType<typeof prepareCountCommits>, 'counted' | 'recorded'> & Pick<FileWatch, 'guard'>;

/** Prepares wrapping operations on links, each in one transaction that knows which rows lack attempts. */
export function prepareOnLinks(writeBack: WriteBack, { counted, recorded, guard }: Wraps) {
  const begun =
    <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
    (...inputs: Inputs): Result => {
      writeBack.begin();
      return operation(...inputs);
    };
  const forgetting =
    <Inputs extends unknown[], Result>(operation: (...inputs: Inputs) => Result) =>
    (...inputs: Inputs): Result => {
      try {
        return operation(...inputs);
      } catch (error) {
        writeBack.forget();
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
