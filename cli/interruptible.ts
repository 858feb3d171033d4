import { Failure } from './failure.ts';

/** Runs something that a signal ends with a failure. `remedy`: how it is continued. The program must then exit by itself. */
export async function interruptible<Result>(
  remedy: string | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const interrupt = (): void => reject(new Failure('interrupted', 'interrupted', { remedy }));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await Promise.race([run(), promise]);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
