import { codeOf } from '../src/common/error-details.ts';
import { EXIT_CODES, Failure } from './failure.ts';
import { report, runTool, type Terminal } from './run.ts';

/** Runs a command on the environment and the streams of this process. Returns its exit code. */
export async function runInProcess(argv: string[]): Promise<number> {
  const { env: environment, stdout, stderr } = process;
  let remedy: string | undefined;
  const terminal: Terminal = { environment, stdout, stderr, onTokens: (text) => (remedy = text) };
  // `postern list | head` closes the pipe early, which is no error. The tokens of new links would be lost, though.
  stdout.on('error', (error) => {
    if (codeOf(error) !== 'EPIPE') throw error;
    if (remedy === undefined) process.exit(0);
    const message = 'standard output was closed before all results were printed';
    process.exit(report(new Failure('failed', message, { remedy }), argv.includes('--json'), terminal));
  });
  const exitCode = await runTool(argv, terminal);
  if (exitCode === EXIT_CODES.interrupted) process.exit(exitCode); // its connections and streams are still open
  return exitCode;
}
