import { codeOf } from '../src/error-details.ts';
import { bulk } from './commands/bulk.ts';
import { Failure } from './failure.ts';
import { report, runTool } from './run.ts';

// The command line: `bin/postern`.

const { env: environment, stdout, stderr } = process;
const terminal = { environment, stdout, stderr };
const argv = process.argv.slice(2);

// `postern list | head` closes the pipe early, which is no error. The tokens of new links would be lost, though.
stdout.on('error', (error) => {
  if (codeOf(error) !== 'EPIPE') throw error;
  if (argv[0] !== bulk.name) process.exit(0);
  const failure = new Failure('failed', 'standard output was closed before all results were printed', {
    remedy: 'The tokens of some new links are lost; postern list shows these links. Give --output FILE.',
  });
  process.exit(report(failure, argv.includes('--json'), terminal));
});

process.exitCode = await runTool(argv, terminal);
