import { codeOf } from '../src/error-details.ts';
import { runTool } from './run.ts';

// The command line: `bin/postern`.

// `postern list | head` closes the pipe early, which is no error.
process.stdout.on('error', (error) => {
  if (codeOf(error) === 'EPIPE') process.exit(0);
  throw error;
});

const { env: environment, stdout, stderr } = process;
process.exitCode = await runTool(process.argv.slice(2), { environment, stdout, stderr });
