export type Operation = (...inputs: never[]) => unknown;

/** Returns an operation that rejects with what `translate` returns for its errors. */
export function translateErrorsOf<Inputs extends unknown[], Result>(
  operation: (...inputs: Inputs) => Promise<Result>,
  translate: (error: unknown) => unknown,
) {
  return async (...inputs: Inputs): Promise<Result> => {
    try {
      return await operation(...inputs);
    } catch (error) {
      throw translate(error);
    }
  };
}

/** Translates the errors of each of some operations. */
export function translateErrors<Operations extends Record<keyof Operations, Operation>>(
  operations: Operations,
  translate: (error: unknown) => unknown,
): Operations {
  const translated = Object.entries<Operation>(operations).map(([name, operation]) => [
    name,
    translateErrorsOf(async (...inputs: never[]) => operation(...inputs), translate),
  ]);
  return Object.fromEntries(translated) as Operations; // each has the inputs and the result of the original
}
